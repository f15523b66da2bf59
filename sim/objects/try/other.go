package try

import (
	"context"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/objects/search"
)

// fit is how well the other release takes an object that is for a target.
type fit int

// The fits: the other release refuses the object for other fields than the target's, for a struct around
// the target, or for the target alone; or it accepts the object. An object that nobody was asked about fits.
const (
	foreign fit = iota
	around
	forTarget
	accepted
)

// least is the fit with which the search of an object for a target ends.
func (t Target) least() fit {
	if t.Both {
		return accepted
	}
	return forTarget
}

// maxFits is how many objects are sent after one that the release of a target takes as it should, and the
// other release refuses for other fields.
const maxFits = 30

// writer sends an object to the servers, as one kind of write.
type writer struct {
	send func(ctx context.Context, object map[string]any) client.Answer
	// sendOther sends it to the other release; false: nobody can be asked there.
	sendOther func(ctx context.Context, object map[string]any) (client.Answer, bool)
}

// creates returns how objects of a kind are tried as creates.
func (e *exerciser) creates(k *kind) writer {
	return writer{
		send: func(ctx context.Context, object map[string]any) client.Answer { return e.dryCreate(ctx, k, object) },
		sendOther: func(ctx context.Context, object map[string]any) (client.Answer, bool) {
			if !e.servedByOther(k) {
				return client.Answer{}, false
			}
			// The other release ignores what it does not know.
			object, _ = k.naming.Name(e.homed(k.Resource, object), dryName)
			return writeWith(ctx, e.other.Server, http.MethodPost, e.resource(k).Collection(), object, true, term.Ignore), true
		},
	}
}

// servedByOther reports whether the other release serves a kind.
func (e *exerciser) servedByOther(k *kind) bool {
	if e.other == nil {
		return false
	}
	_, reason := e.other.kindOf(k.APIVersion, k.Kind)
	return reason == ""
}

// makeThere creates the live object on the server of the other release, under a name of its own: both
// releases may be the other one of each other at the same time.
func (e *exerciser) makeThere(ctx context.Context, k *kind, l *live) {
	if !e.servedByOther(k) {
		return
	}
	object, name := k.naming.Name(l.sent, l.label+"-other")
	at := e.resource(k)
	a := writeWith(ctx, e.other.Server, http.MethodPost, at.Collection(), object, false, term.Ignore)
	if a.Code == http.StatusConflict { // of work that was broken off
		a = e.other.Server.Do(ctx, client.Request{Method: http.MethodGet, Path: at.Object(name), UserAgent: agent})
	}
	if read, ok := decoded(a); a.Succeeded() && ok {
		l.there = &place{at.Object(name), read}
	}
}

// place is where an object is, and the object as its server shows it.
type place struct {
	path   string
	object map[string]any
}

// updateThere tries an update of the live object on the server of the other release: of what a part writes,
// or of all but the metadata.
func (e *exerciser) updateThere(ctx context.Context, l *live, object map[string]any, sub string) (client.Answer, bool) {
	if l.there == nil {
		return client.Answer{}, false
	}
	whole := withoutManaged(l.there.object)
	for name, v := range object {
		if name != "metadata" && (sub != term.StatusPart || name == sub) {
			whole[name] = v
		}
	}
	at := l.there.path
	if sub != "" {
		at += "/" + sub
	}
	return writeWith(ctx, e.other.Server, http.MethodPut, at, copyOf(whole), true, term.Ignore), true
}

// complaints are the causes of a refusal by the other release, by how near they are to the target.
type complaints struct {
	ofTarget, around, foreign []metav1.StatusCause
}

// criticized asks the other release about the object that a search is at. It returns how well the object
// fits there, and what of the refusal is to be repaired; nil: nothing.
func criticized(ctx context.Context, s targetSearch, at *search.Search) (fit, *metav1.Status) {
	a, asked := s.sendOther(ctx, at.Object())
	if !asked || a.Succeeded() || !isDecision(a) {
		return accepted, nil
	}
	c := sorted(a, s.kind.generate, at)
	switch {
	case len(c.foreign) > 0:
		return foreign, c.toRepair(s.specimen.Both)
	case len(c.around) > 0:
		return around, c.toRepair(s.specimen.Both)
	case !s.specimen.Both:
		return forTarget, nil
	}
	refusal := c.toRepair(true)
	if len(c.ofTarget) == 0 {
		refusal = statusOf(a)
	}
	return forTarget, refusal
}

// sorted sorts the causes of a refusal by how near they are to the target. A cause that names no field is
// of the object as a whole, which is around every target.
func sorted(a client.Answer, k objects.Kind, at *search.Search) (c complaints) {
	held := at.Held()
	for _, cause := range objects.CausesOf(a.Status) {
		where := objects.Locate(k, at.Object(), cause)
		if cause.Field == noField {
			where = nil
		}
		switch {
		case len(held) == 0:
			c.foreign = append(c.foreign, cause)
		case len(where) >= len(held) && slices.Equal(where[:len(held)], held):
			c.ofTarget = append(c.ofTarget, cause)
		case len(where) < len(held) && slices.Equal(held[:len(where)], where):
			c.around = append(c.around, cause)
		default:
			c.foreign = append(c.foreign, cause)
		}
	}
	return c
}

// noField is how servers name the place of a rule of the whole object.
const noField = "<nil>"

// toRepair returns a refusal for the causes that are to be repaired: those of the target are what its
// object is for, unless both releases must accept it.
func (c complaints) toRepair(both bool) *metav1.Status {
	all := slices.Concat(c.foreign, c.around)
	if both {
		all = append(all, c.ofTarget...)
	}
	return &metav1.Status{Details: &metav1.StatusDetails{Causes: all}}
}

// with returns a refusal with the causes of another one too.
func with(own, other *metav1.Status) *metav1.Status {
	if other == nil || len(objects.CausesOf(own)) == 0 {
		return own
	}
	both := own.DeepCopy()
	both.Details.Causes = append(both.Details.Causes, other.Details.Causes...)
	return both
}

// unfitIn returns what the other release complains about in an object, a text for each complaint.
func unfitIn(a client.Answer, asked bool) map[string]bool {
	all := map[string]bool{}
	if !asked || a.Succeeded() || !isDecision(a) {
		return all
	}
	for _, cause := range objects.CausesOf(a.Status) {
		all[cause.Field+": "+cause.Message] = true
	}
	if len(all) == 0 {
		all[a.Text()] = true
	}
	return all
}
