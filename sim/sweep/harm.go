package sweep

import "github.com/skewsim/skewsim/scenarios/term"

// Harmful are the fates by which a cluster loses something, in the order of what they cost its users: an
// object that can be written in part costs less than a value that is lost.
func Harmful() []term.Fate {
	return []term.Fate{term.FateUndecodable, term.FateCrashed, term.FateFrozen, term.FateLostByOld, term.FateLostByClients, term.FateLostByNew, term.FatePartlyFrozen, term.FateMeansOther}
}

// HarmWords say what rows of a harmful fate have in common.
func HarmWords() map[term.Fate]string {
	return map[term.Fate]string{
		term.FateUndecodable:   "cannot be read any more by a release",
		term.FateCrashed:       "made a server panic or end",
		term.FateFrozen:        "can no longer be written through a release",
		term.FatePartlyFrozen:  "can be written only in part through a release",
		term.FateLostByOld:     "lost by writes of the old release's servers",
		term.FateLostByClients: "lost by clients of the old release",
		term.FateLostByNew:     "lost by servers or clients of the new release",
		term.FateMeansOther:    "read as something else",
	}
}
