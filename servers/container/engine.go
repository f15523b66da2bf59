package container

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/moby/moby/api/types/system"
	"github.com/moby/moby/client"
	"github.com/testcontainers/testcontainers-go"
	"github.com/testcontainers/testcontainers-go/log"
)

// reachedWithin bounds the time for an engine's first answer, or for a simple request.
const reachedWithin = 20 * time.Second

// Config configures how containers are run.
type Config struct {
	// Guard is the command that calls Guard, with the run's name as an additional argument.
	Guard []string
}

// Engine is a Docker engine of this machine with the containers that it runs for this process.
type Engine struct {
	provider *testcontainers.DockerProvider
	api      client.APIClient
	info     system.Info
	owner    string // as owner labels have it
	run      string // of this process; as run labels have it
	guard    *guard
	created  atomic.Int64 // number of containers, for unique names
	closing  sync.Once
	closed   error
}

// Open finds the engine that DOCKER_HOST names, or else the one of this machine, and checks
// that its containers can reach this machine's loopback address. It removes what dead processes
// left behind. Errors are *EngineError.
func Open(ctx context.Context, c Config) (*Engine, error) {
	provider, err := connect(ctx)
	if err != nil {
		return nil, err
	}
	e := &Engine{provider: provider, api: provider.Client(), run: name()}
	if err := e.check(ctx); err != nil {
		return nil, errors.Join(err, e.provider.Close())
	}
	if e.owner, err = thisProcess(); err != nil {
		return nil, errors.Join(fmt.Errorf("containers: %w", err), e.provider.Close())
	}
	sweep(ctx, e.api)
	if e.guard, err = startGuard(c.Guard, e.run, e.api.DaemonHost()); err != nil {
		return nil, errors.Join(fmt.Errorf("containers: the guard that removes them: %w", err), e.provider.Close())
	}
	return e, nil
}

// Ping checks that the engine answers. Errors are *EngineError.
func (e *Engine) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, reachedWithin, fmt.Errorf("no answer after %s", reachedWithin))
	defer cancel()
	if _, err := e.api.Ping(ctx, client.PingOptions{}); err != nil {
		return unreachable(err)
	}
	return nil
}

// name returns a unique name for a run.
func name() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails, see its documentation
	return "skewsim-" + hex.EncodeToString(b)
}

// withoutReaper disables what testcontainers does by default: start a reaper, whose image may
// not exist, and print information about the engine. Testcontainers reads its settings once, so
// withoutReaper must run before any other use.
func withoutReaper() error {
	log.SetDefault(log.NewNoopLogger())
	if err := os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true"); err != nil {
		return err
	}
	settings := testcontainers.ReadConfig().Config
	if !settings.RyukDisabled {
		return errors.New("testcontainers read its settings before its reaper was disabled")
	}
	if settings.HubImageNamePrefix != "" {
		// Testcontainers would add the prefix to image IDs too.
		return fmt.Errorf("testcontainers is configured to prefix image names with %q (hub.image.name.prefix): "+
			"remove that setting, and name images with their registry", settings.HubImageNamePrefix)
	}
	return nil
}

// connect finds the engine.
func connect(ctx context.Context) (*testcontainers.DockerProvider, error) {
	if err := withoutReaper(); err != nil {
		return nil, &EngineError{Err: err}
	}
	type outcome struct {
		provider *testcontainers.DockerProvider
		err      error
	}
	found := make(chan outcome, 1)
	go func() { // it takes no context
		// The provider does not create networks: containers use the host's.
		provider, err := testcontainers.NewDockerProvider(testcontainers.WithDefaultBridgeNetwork("host"))
		found <- outcome{provider, err}
	}()
	ctx, cancel := context.WithTimeoutCause(ctx, reachedWithin, fmt.Errorf("no answer after %s", reachedWithin))
	defer cancel()
	select {
	case o := <-found:
		return o.provider, asked(o.provider, o.err)
	case <-ctx.Done():
		return nil, unreachable(context.Cause(ctx))
	}
}

// asked returns an error if the engine is not the one that DOCKER_HOST names: testcontainers
// looks for another one if that does not answer.
func asked(found *testcontainers.DockerProvider, err error) error {
	if err != nil {
		return unreachable(err)
	}
	want, got := os.Getenv("DOCKER_HOST"), found.Client().DaemonHost()
	if want == "" || want == got {
		return nil
	}
	return errors.Join(unreachable(fmt.Errorf("the one that DOCKER_HOST names, %s, does not, though one at %s would", want, got)), found.Close())
}

// check checks that the engine's host network is this machine's.
func (e *Engine) check(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, reachedWithin, fmt.Errorf("no answer after %s", reachedWithin))
	defer cancel()
	answer, err := e.api.Info(ctx, client.InfoOptions{})
	if err != nil {
		return unreachable(err)
	}
	e.info = answer.Info
	if e.info.OSType != "linux" {
		return elsewhere(e.api.DaemonHost(), e.info)
	}
	reached, err := reachesLoopback(ctx, e.api)
	if err == nil && !reached {
		err = elsewhere(e.api.DaemonHost(), e.info)
	}
	return err
}

// Name returns the value of the label dev.skewsim.run of this process's containers.
func (e *Engine) Name() string { return e.run }

// Close kills containers that still run, and returns when nothing is left. Later calls return
// the same error.
func (e *Engine) Close() error {
	e.closing.Do(func() { e.closed = e.close() })
	return e.closed
}

func (e *Engine) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), removedWithin)
	defer cancel()
	if err := removeAll(ctx, e.api, ownedBy(e.run), nil); err != nil {
		e.guard.leave()
		return errors.Join(fmt.Errorf("%w; a background process keeps trying for %s", err, removedWithin), e.provider.Close())
	}
	return errors.Join(e.guard.close(), e.provider.Close())
}

// hasOption reports whether the engine has a security option of that name, such as rootless.
func hasOption(info system.Info, name string) bool {
	for _, option := range info.SecurityOptions {
		if first, _, _ := strings.Cut(option, ","); first == "name="+name {
			return true
		}
	}
	return false
}
