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

// reachedWithin bounds how long an engine may take to answer at first.
const reachedWithin = 20 * time.Second

// Config is how containers are run.
type Config struct {
	// Guard is the command that calls Guard, with the run's name as one more argument.
	Guard []string
}

// Engine is a Docker engine of this machine, and the containers that it runs for
// this process.
type Engine struct {
	provider *testcontainers.DockerProvider
	api      client.APIClient
	info     system.Info
	owner    string // as owner labels have it
	run      string // of this process; as run labels have it
	guard    *guard
	created  atomic.Int64 // containers, so that each has a name of its own
	closing  sync.Once
	closed   error
}

// Open finds the engine that DOCKER_HOST names, else the one of this machine, and
// sees to it that its containers can reach this machine's loopback address. It
// removes what dead processes left there. Errors: an *EngineError.
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

// name is that of a run: unlike any other's.
func name() string {
	b := make([]byte, 8)
	rand.Read(b) // never fails, see its documentation
	return "skewsim-" + hex.EncodeToString(b)
}

// withoutReaper keeps testcontainers from what a run does by itself: to start a
// reaper, whose image might not be there, and to tell the user about the engine. It
// reads its settings once, so they are made before anything else of it is used.
func withoutReaper() error {
	log.SetDefault(log.NewNoopLogger())
	if err := os.Setenv("TESTCONTAINERS_RYUK_DISABLED", "true"); err != nil {
		return err
	}
	settings := testcontainers.ReadConfig().Config
	if !settings.RyukDisabled {
		return errors.New("testcontainers was asked for its settings before its reaper was switched off")
	}
	if settings.HubImageNamePrefix != "" {
		// It would put the prefix before image IDs too.
		return fmt.Errorf("testcontainers is told to begin the names of images with %q (hub.image.name.prefix): "+
			"take that out, and name images with their registry", settings.HubImageNamePrefix)
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
		// Networks are none of its business: containers are on the host's, which
		// there is always.
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

// asked tells of an engine that is another than the one asked for: testcontainers goes
// on looking where that does not answer.
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

// check asks the engine what it is, and whether its host's network is this machine's.
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

// Name is that of this process's containers, which their label dev.skewsim.run has.
func (e *Engine) Name() string { return e.run }

// Close kills what still runs, and returns when nothing is left. Closing again gives
// the same.
func (e *Engine) Close() error {
	e.closing.Do(func() { e.closed = e.close() })
	return e.closed
}

func (e *Engine) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), removedWithin)
	defer cancel()
	if err := removeAll(ctx, e.api, ownedBy(e.run), nil); err != nil {
		e.guard.leave()
		return errors.Join(fmt.Errorf("%w; a process that stays behind goes on trying for %s", err, removedWithin), e.provider.Close())
	}
	return errors.Join(e.guard.close(), e.provider.Close())
}

// hasOption tells whether the engine has an option of that name, such as rootless.
func hasOption(info system.Info, name string) bool {
	for _, option := range info.SecurityOptions {
		if first, _, _ := strings.Cut(option, ","); first == "name="+name {
			return true
		}
	}
	return false
}
