package exercise

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// server is the server under test, which may end under an object.
type server struct {
	restart func(ctx context.Context) (*client.Connection, error)

	mu     sync.Mutex
	conn   *client.Connection
	starts int
	ended  error // the server cannot be started again
}

// current returns the connection, and how often the server was started again.
func (s *server) current() (*client.Connection, int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.conn, s.starts, s.ended
}

// do sends a request. A server that ended is started again, and asked once more: the request
// that ends it twice is the cause.
func (s *server) do(ctx context.Context, r client.Request) client.Answer {
	for try := 0; ; try++ {
		conn, start, err := s.current()
		if err != nil {
			return client.Answer{Err: err}
		}
		a := conn.Do(ctx, r)
		if a.Err == nil || a.Panic != nil || ctx.Err() != nil || s.restart == nil {
			return a
		}
		if err := s.again(ctx, start); err != nil {
			return client.Answer{Err: err}
		}
		if try == 1 {
			return client.Answer{Err: fmt.Errorf("the server gives no answer: %w", a.Err)}
		}
	}
}

// again starts the server that ended since a start, unless it lives or another request did so.
func (s *server) again(ctx context.Context, since int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended != nil || s.starts != since {
		return s.ended
	}
	if _, err := client.Version(ctx, s.conn); err == nil {
		return nil
	}
	conn, err := s.restart(ctx)
	if err != nil {
		s.ended = fmt.Errorf("start the server again: %w", err)
		return s.ended
	}
	s.conn, s.starts = conn, s.starts+1
	return nil
}

// dryCreate asks the server whether it would create an object.
func (e *exerciser) dryCreate(ctx context.Context, k *kind, object map[string]any) client.Answer {
	return dryCreateWith(ctx, e, k, object, term.Strict)
}

func dryCreateWith(ctx context.Context, e *exerciser, k *kind, object map[string]any, validation term.FieldValidation) client.Answer {
	object, _ = k.naming.Name(e.homed(k.Resource, object), dryName)
	return writeWith(ctx, e.server, http.MethodPost, e.resource(k).Collection(), object, true, validation)
}

// dryName is the label in the names of objects that are not stored, and liveName of those
// that are.
const (
	dryName  = "held"
	liveName = "held-live"
)

func (e *exerciser) write(ctx context.Context, method, at string, object map[string]any, dry bool) client.Answer {
	return writeWith(ctx, e.server, method, at, object, dry, term.Strict)
}

func writeWith(ctx context.Context, to *server, method, at string, object map[string]any, dry bool, validation term.FieldValidation) client.Answer {
	body, err := encoded(object)
	if err != nil {
		return client.Answer{Err: err}
	}
	query := map[string]string{"fieldValidation": string(validation)}
	if dry {
		query["dryRun"] = "All"
	}
	return to.do(ctx, client.Request{Method: method, Path: at, Query: query, ContentType: client.JSONContent, Body: body, UserAgent: agent})
}

const agent = "skewsim-exercise"

// create creates an object for real. One that exists is good.
func (e *exerciser) create(ctx context.Context, k *kind, object map[string]any) error {
	r := client.Resource{APIVersion: k.APIVersion, Plural: k.Plural}
	if k.Namespaced {
		object = e.homed(k.Resource, object)
		r.Namespace = e.Namespace
	}
	a := e.write(ctx, http.MethodPost, r.Collection(), object, false)
	if a.Succeeded() || a.Code == http.StatusConflict {
		return nil
	}
	return errors.New(a.Text())
}

// makeNamespace creates the namespace of the work. A server without namespaces needs none.
func (e *exerciser) makeNamespace(ctx context.Context) error {
	if e.Namespace == "" {
		return nil
	}
	object := map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": e.Namespace}}
	a := e.write(ctx, http.MethodPost, client.Resource{APIVersion: "v1", Plural: "namespaces"}.Collection(), object, false)
	if a.Succeeded() || a.Code == http.StatusConflict || a.Code == http.StatusNotFound {
		return nil
	}
	return fmt.Errorf("create namespace %s: %s", e.Namespace, a.Text())
}
