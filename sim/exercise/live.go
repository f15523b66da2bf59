package exercise

import (
	"context"
	"maps"
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/generate"
)

// throughUpdate reaches a target by an update of an object that exists: of the object itself,
// or of a subresource. The update is a dry run too.
func (e *exerciser) throughUpdate(ctx context.Context, k *kind, s *Specimen, hints []generate.Hint, sub string) error {
	k.once.Do(func() { e.makeLive(ctx, k) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if k.live == nil {
		s.Reason = "no object of the kind to update: " + k.reason
		return nil
	}
	at := e.resource(k).Object(k.live.name)
	if sub != "" {
		at += "/" + sub
	}
	err := e.reach(ctx, search{
		kind: k, specimen: s, hints: valuesOnly(hints), examples: []map[string]any{withoutManaged(k.live.read)}, exists: true,
		send: func(ctx context.Context, object map[string]any) client.Answer {
			return e.update(ctx, at, object)
		},
		wear: func(object map[string]any) map[string]any { return k.live.with(object) },
	})
	if s.Object != nil {
		s.Subresource = sub
	}
	return err
}

// valuesOnly returns hints without their objects, for an object that exists.
func valuesOnly(hints []generate.Hint) (all []generate.Hint) {
	for _, h := range hints {
		h.Object = nil
		all = append(all, h)
	}
	return all
}

// update tries an update. The object may have changed since it was read: then it is sent
// again without the version that was read.
func (e *exerciser) update(ctx context.Context, at string, object map[string]any) client.Answer {
	a := e.write(ctx, http.MethodPut, at, object, true)
	if a.Code != http.StatusConflict {
		return a
	}
	read := e.server.do(ctx, client.Request{Method: http.MethodGet, Path: at, UserAgent: agent})
	fresh, ok := decoded(read)
	if !read.Succeeded() || !ok {
		return a
	}
	object = copyOf(object)
	is, _ := fresh["metadata"].(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	if is == nil || metadata == nil {
		return a
	}
	metadata["resourceVersion"] = is["resourceVersion"]
	return e.write(ctx, http.MethodPut, at, object, true)
}

// makeLive creates an object of the kind for real.
func (e *exerciser) makeLive(ctx context.Context, k *kind) {
	any := Specimen{Target: Target{APIVersion: k.APIVersion, Kind: k.Kind}}
	if err := e.onCreate(ctx, k, &any, e.hintsFor(any.Target)); err != nil {
		k.reason = err.Error()
		return
	}
	if any.Object == nil {
		k.reason = any.Reason
		return
	}
	object, name := k.naming.Name(e.inNamespace(k, any.Object), liveName)
	a := e.write(ctx, http.MethodPost, e.resource(k).Collection(), object, false)
	if a.Code == http.StatusConflict { // of work that was broken off
		a = e.server.do(ctx, client.Request{Method: http.MethodGet, Path: e.resource(k).Object(name), UserAgent: agent})
	}
	read, ok := decoded(a)
	if !a.Succeeded() || !ok {
		k.reason = a.Text()
		return
	}
	k.live = &live{name: name, sent: object, read: read}
}

// with returns the object as it was created, with what an update changed in it.
func (l *live) with(object map[string]any) map[string]any {
	whole := copyOf(l.sent)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if name != "metadata" {
			whole[name] = object[name]
		}
	}
	return copyOf(whole)
}

func withoutManaged(object map[string]any) map[string]any {
	object = copyOf(object)
	if metadata, is := object["metadata"].(map[string]any); is {
		delete(metadata, "managedFields")
	}
	return object
}

// clean deletes the objects that were created for real. The store is scratch: what cannot be
// deleted stays.
func (e *exerciser) clean(ctx context.Context) {
	for _, k := range e.kinds {
		if k.live == nil {
			continue
		}
		at := e.resource(k).Object(k.live.name)
		conn, _, err := e.server.current()
		if err != nil {
			return
		}
		conn.Do(ctx, client.Request{Method: http.MethodDelete, Path: at, Query: map[string]string{"gracePeriodSeconds": "0"}, UserAgent: agent})
	}
}
