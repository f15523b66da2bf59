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

// askPreferred asks which versions of those groups the server prefers, and returns every
// version that it is to be asked about: where one release prefers what the other merely
// serves, what that serves matters too. It returns the versions of each group as well, in
// the server's order.
func (w *walker) askPreferred(ctx context.Context, conn *client.Connection, p *selfPortrait) (all []string, order map[string][]string, err error) {
	all, order = w.groupVersions(), map[string][]string{}
	for _, group := range w.discovered() {
		preferred, served, err := client.Preferred(ctx, conn, group)
		if err != nil {
			return nil, nil, err
		}
		if order[group] = served; preferred != "" {
			if p.Preferred == nil {
				p.Preferred = map[string]string{}
			}
			p.Preferred[group] = preferred
		}
		all = append(all, served...)
	}
	slices.Sort(all)
	return slices.Compact(all), order, nil
}

// preferKinds notes the version of each of the plan's kinds that the preferred version of
// its group does not serve: clients that discover take the first one that does, for
// discovery lists the resources of each version.
func (w *walker) preferKinds(p *selfPortrait, order map[string][]string) {
	serves := func(gv, kind string) bool {
		return slices.ContainsFunc(p.Resources, func(r history.Resource) bool { return r.APIVersion == gv && r.Kind == kind })
	}
	for _, m := range w.config.Plan.Manifests {
		group, _, _ := strings.Cut(m.APIVersion, "/")
		preferred := p.Preferred[group]
		if preferred == "" || serves(preferred, m.Kind) {
			continue
		}
		if i := slices.IndexFunc(order[group], func(gv string) bool { return serves(gv, m.Kind) }); i >= 0 {
			p.Preferred[m.Kind+"."+group] = order[group][i]
		}
	}
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
		s.APIVersion = w.known[s.Discovers].release.Discovered(m.APIVersion, m.Kind)
	}
	return s
}
