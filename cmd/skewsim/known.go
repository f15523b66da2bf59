package main

import (
	"context"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// known tells of releases of the reference server that there are not. Where it has
// no executable, or that does not say, whoever builds them will tell.
func (a *app) known(ctx context.Context, refs ...servers.Reference) error {
	if err := a.checkManifests(ctx, refs...); err != nil {
		return err
	}
	var named []string
	for _, ref := range refs {
		if ref.Scheme == servers.SchemeTrain {
			named = append(named, ref.Version)
		}
	}
	if len(named) == 0 {
		return nil
	}
	if train := a.releases(ctx); train != nil {
		return train.Check(named...)
	}
	return nil
}

// releases asks once.
func (a *app) releases(ctx context.Context) frobberapiserver.Train {
	if a.parent != nil {
		return a.parent.releases(ctx)
	}
	a.asked.Do(func() {
		if train, err := frobberapiserver.Releases(ctx); err == nil {
			a.train = train
		}
	})
	return a.train
}
