package precheck

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// discovered returns the sorted groups whose preferred version some client of the plan
// discovers.
func (a *asker) discovered() []string {
	seen := map[string]bool{}
	a.Known.Operations(func(s plan.Step, m plan.Manifest) {
		if group, _, grouped := strings.Cut(m.APIVersion, "/"); s.Discovers != "" && grouped {
			seen[group] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// askPreferred asks which versions of those groups the server prefers, and returns every
// version to ask the server about: if one release prefers a version that the other merely
// serves, both matter. It also returns the versions of each group, in the server's order.
func (a *asker) askPreferred(ctx context.Context, conn *client.Connection, p *selfDescription) (all []string, order map[string][]string, err error) {
	all, order = a.Known.GroupVersions(), map[string][]string{}
	for _, group := range a.discovered() {
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
// its group does not serve: clients that discover use the first one that does, because
// discovery lists the resources of each version.
func (a *asker) preferKinds(p *selfDescription, order map[string][]string) {
	serves := func(gv, kind string) bool {
		return slices.ContainsFunc(p.Resources, func(r history.Resource) bool { return r.APIVersion == gv && r.Kind == kind })
	}
	for _, m := range a.Known.Plan.Manifests {
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

// askElsewhere asks what the server serves of the plan's groups in other versions, without
// their schemas: no call goes through them.
func (a *asker) askElsewhere(ctx context.Context, conn *client.Connection, asked []string) (all []history.Resource, err error) {
	groups := map[string]bool{}
	for _, m := range a.Known.Plan.Manifests {
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
