package gather

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
)

// unplayed is the sentence on the page for a cell without a result. A cell that was
// executed could not be judged; every other cell, also one that an infrastructure failure
// ended before its builds were made, was not executed.
func unplayed(c matrix.Cell) result.Source {
	why := c.Reason
	switch {
	case c.Earlier:
		why = "whether what an earlier matrix left of it still holds was not found out"
	case c.Phase == matrix.Interrupted:
		why = "interrupted; --resume plays it again"
	case c.Phase == matrix.Running:
		why = "skewsim was ended meanwhile; --resume plays it again"
	case c.Phase == matrix.Done && len(c.Attempts) > 0 && len(c.Builds) > 0:
		return result.Source{Result: result.Result{Verdict: term.Unknown, Reason: why}}
	case why == "":
		why = "its turn did not come"
	}
	return result.Source{Problem: why, Unplayed: true}
}

// ofCell adds to a run what only its cell knows: its infrastructure failures and, if it has
// no result, which run it is.
func ofCell(s result.Source, c matrix.Cell, seed int64) result.Source {
	s.Component = c.Component
	if c.HadInfrastructureFailure() {
		s.Tried = c.AttemptsLine()
	}
	if s.Result.Scenario == "" {
		s.Result.Scenario, s.Result.Seed, s.Result.Releases = c.Scenario, seed, releasesOf(c)
	}
	return s
}

// releasesOf returns a cell's releases as its result would name them: as its builds name
// themselves, or else as far as its pair says.
func releasesOf(c matrix.Cell) (names []string) {
	old, new, err := servers.ParsePair(c.Pair)
	if err != nil {
		return []string{c.Pair}
	}
	_, mutant, _ := strings.Cut(c.Scenario, "+")
	for _, end := range []struct {
		role   term.Role
		ref    servers.Reference
		mutant string
	}{{term.Old, old, ""}, {term.New, new, mutant}} {
		made := slices.IndexFunc(c.Builds, func(b matrix.Build) bool { return b.Role == end.role && !b.Client })
		switch {
		case made >= 0:
			names = append(names, c.Builds[made].Version)
		case end.ref.Scheme == servers.SchemeTrain:
			names = append(names, trainVersion(end.ref.Version, end.mutant))
		case end.ref.Scheme == servers.SchemeRelease, end.ref.Scheme == servers.SchemeModule:
			names = append(names, end.ref.Version)
		default:
			names = append(names, end.ref.String())
		}
	}
	return names
}

// trainVersion returns the name that a release of frobber gives itself.
func trainVersion(release, mutant string) string {
	plain, own, _ := strings.Cut(release, "+")
	if mutant = cmp.Or(own, mutant); mutant != "" {
		mutant = "+" + mutant
	}
	return "v" + plain + ".0" + mutant
}
