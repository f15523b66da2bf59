package published

import "github.com/skewsim/skewsim/servers/source"

// EveryGate returns the switches that have a server switch on all gates of a release that are not
// stable: those that its source names, and those that its server reports. Nil: it has none.
func EveryGate(facts *source.Facts, r Release) map[string]bool {
	var stages []string
	if facts != nil {
		for _, g := range facts.Gates {
			stages = append(stages, g.Stage)
		}
	}
	for _, f := range r.Features {
		stages = append(stages, f.Stage)
	}
	return source.EveryGate(stages)
}
