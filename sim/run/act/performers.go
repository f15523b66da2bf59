package act

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// performer executes one verb and returns the answer to its write.
type performer func(context.Context, *act) (client.Answer, error)

// performers is the single table from verbs to functions.
func performers() map[term.Verb]performer {
	return map[term.Verb]performer{
		term.Create:           create,
		term.Put:              put,
		term.UnchangedPut:     put,
		term.JSONPatch:        patch,
		term.MergePatch:       patch,
		term.StrategicPatch:   patch,
		term.MergeDiff:        difference,
		term.StrategicDiff:    difference,
		term.Apply:            apply,
		term.ExtractApply:     extractApply,
		term.ClientSideApply:  clientSideApply,
		term.StatusPut:        put,
		term.StatusPatch:      patch,
		term.ScalePut:         put,
		term.ScalePatch:       patch,
		term.Post:             post,
		term.Get:              read,
		term.ListAll:          list,
		term.Delete:           remove,
		term.DeleteCollection: removeCollection,
		term.Evict:            evict,
	}
}

// notPlayed reports that a step cannot be executed, and why. The step is recorded and
// counted as skipped, and the run continues.
type notPlayed struct{ reason string }

func skip(format string, args ...any) error { return &notPlayed{fmt.Sprintf(format, args...)} }
