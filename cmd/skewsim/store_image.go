package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
)

// etcdPrograms are what an image of a store holds.
func etcdPrograms() []container.Program {
	return []container.Program{{File: "etcd", Component: "etcd", Version: func(answer string) (string, error) {
		match := regexp.MustCompile(`(?m)^etcd Version: (\S+)\s*$`).FindStringSubmatch(answer)
		if match == nil {
			return "", fmt.Errorf("--version printed %q, want \"etcd Version: X.Y.Z\"", apiserver.FirstLine(answer))
		}
		return match[1], nil
	}}}
}

// etcdImage finds the etcd of an image, once for all runs.
func (a *app) etcdImage(ctx context.Context, name string) (*container.Engine, servers.Build, error) {
	if a.parent != nil {
		return a.parent.etcdImage(ctx, name)
	}
	engine, err := a.containers(ctx)
	if lacks := (*container.EngineError)(nil); errors.As(err, &lacks) {
		err = lacks.ForStore()
	}
	if err != nil {
		return nil, servers.Build{}, fmt.Errorf("--store %s:%s: %w", servers.SchemeImage, name, err)
	}
	b, err := once(a, &a.built, servers.Reference{Scheme: servers.SchemeImage, Component: "etcd", Path: name}, func() (servers.Build, error) {
		b, err := engine.Build(ctx, name, etcdPrograms(), func() { fmt.Fprintf(a.err, "skewsim: pulling %s\n", name) })
		if err == nil {
			fmt.Fprintf(a.err, "skewsim: the store is etcd %s of %s, %s\n", b.Version, name, b.Image)
		}
		return b, err
	})
	if request := (*servers.RequestError)(nil); errors.As(err, &request) {
		err = fmt.Errorf("--store %w", err)
	}
	return engine, b, err
}
