package try

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// Server is a server that objects are sent to. It may end under an object: then it is started
// again. The zero value is not usable: see NewServer.
type Server struct {
	restart func(ctx context.Context) (*client.Connection, error)

	// alone is held for writing while a request is repeated, and for reading by all others: whether
	// a request ends the server is seen only if no other one is under way.
	alone sync.RWMutex

	mu     sync.Mutex
	conn   *client.Connection
	starts int
	ended  error
}

// NewServer returns a server. Restart starts it again after it ended, on the same store; nil: the
// first end is final.
func NewServer(conn *client.Connection, restart func(ctx context.Context) (*client.Connection, error)) *Server {
	return &Server{conn: conn, restart: restart}
}

const (
	// maxRestarts is how often a server is started again. An object that ends a server does so
	// twice, and a field of a filled object in up to four groups.
	maxRestarts = 24
	// maxWaits is how often a request is repeated that a busy server turned away.
	maxWaits  = 3
	firstWait = 100 * time.Millisecond
)

// Err returns why the server answers no more requests; nil if it does.
func (s *Server) Err() error {
	_, err := s.current()
	return err
}

// current returns the connection.
func (s *Server) current() (*client.Connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn, s.ended
}

// Do sends a request. It repeats a request that a busy server turned away, and once, with no other
// request under way, one that was broken off: a server that ended is started again before. So a
// request that a server gives no answer to costs nothing but its own object. See Err.
func (s *Server) Do(ctx context.Context, r client.Request) client.Answer {
	s.alone.RLock()
	a := s.patient(ctx, r)
	s.alone.RUnlock()
	if !isBrokenOff(ctx, a) {
		return a
	}
	s.alone.Lock()
	defer s.alone.Unlock()
	if err := s.revive(ctx); err != nil {
		return client.Answer{Err: err}
	}
	if a.TimedOut() {
		return a
	}
	if a = s.patient(ctx, r); !isBrokenOff(ctx, a) {
		return a
	}
	if err := s.revive(ctx); err != nil {
		return client.Answer{Err: err}
	}
	return client.Answer{Err: fmt.Errorf("the server gives no answer: %w", a.Err)}
}

// isBrokenOff reports whether a request has no answer, and no panic explains why.
func isBrokenOff(ctx context.Context, a client.Answer) bool {
	return a.Err != nil && a.Panic == nil && ctx.Err() == nil
}

// patient sends a request, again for a moment if the server is busy.
func (s *Server) patient(ctx context.Context, r client.Request) client.Answer {
	wait := firstWait
	for try := 0; ; try++ {
		conn, err := s.current()
		if err != nil {
			return client.Answer{Err: err}
		}
		a := conn.Do(ctx, r)
		if try == maxWaits || a.Err != nil || a.Panic != nil || !statuscode.Busy(a.Code) {
			return a
		}
		select {
		case <-ctx.Done():
			return a
		case <-time.After(wait):
		}
		wait *= 3
	}
}

// revive starts the server again, unless it lives. The caller holds the lock alone.
func (s *Server) revive(ctx context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil {
		return s.ended
	}
	_, err := client.Version(ctx, s.conn)
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	if s.restart == nil || s.starts == maxRestarts {
		s.ended = fmt.Errorf("the server on which objects are tried ended, and was started again %d times: %w", s.starts, err)
		return s.ended
	}
	conn, err := s.restart(ctx)
	if err != nil {
		s.ended = fmt.Errorf("start the server again on which objects are tried: %w", err)
		return s.ended
	}
	s.conn, s.starts = conn, s.starts+1
	return nil
}
