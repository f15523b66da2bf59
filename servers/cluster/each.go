package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// Each lists every resource and yields its objects: CustomResourceDefinitions first, then
// Namespaces, then the rest by group and name.
func (c *Cluster) Each(ctx context.Context, each func(Object) error) (Coverage, error) {
	coverage := Coverage{Source: c.name, ServerVersion: c.version, ReadAt: time.Now().UTC()}
	s, err := c.survey(ctx)
	if err != nil {
		return coverage, err
	}
	coverage.Skipped = s.skipped
	coverage.Limits = slices.Concat([]string{
		"A cluster shows its objects in the version that their group prefers: how they are stored is not visible.",
		"The resources were listed one after another: their objects are not all of the same moment.",
	}, s.limits)
	o := &reading{seen: map[string]string{}, coverage: &coverage, each: each}
	for _, r := range s.listed {
		if err := c.resource(ctx, r, o); err != nil {
			return coverage, err
		}
	}
	return coverage, nil
}

// reading is the state of Each.
type reading struct {
	seen     map[string]string // the resource that showed an object, by UID
	coverage *Coverage
	each     func(Object) error
}

// tally counts the objects of one resource.
type tally struct {
	yielded   int
	known     int    // shown by another resource
	other     string // that resource
	malformed int
	why       error
}

// resource yields the objects of one resource. Not being able to read one is no error.
func (c *Cluster) resource(ctx context.Context, r resource, all *reading) error {
	var t tally
	l := lister{c: c, resource: r, accept: "application/json", limit: chunk}
	err := l.each(ctx, func(item json.RawMessage) error { return all.item(r, item, &t) })
	var caller callerError
	switch {
	case errors.As(err, &caller):
		return caller.error
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && !isAnswered(err):
		return c.explained(fmt.Sprintf("list %s of", r), err)
	case isUnreadable(err) && !apierrors.IsForbidden(err):
		all.coverage.Skip(r.String(), "%s", unread(err, t.yielded))
	case err != nil:
		all.coverage.Lack(r.String(), "%s", unread(err, t.yielded))
	}
	if t.known > 0 {
		all.coverage.Skip(r.String(), "%d of its objects are objects of %s, which the server serves under both names", t.known, t.other)
	}
	if t.malformed > 0 {
		all.coverage.Lack(r.String(), "%d of its objects are not complete: %v", t.malformed, t.why)
	}
	return nil
}

// item yields one object, unless it was yielded before: a list that was started anew shows its
// objects again, and some objects are served under two names.
func (all *reading) item(r resource, item json.RawMessage, t *tally) error {
	body, err := Typed(item, r.apiVersion(), r.kind)
	if err != nil {
		t.malformed, t.why = t.malformed+1, err
		return nil
	}
	o, err := Parse(body)
	if err != nil {
		t.malformed, t.why = t.malformed+1, err
		return nil
	}
	key := o.UID
	if key == "" {
		key = o.String()
	}
	if other, seen := all.seen[key]; seen {
		if other != r.String() {
			t.known, t.other = t.known+1, other
		}
		return nil
	}
	all.seen[key] = r.String()
	if err := all.each(o); err != nil {
		return err
	}
	t.yielded++
	all.coverage.Objects++
	return nil
}

// unread returns why a resource was not read, or not to its end.
func unread(err error, yielded int) string {
	text := fmt.Sprintf("the server could not list it: %v", err)
	switch {
	case apierrors.IsForbidden(err):
		text = "the caller may not list it (403): see --print-rbac"
	case isUnreadable(err):
		text = "the server does not serve it any more"
	case isTooLarge(err):
		text = "one of its objects is too large: " + errTooLarge.Error()
	case isTimeout(err):
		text = "the server did not answer in time"
	case apierrors.IsResourceExpired(err) || apierrors.IsGone(err):
		text = fmt.Sprintf("its list expired %d times while it was read (410)", maxRestarts+1)
	}
	if yielded > 0 {
		text = fmt.Sprintf("only %d objects were read: %s", yielded, text)
	}
	return text
}
