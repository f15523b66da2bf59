package try

import (
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/result"
)

// StatusCauses returns the errors that the Status of an answer lists.
func StatusCauses(a client.Answer) (all []result.StatusCause) {
	if a.Status == nil || a.Status.Details == nil {
		return nil
	}
	for _, c := range a.Status.Details.Causes {
		all = append(all, result.NewStatusCause(c.Field, string(c.Type), c.Message))
	}
	return all
}
