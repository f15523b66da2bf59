package reading

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/client"
)

// Write is one kind of write on a stored object.
type Write string

// The writes.
const (
	Label     Write = "label"     // a merge patch of one label
	Put       Write = "put"       // the object as it was read
	Finalizer Write = "finalizer" // a merge patch that removes the finalizers
	Status    Write = "status"    // the status as it was read
	Scale     Write = "scale"     // the scale as it was read
	Apply     Write = "apply"     // one label, applied by another manager
	Template  Write = "template"  // the object that the object's template makes
)

// Get stands for the GET of an object among its writes: one that failed, and then did not. It is never sent.
const Get Write = "get"

// Writes are all writes that leave an object as it is, the one that every object gets first.
func Writes() []Write { return []Write{Label, Put, Finalizer, Status, Scale, Apply, Template} }

// manager is the field manager of all writes, and the name of the label.
const (
	manager  = "skewsim-preflight"
	labelled = "skewsim.dev/preflight"
)

// object is a stored object that a server has shown.
type object struct {
	*Record
	Form
	body map[string]any
	// shown is the body in the server's own words: a PUT of it sends every number and the order of every opaque part
	// as they are stored.
	shown []byte
	// edit is what an Edit changes; nil: nothing.
	edit *FieldEdit
}

// request returns a write's request; false if the object takes no such write.
func (o object) request(ctx context.Context, conn *client.Connection, w Write) (client.Request, bool) {
	at := o.Form.object(o.Namespace, o.Name)
	label := map[string]any{"metadata": map[string]any{"labels": map[string]any{labelled: manager}}}
	switch w {
	case Label:
		return send(http.MethodPatch, at, "application/merge-patch+json", label), slices.Contains(o.Verbs, "patch")
	case Put:
		return sendRaw(http.MethodPut, at, client.JSONContent, o.shown), slices.Contains(o.Verbs, "update")
	case Finalizer:
		metadata, _ := o.body["metadata"].(map[string]any)
		has := metadata["finalizers"] != nil && metadata["deletionTimestamp"] == nil
		return send(http.MethodPatch, at, "application/merge-patch+json", map[string]any{"metadata": map[string]any{"finalizers": nil}}), has && slices.Contains(o.Verbs, "patch")
	case Status:
		return sendRaw(http.MethodPut, at+"/status", client.JSONContent, o.shown), slices.Contains(o.Subresources, "status") && o.body["status"] != nil
	case Scale:
		return o.scale(ctx, conn, at+"/scale")
	case Apply:
		label["apiVersion"], label["kind"] = o.body["apiVersion"], o.body["kind"]
		label["metadata"].(map[string]any)["name"] = o.Name
		r := send(http.MethodPatch, at, "application/apply-patch+yaml", label)
		r.Query["force"] = "true"
		return r, slices.Contains(o.Verbs, "patch")
	case Template:
		made, path := template.Of(o.body, o.Namespace)
		return send(http.MethodPost, path, client.JSONContent, made), made != nil
	case Edit:
		if o.edit == nil {
			return client.Request{}, false
		}
		return sendRaw(http.MethodPatch, at, "application/json-patch+json", o.edit.patch()), slices.Contains(o.Verbs, "patch")
	case Create:
		return send(http.MethodPost, o.Form.collection(o.Namespace), client.JSONContent, o.anew()), slices.Contains(o.Verbs, "create")
	}
	return client.Request{}, false
}

// scale returns the PUT of an object's scale as it is.
func (o object) scale(ctx context.Context, conn *client.Connection, at string) (client.Request, bool) {
	if !slices.Contains(o.Subresources, "scale") {
		return client.Request{}, false
	}
	a := conn.Do(ctx, client.Request{Method: http.MethodGet, Path: at, UserAgent: manager})
	return sendRaw(http.MethodPut, at, client.JSONContent, a.Body), a.Succeeded()
}

func send(method, at, content string, body map[string]any) client.Request {
	raw, _ := json.Marshal(body) // it came from JSON
	return sendRaw(method, at, content, raw)
}

func sendRaw(method, at, content string, body []byte) client.Request {
	return client.Request{Method: method, Path: at, ContentType: content, Body: body, Query: map[string]string{}}
}

// attempts is how often a write is sent that met another one, or a server that was busy.
const attempts = 3

// pause is how long a request waits before it is sent again.
const pause = 200 * time.Millisecond

// try sends a write as a dry run; false if the object takes no such write, or is gone.
func (o object) try(ctx context.Context, conn *client.Connection, w Write) (Try, bool) {
	a, takes := o.answerTo(ctx, conn, w)
	return Answered(w, a), takes
}

// answerTo returns the answer to a write that is sent as a dry run; false if the object takes no such write, or is gone.
func (o object) answerTo(ctx context.Context, conn *client.Connection, w Write) (a client.Answer, takes bool) {
	for n := range attempts {
		if n > 0 && !o.again(ctx, conn) {
			return a, false
		}
		r, takes := o.request(ctx, conn, w)
		if !takes {
			return a, false
		}
		r.Query["dryRun"], r.Query["fieldManager"], r.UserAgent = "All", manager, manager
		if a = conn.Do(ctx, r); a.Code != http.StatusNotFound && (!isBusy(codeOf(a)) || isCreated(a)) {
			break
		}
	}
	return a, a.Code != http.StatusMethodNotAllowed
}

// again waits a little and reads an object again, of which another write may have changed
// the revision; false if it is gone.
func (o *object) again(ctx context.Context, conn *client.Connection) bool {
	wait(ctx)
	r := *o.Record
	now, err := read(ctx, conn, &r, o.Form)
	if err == nil && now.body != nil {
		o.body, o.shown = now.body, now.shown
	}
	return r.Code != http.StatusNotFound
}

// wait waits before a request is sent again.
func wait(ctx context.Context) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// codeOf is the code of an answer. A server that panics breaks the request off; it does so again.
func codeOf(a client.Answer) int {
	if a.Panic != nil {
		return http.StatusInternalServerError
	}
	return a.Code
}

// Answered returns a write with its answer.
func Answered(w Write, a client.Answer) Try {
	t := Try{Write: w, Code: codeOf(a)}
	if at := slices.IndexFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "AdmissionPolicy") }); at >= 0 {
		t.Warning = a.Warnings[at]
	}
	if w == Create && isCreated(a) {
		t.Code = http.StatusCreated
		return t
	}
	if a.Succeeded() {
		return t
	}
	t.Message = a.Text()
	if a.Status != nil && a.Status.Details != nil {
		for _, c := range a.Status.Details.Causes {
			t.Causes = append(t.Causes, Cause{Field: c.Field, Reason: string(c.Type), Message: c.Message})
		}
	}
	return t
}
