package play

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// The lap with gates switches all of them on, so that one pair of servers is enough for all rows. A scenario that
// is written for one row switches those of the row.

// hasGate reports whether a release has a gate that can be switched.
func (s *session) hasGate(role term.Role, name string) bool {
	if facts := s.sources[role]; facts != nil {
		if g, is := facts.Gates[name]; is {
			return !g.Locked
		}
	}
	_, is := s.plain[role].Features[name]
	return is
}

// ownGates returns the gates that a row's object needs in a release, as far as the release has them: those of the
// row and of hints, and what these need.
func (s *session) ownGates(role term.Role, row sweep.Row) map[string]bool {
	names := gateNames(row.Gates)
	for _, h := range s.hints {
		if h.APIVersion == sweep.GroupVersion(row.Group, row.Version) && h.Kind == row.Kind && h.Path == row.Path {
			names = append(names, h.Gates...)
		}
	}
	own := map[string]bool{}
	for i := 0; i < len(names); i++ {
		if name := names[i]; s.hasGate(role, name) && !own[name] {
			own[name] = true
			if facts := s.sources[role]; facts != nil {
				names = append(names, facts.Gates[name].Needs...)
			}
		}
	}
	return own
}

func gateNames(gates []diff.Gate) (names []string) {
	for _, g := range gates {
		names = append(names, g.Name)
	}
	return names
}

// withOwnGates returns the settings of a lap with the gates of a row alone, where the row names some: a reader then
// sees which gate matters. APIs that are off by default stay on if the row is of one.
func (s *session) withOwnGates(lap sweep.Lap, row sweep.Row) sweep.Settings {
	if lap.Lap != term.GatesLap || len(s.ownGates(term.Old, row))+len(s.ownGates(term.New, row)) == 0 {
		return lap.Settings
	}
	own := lap.Settings
	for role, o := range map[term.Role]*scenarios.Options{term.Old: &own.Old, term.New: &own.New} {
		o.FeatureGates = scenarios.LaidOver(s.ownGates(role, row), s.given[role].FeatureGates)
		if sweep.IsStable(row.Version) {
			o.RuntimeConfig = s.given[role].RuntimeConfig
		}
	}
	return own
}

// switching returns the settings of a pair of one release that differs in the gates of a row; false if the row has
// none that the new release can switch, or the pair cannot be named.
func (s *session) switching(settings sweep.Settings, row sweep.Row) (sweep.Settings, bool) {
	_, ref, err := servers.ParsePair(settings.Releases.Pair)
	off := map[string]bool{}
	for _, name := range gateNames(row.Gates) {
		if s.hasGate(term.New, name) {
			off[name] = false
		}
	}
	if err != nil || len(off) == 0 {
		return settings, false
	}
	own := s.ownGates(term.New, row)
	settings.Old = settings.New
	settings.New.FeatureGates = scenarios.LaidOver(own, s.given[term.New].FeatureGates)
	for name := range own {
		if _, is := off[name]; !is {
			off[name] = true // what the gates need is on at both ends
		}
	}
	settings.Old.FeatureGates = scenarios.LaidOver(off, s.given[term.Old].FeatureGates)
	name := ref.String()
	_, version, versioned := strings.Cut(name, "@")
	if !versioned {
		version = name
	}
	settings.Releases.Pair = name + ".." + version
	return settings, true
}
