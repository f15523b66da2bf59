package builder

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"sync"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// engine is the container engine, opened on first use.
type engine struct {
	guard []string
	mutex sync.Mutex
	runs  *container.Engine
}

func (e *engine) open(ctx context.Context) (*container.Engine, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.runs != nil {
		return e.runs, nil
	}
	if len(e.guard) == 0 {
		return nil, errors.New("containers: no guard is configured to remove them when this process ends")
	}
	var err error
	e.runs, err = container.Open(ctx, container.Config{Guard: e.guard})
	return e.runs, err
}

// ping checks that the engine answers, if it has been used.
func (e *engine) ping(ctx context.Context) error {
	e.mutex.Lock()
	runs := e.runs
	e.mutex.Unlock()
	if runs == nil {
		return nil
	}
	return runs.Ping(ctx)
}

func (e *engine) close() error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.runs == nil {
		return nil
	}
	runs := e.runs
	e.runs = nil
	return runs.Close()
}

// PingEngine checks that the Docker engine still answers. It returns nil if no container was
// run.
func (b *Builder) PingEngine(ctx context.Context) error { return b.engine.ping(ctx) }

// build makes a build from a container image.
func (e *engine) build(ctx context.Context, ref servers.Reference, pulling func()) (servers.Build, error) {
	runs, err := e.open(ctx)
	if err != nil {
		return servers.Build{}, fmt.Errorf("%s: %w", ref, err)
	}
	return runs.Build(ctx, ref.Path, ImagePrograms(), pulling)
}

func (b *Builder) pulling(image string) func() {
	return func() { b.config.Progress.Note("pulling " + image) }
}

// ImagePrograms returns the API servers that images may contain. For control-plane images whose
// entrypoint starts something else, the first one is used.
func ImagePrograms() []container.Program {
	return []container.Program{kubeapiserver.InImages(), frobberapiserver.InImages()}
}

// Etcd returns the etcd of an image, found once for all runs, and the engine that runs it.
func (b *Builder) Etcd(ctx context.Context, image string) (*container.Engine, servers.Build, error) {
	engine, err := b.engine.open(ctx)
	if err != nil {
		return nil, servers.Build{}, err
	}
	key := servers.Reference{Scheme: servers.SchemeImage, Component: "etcd", Path: image}
	build, err := once(b.memo, &b.built, key, func() (servers.Build, error) {
		build, err := engine.Build(ctx, image, etcdPrograms(), b.pulling(image))
		if err == nil {
			b.config.Progress.Note(fmt.Sprintf("the store is etcd %s of %s, %s", build.Version, image, build.Image))
		}
		return build, err
	})
	return engine, build, err
}

// etcdPrograms returns the programs that a store's image may contain.
func etcdPrograms() []container.Program {
	return []container.Program{{File: "etcd", Component: "etcd", Version: func(answer string) (string, error) {
		match := regexp.MustCompile(`(?m)^etcd Version: (\S+)\s*$`).FindStringSubmatch(answer)
		if match == nil {
			return "", fmt.Errorf("--version printed %q, want \"etcd Version: X.Y.Z\"", apiserver.FirstLine(answer))
		}
		return match[1], nil
	}}}
}

// imageHost runs images for API servers. It opens the engine on first use.
type imageHost struct{ engine *engine }

// Start implements apiserver.Host.
func (h imageHost) Start(ctx context.Context, b servers.Build, c apiserver.Command) (apiserver.Child, error) {
	engine, err := h.engine.open(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Start(ctx, b, c)
}
