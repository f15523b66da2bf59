package run

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
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

// askElsewhere asks what the server says of the plan's groups in the versions that
// it is not asked about otherwise. Without their schemas: no call goes through them.
func (w *walker) askElsewhere(ctx context.Context, conn *client.Connection, asked []string) (all []history.Resource, err error) {
	groups := map[string]bool{}
	for _, m := range w.config.Plan.Manifests {
		group, _, grouped := strings.Cut(m.APIVersion, "/")
		groups[group] = grouped
	}
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		if !groups[group] {
			continue // the core group has one version
		}
		_, served, err := client.Preferred(ctx, conn, group)
		if err != nil {
			return nil, err
		}
		for _, gv := range served {
			if slices.Contains(asked, gv) {
				continue
			}
			resources, err := client.Discover(ctx, conn, gv)
			if err != nil {
				return nil, err
			}
			for _, r := range resources {
				all = append(all, history.Resource(r))
			}
		}
	}
	return all, nil
}

// elsewhere are those resources whose group and kind some manifest has, in another
// version.
func (w *walker) elsewhere(resources []history.Resource) (all []history.Resource) {
	for _, r := range resources {
		of, _, _ := strings.Cut(r.APIVersion, "/")
		for _, m := range w.config.Plan.Manifests {
			if group, _, grouped := strings.Cut(m.APIVersion, "/"); grouped && group == of && m.Kind == r.Kind {
				all = append(all, r)
				break
			}
		}
	}
	return all
}

// choose gives a step of a client that discovers the version that its release
// said it prefers. What a release says of itself does not change while it runs.
func (w *walker) choose(s plan.Step, m plan.Manifest) plan.Step {
	if s.Discovers != "" {
		s.APIVersion = w.known[s.Discovers].release.Discovered(m.APIVersion)
	}
	return s
}
