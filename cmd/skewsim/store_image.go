package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/container"
)

// etcdImage finds the etcd of an image, once for all runs.
func (a *app) etcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error) {
	engine, b, err := a.builder().Etcd(ctx, name)
	if engine == nil {
		if lacks := (*container.EngineError)(nil); errors.As(err, &lacks) {
			err = lacks.ForStore()
		}
		return nil, servers.Build{}, fmt.Errorf("--store %s:%s: %w", servers.SchemeImage, name, err)
	}
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		err = fmt.Errorf("--store %w", err)
	}
	return engine, b, err
}
