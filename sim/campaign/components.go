package campaign

import (
	"path"
	"slices"

	docker "github.com/distribution/reference"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
)

// catalogueOf returns the names of the catalogue's scenarios for the components that the
// pairs may have. Scenarios of manifests are left out: they bring definitions of their own,
// and other definitions have other kinds.
func catalogueOf(pairs []pairing.Pair) ([]string, error) {
	entries, err := load.Catalogue()
	if err != nil {
		return nil, err
	}
	of := componentsOf(pairs)
	var names []string
	for _, e := range entries {
		if slices.Contains(of, e.Scenario.Releases.Of) && e.Scenario.Releases.Of != crd.Component {
			names = append(names, e.Path())
		}
	}
	return names, nil
}

// componentsOf returns the components that pairs may have, as far as references say. It
// does not look at this machine: every machine must lay out the same matrix.
func componentsOf(pairs []pairing.Pair) (all []string) {
	for _, p := range pairs {
		old, new := mayBe(p.Old), mayBe(p.New)
		if len(new) < len(old) { // both releases have the same component
			old = new
		}
		all = append(all, old...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mayBe returns the components that a release may have. The name of an image often names
// the server in it; an image with any other name may hold every component that is published
// as images.
func mayBe(r pairing.Release) (all []string) {
	ref, err := servers.ParseReference(r.Reference)
	switch {
	case r.Component != "":
		return []string{r.Component}
	case err == nil && ref.Scheme == servers.SchemeModule:
		return []string{aggregated.Default(ref.Module).Component}
	case err != nil || ref.Scheme != servers.SchemeImage:
		return []string{kubeapiserver.Component().Name} // a path, and a checkout
	}
	name, err := docker.ParseDockerRef(ref.Path)
	for _, p := range builder.ImagePrograms() {
		if err == nil && path.Base(docker.Path(name)) == p.File {
			return []string{p.Component}
		}
		all = append(all, p.Component)
	}
	return all
}

// withComponents returns the pair with the component of each release of a Go module, as the
// scenario's adapter names it. It returns errors of reading the adapter.
func withComponents(from Sources, s *scenarios.Scenario, p pairing.Pair) (pairing.Pair, error) {
	for _, end := range []*pairing.Release{&p.Old, &p.New} {
		ref, err := servers.ParseReference(end.Reference)
		if err != nil || ref.Scheme != servers.SchemeModule {
			continue
		}
		ref, _ = engine.Place(s, ref, ref, func(servers.Reference) bool { return false })
		if end.Component, err = from.ModuleComponent(ref); err != nil {
			return p, err
		}
	}
	return p, nil
}
