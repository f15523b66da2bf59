package play

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// declared is an object that a server is to create.
type declared struct {
	cluster.Object
	collection string // the path that it is created in
	answer     client.Answer
	// revision is that at which the server stored it; 0: it did not. Patched reports that the server
	// had one already, which was changed.
	revision int64
	patched  bool
	kept     bool // in the copy
	beside   bool // the copy needs it, and the source does not have it
	// converts reports that its conversion webhook was taken out.
	converts bool
}

func (d *declared) created() bool { return d.revision != 0 }

// creator has a server create objects.
type creator struct {
	conn  *client.Connection
	pause time.Duration
}

const (
	atOnce = 8
	// passes is how often a request is sent that a server may answer otherwise a little later: it
	// learns of namespaces, classes and definitions after it has stored them.
	passes = 4
)

// manager is the field manager of what is created: that of kubectl create.
const manager = "kubectl-create"

// all creates objects, several at once.
func (c creator) all(ctx context.Context, list []*declared) error {
	for pass := range passes {
		if list = slices.DeleteFunc(slices.Clone(list), func(d *declared) bool { return pass > 0 && !mayChange(d.answer) }); len(list) == 0 {
			return nil
		}
		if pass > 0 {
			wait(ctx, c.pause)
		}
		group, creating := errgroup.WithContext(ctx)
		group.SetLimit(atOnce)
		for _, d := range list {
			group.Go(func() error {
				return fault.Guard(func() error { c.one(creating, d); return ctx.Err() })
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
	}
	return nil
}

// mayChange reports whether another try may be answered otherwise.
func mayChange(a client.Answer) bool {
	switch a.Code {
	case 0, http.StatusForbidden, http.StatusNotFound: // what the object needs may come yet
		return a.Panic == nil
	}
	return a.Panic == nil && statuscode.Busy(a.Code)
}

// one creates an object. What the server has made by itself is changed to what is declared, as kubectl
// apply does with what it finds.
func (c creator) one(ctx context.Context, d *declared) {
	d.answer = c.send(ctx, http.MethodPost, d.collection, client.JSONContent, d.Body)
	if d.answer.Status != nil && d.answer.Status.Reason == metav1.StatusReasonAlreadyExists {
		if d.patched = true; d.beside {
			return
		}
		d.answer = c.send(ctx, http.MethodPatch, d.collection+"/"+d.Name, "application/merge-patch+json", d.Body)
	}
	if d.answer.Succeeded() {
		d.revision = revisionIn(d.answer.Body)
	}
}

func (c creator) send(ctx context.Context, method, path, content string, body []byte) client.Answer {
	return c.conn.Do(ctx, client.Request{
		Method: method, Path: path, ContentType: content, Body: body, UserAgent: manager,
		Query: map[string]string{"fieldManager": manager, "fieldValidation": "Warn"},
	})
}

// revisionIn returns the revision of an object that a server returned, whatever else the object has.
func revisionIn(body []byte) int64 {
	var of struct {
		Metadata struct {
			ResourceVersion int64 `json:"resourceVersion,string"`
		}
	}
	if json.Unmarshal(body, &of) != nil {
		return 0
	}
	return of.Metadata.ResourceVersion
}

// established waits until a server serves the kinds of definitions that it created.
func (c creator) established(ctx context.Context, definitions []*declared) {
	const most = 40
	for range most {
		waiting := slices.ContainsFunc(definitions, func(d *declared) bool { return d.created() && !c.isEstablished(ctx, d) })
		if !waiting || ctx.Err() != nil {
			return
		}
		wait(ctx, c.pause/4)
	}
}

func (c creator) isEstablished(ctx context.Context, d *declared) bool {
	a := c.conn.Do(ctx, client.Request{Method: http.MethodGet, Path: d.collection + "/" + d.Name})
	var of struct {
		Status struct {
			Conditions []struct{ Type, Status string }
		}
	}
	_ = json.Unmarshal(a.Body, &of) // what cannot be read is not established
	for _, condition := range of.Status.Conditions {
		if condition.Type == "Established" && condition.Status == "True" || condition.Type == "NamesAccepted" && condition.Status == "False" {
			return true // or never
		}
	}
	return false
}

// unused has a quota count nothing.
func (c creator) unused(ctx context.Context, d *declared) {
	if patch := cluster.Unused(d.Object); patch != nil && d.created() {
		c.send(ctx, http.MethodPatch, d.collection+"/"+d.Name+"/status", "application/merge-patch+json", patch)
	}
}

// plain returns a body without what a server has written into it: what kubectl get prints can be created
// then.
func plain(body json.RawMessage, namespace string) json.RawMessage {
	var whole map[string]json.RawMessage
	var metadata map[string]any
	digits := func(raw []byte) *json.Decoder { d := json.NewDecoder(bytes.NewReader(raw)); d.UseNumber(); return d }
	if json.Unmarshal(body, &whole) != nil || digits(whole["metadata"]).Decode(&metadata) != nil || metadata == nil {
		return body // the server says what is wrong
	}
	for _, name := range append(schema.ServerMetadata(), "deletionTimestamp", "namespace") {
		delete(metadata, name)
	}
	if namespace != "" {
		metadata["namespace"] = namespace
	}
	changed, err := cluster.With(body, map[string]any{"metadata": metadata})
	if err != nil {
		return body
	}
	return changed
}
