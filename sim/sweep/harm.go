package sweep

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Effects are those that a row can have, worst first.
func Effects() (all []term.Effect) {
	never := []term.Outcome{term.NotReady, term.Unserved, term.Restarted, term.Uncreatable, term.Resurrected, term.Failed, term.Outage, term.Withdrawn}
	for _, e := range term.Effects() {
		if !slices.Contains(never, e.Outcome) && e != term.Lost.Effect() {
			all = append(all, e)
		}
	}
	return all
}

// Harmful are the effects by which a cluster loses something, in the order of what they cost its users: an
// object that can be written in part costs less than a value that is lost.
func Harmful() []term.Effect {
	return []term.Effect{term.Undecodable.Effect(), term.Panicked.Effect(), term.Frozen.Effect(), term.Lost.By(term.OldServer), term.Lost.By(term.OldProgram), term.Lost.By(term.OldClient), term.Lost.By(term.NewProgram), term.Lost.By(term.NewRelease), term.PartlyFrozen.Effect(), term.Changed.Effect(), term.Varies.Effect(), term.MeansOther.Effect()}
}

// HarmWords say what rows of a harmful effect have in common.
func HarmWords() map[term.Effect]string {
	return map[term.Effect]string{
		term.Undecodable.Effect():     "cannot be read any more by a release",
		term.Panicked.Effect():        "made a server panic or end",
		term.Frozen.Effect():          "can no longer be written through a release",
		term.PartlyFrozen.Effect():    "can be written only in part through a release",
		term.Lost.By(term.OldServer):  "lost by writes of the old release's servers",
		term.Lost.By(term.OldProgram): "lost by the webhook of the old release's program",
		term.Lost.By(term.OldClient):  "lost by clients of the old release",
		term.Lost.By(term.NewProgram): "lost by the webhook of the new release's program",
		term.Lost.By(term.NewRelease): "lost by servers or clients of the new release",
		term.Changed.Effect():         "read as something else",
		term.Varies.Effect():          "read differently through servers of one time",
		term.MeansOther.Effect():      "that mean something else",
	}
}
