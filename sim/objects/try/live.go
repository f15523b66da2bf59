package try

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/search"
)

// throughUpdate reaches a target by an update of an object that exists: of the object itself,
// or of a subresource. The update is a dry run too.
func (e *exerciser) throughUpdate(ctx context.Context, k *kind, s *Specimen, hints []objects.Hint, sub string) error {
	err := e.updateOf(ctx, k, k.liveOf(objectIn(hints), ""), s, hints, sub)
	if err != nil || s.Object != nil || sub == "" {
		return err
	}
	reason := s.Reason
	for _, field := range k.listsLike(s.Path + " " + reason) {
		if err := e.updateOf(ctx, k, k.liveOf(nil, field), s, hints, sub); err != nil || s.Object != nil {
			return err
		}
	}
	s.Reason = reason
	return nil
}

// maxLists is how many lists an object gets an element of, one by one, so that a subresource
// can refer to the element.
const maxLists = 2

// listsLike returns the lists near the top of the kind's objects whose names begin like a word
// of a text.
func (k *kind) listsLike(text string) (all []string) {
	words := nameWord.FindAllString(text, -1)
	for _, field := range slices.Sorted(maps.Keys(k.generate.Fields())) {
		name := field[strings.LastIndex(field, ".")+1:]
		if strings.Count(field, ".") != 2 || k.subresourceOf(field) != "" || !k.generate.Fields()[field+"[].name"] || !search.IsAlike(name, words) {
			continue
		}
		all = append(all, field)
	}
	return all[:min(len(all), maxLists)]
}

var nameWord = regexp.MustCompile(`[A-Za-z]+`)

// updateOf reaches a target by an update of one object.
func (e *exerciser) updateOf(ctx context.Context, k *kind, l *live, s *Specimen, hints []objects.Hint, sub string) error {
	l.once.Do(func() { e.makeLive(ctx, k, l) })
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if l.read == nil {
		s.Reason = "no object of the kind to update: " + l.reason
		return nil
	}
	at := e.resource(k).Object(l.name)
	if sub != "" {
		at += "/" + sub
	}
	err := e.reach(ctx, targetSearch{
		kind: k, specimen: s, hints: valuesOnly(hints), examples: l.bases(sub), exists: true,
		writer: writer{
			send: func(ctx context.Context, object map[string]any) client.Answer { return e.update(ctx, at, object) },
			sendOther: func(ctx context.Context, object map[string]any) (client.Answer, bool) {
				return e.updateThere(ctx, l, object, sub)
			},
		},
		wear: func(object map[string]any) map[string]any { return l.with(object, sub) },
	})
	if s.Object != nil {
		s.Subresource = sub
	}
	return err
}

// bases returns what an update starts from: the object as it was read, and before it the same
// with the part that the hint has and that servers clear on create.
func (l *live) bases(sub string) []map[string]any {
	read := withoutManaged(l.read)
	part, has := l.hinted[sub]
	if !has {
		return []map[string]any{read}
	}
	whole := copyOf(read)
	whole[sub] = runtime.DeepCopyJSONValue(part)
	return []map[string]any{whole, read}
}

// valuesOnly returns hints without their objects, for an object that exists.
func valuesOnly(hints []objects.Hint) (all []objects.Hint) {
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
	read := e.Server.Do(ctx, client.Request{Method: http.MethodGet, Path: at, UserAgent: agent})
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

// writerOf returns how a specimen's object is tried: as a create, or as an update of the part through
// which its value is written.
func writerOf(e *exerciser, k *kind, s *Specimen) writer {
	if s.Subresource == "" {
		return e.creates(k)
	}
	l := k.liveOf(objectIn(e.hintsFor(s.Target)), "")
	own := func(ctx context.Context, object map[string]any) client.Answer {
		if l.read == nil {
			return client.Answer{Err: errors.New("no object of the kind to update")}
		}
		whole := withoutManaged(l.read)
		whole[s.Subresource] = object[s.Subresource]
		return e.update(ctx, e.resource(k).Object(l.name)+"/"+s.Subresource, whole)
	}
	return writer{own, func(ctx context.Context, object map[string]any) (client.Answer, bool) {
		return e.updateThere(ctx, l, map[string]any{s.Subresource: object[s.Subresource]}, s.Subresource)
	}}
}

// objectIn returns the object of the first hint that has one.
func objectIn(hints []objects.Hint) map[string]any {
	for _, h := range hints {
		if h.Object != nil {
			return h.Object
		}
	}
	return nil
}

// liveOf returns the live object of the kind, that which is made of a hint, or that which has a
// field.
func (k *kind) liveOf(hinted map[string]any, field string) *live {
	k.mu.Lock()
	defer k.mu.Unlock()
	key := field
	if hinted != nil {
		text, _ := encoded(hinted)
		key = string(text)
	}
	if k.lives[key] == nil {
		// Not a number: names stay the same in whatever order objects are made. Two versions of a kind have objects of their
		// own: what one version permits to leave out, the other may require of every update.
		sum := sha256.Sum256([]byte(k.APIVersion + " " + key))
		k.lives[key] = &live{label: fmt.Sprintf("%s-%x", liveName, sum[:4]), hinted: hinted, field: field}
	}
	return k.lives[key]
}

// makeLive creates an object of the kind for real.
func (e *exerciser) makeLive(ctx context.Context, k *kind, l *live) {
	whole := Specimen{Target: Target{APIVersion: k.APIVersion, Kind: k.Kind, Path: l.field}}
	hints := e.hintsFor(whole.Target)
	if l.hinted != nil {
		hints = []objects.Hint{{Object: e.homed(k.Resource, l.hinted)}}
	}
	if err := e.onCreate(ctx, k, &whole, hints); err != nil {
		l.reason = err.Error()
		return
	}
	if whole.Object == nil {
		l.reason = whole.Reason
		return
	}
	object, name := k.naming.Name(e.homed(k.Resource, whole.Object), l.label)
	a := e.write(ctx, http.MethodPost, e.resource(k).Collection(), object, false)
	if a.Code == http.StatusConflict { // of work that was broken off
		a = e.Server.Do(ctx, client.Request{Method: http.MethodGet, Path: e.resource(k).Object(name), UserAgent: agent})
	}
	read, ok := decoded(a)
	if !a.Succeeded() || !ok {
		l.reason = a.Text()
		return
	}
	l.name, l.sent, l.read = name, object, read
	e.makeThere(ctx, k, l)
}

// with returns the object as it was created, with what an update changed in it. A server ignores whatever
// an update of the status has beside the status, so that is as it was read, and not as it was sent.
func (l *live) with(object map[string]any, sub string) map[string]any {
	whole := copyOf(l.sent)
	for _, name := range slices.Sorted(maps.Keys(object)) {
		value, has := object[name], true
		if sub == term.StatusPart && name != sub {
			value, has = l.read[name]
		}
		if has && name != "metadata" {
			whole[name] = value
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

// clean deletes the live objects. The store is scratch: what cannot be deleted stays, and so do the
// second objects, which further work on the server needs too.
func (e *exerciser) clean(ctx context.Context) {
	conn, err := e.Server.current()
	if err != nil {
		return
	}
	for _, k := range e.kinds {
		for _, l := range k.lives {
			if l.read != nil {
				clean(ctx, conn, e.resource(k).Object(l.name))
			}
			if l.there == nil {
				continue
			}
			if there, err := e.other.Server.current(); err == nil {
				clean(ctx, there, l.there.path)
			}
		}
	}
}

// clean deletes a live object.
func clean(ctx context.Context, conn *client.Connection, at string) {
	conn.Do(ctx, client.Request{Method: http.MethodDelete, Path: at, Query: map[string]string{"gracePeriodSeconds": "0"}, UserAgent: agent})
}
