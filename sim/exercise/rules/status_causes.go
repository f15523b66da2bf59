package rules

import (
	"strings"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/result"
)

// statusCauses returns the errors that the Status of an answer lists.
func statusCauses(a client.Answer) (all []result.StatusCause) {
	if a.Status == nil || a.Status.Details == nil {
		return nil
	}
	for _, c := range a.Status.Details.Causes {
		all = append(all, result.StatusCause{Field: strings.TrimSuffix(c.Field, "<nil>"), Reason: string(c.Type), Message: c.Message})
	}
	return all
}
