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

// unplayed stands on the page for a cell that left no result. What was played and came to
// none could not be judged; everything else, also what the machine ended before its builds
// were there, was not played.
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

// ofCell adds to a run what only its cell tells: what the machine has ended of it, and,
// where it has no result, which run it is.
func ofCell(s result.Source, c matrix.Cell, seed int64) result.Source {
	s.Component = c.Component
	if c.Flaky() {
		s.Tried = c.AttemptsLine()
	}
	if s.Result.Scenario == "" {
		s.Result.Scenario, s.Result.Seed, s.Result.Releases = c.Scenario, seed, releasesOf(c)
	}
	return s
}

// releasesOf are a cell's releases as its result would name them: as its builds call
// themselves, or else as far as its pair tells.
func releasesOf(c matrix.Cell) (names []string) {
	old, new, err := servers.ParsePair(c.Pair)
	if err != nil {
		return []string{c.Pair}
	}
	_, twin, _ := strings.Cut(c.Scenario, "+")
	for _, end := range []struct {
		role term.Role
		ref  servers.Reference
		twin string
	}{{term.Old, old, ""}, {term.New, new, twin}} {
		made := slices.IndexFunc(c.Builds, func(b matrix.Build) bool { return b.Role == end.role && !b.Client })
		switch {
		case made >= 0:
			names = append(names, c.Builds[made].Version)
		case end.ref.Scheme == servers.SchemeTrain:
			names = append(names, trainVersion(end.ref.Version, end.twin))
		case end.ref.Scheme == servers.SchemeRelease, end.ref.Scheme == servers.SchemeModule:
			names = append(names, end.ref.Version)
		default:
			names = append(names, end.ref.String())
		}
	}
	return names
}

// trainVersion is what a release of frobber calls itself.
func trainVersion(release, twin string) string {
	plain, own, _ := strings.Cut(release, "+")
	if twin = cmp.Or(own, twin); twin != "" {
		twin = "+" + twin
	}
	return "v" + plain + ".0" + twin
}
