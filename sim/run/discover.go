package run

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
)

// discovered are the groups whose preferred version some client of the plan
// discovers, sorted.
func (w *walker) discovered() []string {
	seen := map[string]bool{}
	w.operations(func(s plan.Step, m plan.Manifest) {
		if group, _, grouped := strings.Cut(m.APIVersion, "/"); s.Discovers != "" && grouped {
			seen[group] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// askPreferred asks which versions of those groups the server prefers, and is
// every version that it is to be asked about: where one release prefers what the
// other merely serves, what that serves matters too.
func (w *walker) askPreferred(ctx context.Context, conn *client.Connection, p *selfPortrait) ([]string, error) {
	all := w.groupVersions()
	for _, group := range w.discovered() {
		preferred, served, err := client.Preferred(ctx, conn, group)
		if err != nil {
			return nil, err
		}
		if preferred != "" {
			if p.Preferred == nil {
				p.Preferred = map[string]string{}
			}
			p.Preferred[group] = preferred
		}
		all = append(all, served...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// choose gives a step of a client that discovers the version that its release
// said it prefers. What a release says of itself does not change while it runs.
func (w *walker) choose(s plan.Step, m plan.Manifest) plan.Step {
	if s.Discovers != "" {
		s.APIVersion = w.known[s.Discovers].release.Discovered(m.APIVersion)
	}
	return s
}
