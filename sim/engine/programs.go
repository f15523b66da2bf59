package engine

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
)

// programs returns, in words, the parts of the scenario's file that choose which programs a
// run of these releases executes: references that only the file names, the server of its
// manifests, the programs beside it, Helm charts, which helm renders, and the adapter. Files of the catalogue come with skewsim and are trusted.
func (r Request) programs(ctx context.Context, refs []servers.Reference) (chosen []string) {
	s := r.Scenario
	if s.BuiltIn {
		return nil
	}
	own := r.Pair.ownOf(s)
	if r.IsChain() {
		own = func(servers.Reference) bool { return r.Chain.Through == "" }
	}
	on, err := servers.ParseReference(s.Releases.Server)
	for _, ref := range refs {
		if ref.Executes() && own(ref) {
			chosen = append(chosen, ref.String())
		}
		if ref.Scheme == servers.SchemeManifests && r.Server == "" && err == nil && on.Executes() {
			chosen = append(chosen, "releases.server "+s.Releases.Server)
		}
		if ref.Manifests.ProgramWithin != "" {
			chosen = append(chosen, "releases.programs "+ref.Manifests.Program)
		}
		if builder.NamesChart(ctx, ref) {
			chosen = append(chosen, ref.String()+", a Helm chart")
		}
		if ref.AdapterWithin != "" {
			chosen = append(chosen, "releases.adapter "+ref.Adapter)
		}
	}
	if servers.IsCommit(s.Releases.Clients) {
		chosen = append(chosen, "releases.clients "+s.Releases.Clients)
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

// checkPrograms refuses a request whose scenario's file chooses which programs run, unless
// the user allows it: files come with pull requests from unknown authors.
func (r Request) checkPrograms(chosen []string) error {
	if len(chosen) == 0 || r.AllowPrograms {
		return nil
	}
	return fault.Optionf("%s: the file chooses which programs run (%s): name them on the command line ({pair}, {old}, {new}, {server}, {adapter}, {webhooks}), or allow it with {allow-programs} if you trust the file",
		r.Scenario.File, strings.Join(chosen, ", "))
}

// withoutCharts returns an error without its parts that report Helm charts which a scenario's file may not have rendered.
func withoutCharts(err error) error {
	var others []error
	for _, e := range parts(err) {
		if chart := (*builder.ChartError)(nil); !errors.As(e, &chart) {
			others = append(others, e)
		}
	}
	return errors.Join(others...)
}

// ChartsOf returns the Helm charts that a scenario's file names as its own pair. CheckFile reads them only if the builder may.
func ChartsOf(ctx context.Context, s *scenarios.Scenario) (all []string) {
	if s.Releases.Pair == "" {
		return nil
	}
	old, new, err := servers.ParsePair(s.Releases.Pair)
	if err != nil {
		return nil
	}
	old, new = Place(s, old, new, func(servers.Reference) bool { return true })
	for _, ref := range []servers.Reference{old, new} {
		if builder.NamesChart(ctx, ref) {
			all = append(all, ref.String())
		}
	}
	return all
}
