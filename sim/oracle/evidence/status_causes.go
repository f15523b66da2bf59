package evidence

import (
	"net/http"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// wholeObject is the field that servers name for an error of the whole object.
const wholeObject = "<nil>"

// StatusCauses returns the errors that the Status of an answer lists, if it refuses a request as invalid.
func StatusCauses(ev *Evidence, x history.Exchange) (all []result.StatusCause) {
	if x.Code != http.StatusUnprocessableEntity {
		return nil
	}
	details, _ := ev.History.Object(x.Answer)["details"].(map[string]any)
	causes, _ := details["causes"].([]any)
	for _, c := range causes {
		cause, _ := c.(map[string]any)
		var own result.StatusCause
		own.Field, _ = cause["field"].(string)
		own.Reason, _ = cause["reason"].(string)
		own.Message, _ = cause["message"].(string)
		if own.Field == wholeObject {
			own.Field = ""
		}
		all = append(all, own)
	}
	return all
}
