package try

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// dryCreate asks the server whether it would create an object.
func (e *exerciser) dryCreate(ctx context.Context, k *kind, object map[string]any) client.Answer {
	return dryCreateWith(ctx, e, k, object, term.Strict)
}

func dryCreateWith(ctx context.Context, e *exerciser, k *kind, object map[string]any, validation term.FieldValidation) client.Answer {
	object, _ = k.naming.Name(e.homed(k.Resource, object), dryName)
	return writeWith(ctx, e.Server, http.MethodPost, e.resource(k).Collection(), object, true, validation)
}

// dryName is the label in the names of objects that are not stored, and liveName of those
// that are.
const (
	dryName  = "held"
	liveName = "held-live"
)

func (e *exerciser) write(ctx context.Context, method, at string, object map[string]any, dry bool) client.Answer {
	return writeWith(ctx, e.Server, method, at, object, dry, term.Strict)
}

func writeWith(ctx context.Context, to *Server, method, at string, object map[string]any, dry bool, validation term.FieldValidation) client.Answer {
	body, err := encoded(object)
	if err != nil {
		return client.Answer{Err: err}
	}
	query := map[string]string{"fieldValidation": string(validation)}
	if dry {
		query["dryRun"] = "All"
	}
	return to.Do(ctx, client.Request{Method: method, Path: at, Query: query, ContentType: client.JSONContent, Body: body, UserAgent: agent})
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
