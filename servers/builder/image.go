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

// engine is what runs containers, once it was asked for.
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
		return nil, errors.New("containers: nothing here removes them when this process ends")
	}
	var err error
	e.runs, err = container.Open(ctx, container.Config{Guard: e.guard})
	return e.runs, err
}

// ping asks the engine whether it answers, where containers were run on it.
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

// PingEngine asks the Docker engine that containers were run on whether it answers. That
// there was none is no error.
func (b *Builder) PingEngine(ctx context.Context) error { return b.engine.ping(ctx) }

// build makes a build of a container image.
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

// ImagePrograms are the API servers that images may hold. Images of a control plane
// whose entrypoint starts something else have the first.
func ImagePrograms() []container.Program {
	return []container.Program{kubeapiserver.InImages(), frobberapiserver.InImages()}
}

// Etcd finds the etcd of an image, once for all runs, and the engine that runs it.
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

// imageHost runs images for API servers: there is an engine only once an image was
// asked for.
type imageHost struct{ engine *engine }

// Start implements apiserver.Host.
func (h imageHost) Start(ctx context.Context, b servers.Build, c apiserver.Command) (apiserver.Child, error) {
	engine, err := h.engine.open(ctx)
	if err != nil {
		return nil, err
	}
	return engine.Start(ctx, b, c)
}
