package apiserver

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
)

// server is one running API server.
type server struct {
	name     string
	build    servers.Build
	endpoint servers.Endpoint
	child    Child
	port     *port
	client   *http.Client
	// unversioned: what /version says is not the build's version.
	unversioned bool
	polled      map[string][]string // see Component
	began       time.Time
	// waited returns for how long tasks have had to wait for a CPU, which is not the server's time; nil: all
	// time is the server's.
	waited func() time.Duration
	done   chan struct{}

	mu         sync.Mutex
	asked      bool // to stop
	readyAfter time.Duration
	err        error
	lack       servers.Lack // to be ready when it counted as ready
}

// mourn waits for the end and says whether it was expected.
func (s *server) mourn() {
	<-s.child.Done()
	s.mu.Lock()
	if !s.asked {
		s.err = s.exitError()
	}
	s.mu.Unlock()
	s.client.CloseIdleConnections()
	_ = s.port.release() // closing an unused socket; nothing depends on it any more
	close(s.done)
}

func (s *server) exitError() *servers.ExitError {
	e := &servers.ExitError{
		Name: s.name, Build: s.build.Reference, Status: s.child.Status(),
		Ready: s.readyAfter > 0, Log: s.child.LogPath(), Tail: lastWords(process.Tail(s.child.LogPath(), tailLines)),
	}
	e.Failure = failureOf(s.child, e)
	return e
}

// failureOf returns what of the infrastructure ended a server. Its last lines count only
// where it had not served anybody: later they hold what it read.
func failureOf(child Child, e *servers.ExitError) fault.Failure {
	var lost *servers.LostError
	switch {
	case errors.As(child.Err(), &lost):
		return fault.ServerLost
	case child.Killed():
		return fault.ServerKilled
	case e.Ready:
		return fault.None
	}
	return process.Shortage(e.Tail)
}

func (s *server) ask() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = true
}

func (s *server) Name() string               { return s.name }
func (s *server) Endpoint() servers.Endpoint { return s.endpoint }
func (s *server) Done() <-chan struct{}      { return s.done }
func (s *server) LogPath() string            { return s.child.LogPath() }

func (s *server) ReadyAfter() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readyAfter
}

func (s *server) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.err
}

func (s *server) Stop(ctx context.Context) error {
	s.ask()
	err := s.child.Stop(ctx)
	<-s.done
	return err
}

func (s *server) Kill() {
	s.ask()
	s.child.Kill()
	<-s.done
}
