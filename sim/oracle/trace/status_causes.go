package trace

import (
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// StatusCauses returns the errors that the Status of an answer lists, if it refuses a request as invalid.
func StatusCauses(ev *Evidence, x history.Exchange) (all []result.StatusCause) {
	if x.Code != http.StatusUnprocessableEntity {
		return nil
	}
	details, _ := ev.History.Object(x.Answer)["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		field, _ := cause["field"].(string)
		reason, _ := cause["reason"].(string)
		message, _ := cause["message"].(string)
		all = append(all, result.NewStatusCause(field, reason, message))
	}
	return all
}
