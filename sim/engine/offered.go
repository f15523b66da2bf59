package engine

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// Offered returns the releases that come with skewsim and those that are built; with proxy
// also those that the module proxy lists.
func (m Made) Offered(ctx context.Context, proxy bool) ([]servers.Reference, error) {
	var names []string
	for _, of := range m.Releases(ctx) {
		names = append(names, frobberapiserver.Component().Name+"@"+of[0])
	}
	built, err := builder.CachedReleases()
	if err != nil {
		return nil, err
	}
	kubernetes := kubeapiserver.Component().Name
	for _, v := range built[kubernetes] {
		if v.Prerelease() == "" { // a prerelease may be of a checkout, which no version names
			names = append(names, kubernetes+"@"+v.Original())
		}
	}
	if proxy {
		offered, err := kubeapiserver.Offered(ctx)
		if err != nil {
			return nil, fault.Optionf("{offered}: %w", err)
		}
		for _, v := range offered {
			names = append(names, kubernetes+"@"+v)
		}
	}
	var all []servers.Reference
	for _, name := range names {
		ref, err := servers.ParseReference(name)
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// ModuleComponent returns the component of a module's server, as its adapter names it.
func (m Made) ModuleComponent(ref servers.Reference) (string, error) {
	adapter, err := m.ReadAdapter(ref)
	return adapter.Component, err
}
