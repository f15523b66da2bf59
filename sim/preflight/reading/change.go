package reading

import (
	"cmp"
	"context"
	"net/http"
	"sync"

	"golang.org/x/sync/errgroup"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// Written is what a write of every object came to.
type Written struct {
	Sent    int // writes
	Changed int // of those, the ones that stored another revision
}

// Change sends one kind of write for real to every object of a reading by a server of the same release that the server takes
// it for: to what the reading shows, and where that does not succeed, to what a GET shows now. It calls failed, one at a time,
// with each object whose write did not succeed, and with the dry runs of the reading.
func Change(ctx context.Context, conn *client.Connection, forms Forms, from string, w Write, failed func(Record, Try)) (Written, error) {
	var done Written
	var mu sync.Mutex
	count := func(o outcome) {
		mu.Lock()
		defer mu.Unlock()
		if done.add(o); o.try.Unanswered() || o.try.Refused() {
			failed(o.record, o.try)
		}
	}
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	err := Each(from, func(r *Record) error {
		form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
		if !served || working.Err() != nil {
			return working.Err()
		}
		group.Go(func() error {
			return fault.Guard(func() error {
				o, err := changeOne(working, conn, *r, form, w)
				if err == nil && o.sent {
					count(o)
				}
				return err
			})
		})
		return nil
	})
	if stopped := group.Wait(); stopped != nil { // err can only follow from it
		err = stopped
	}
	return done, err
}

// outcome is one write with its answer.
type outcome struct {
	record  Record
	try     Try
	sent    bool
	changed bool
}

func (d *Written) add(o outcome) {
	d.Sent++
	if o.changed {
		d.Changed++
	}
}

// changeOne writes an object as a reading shows it. Where that shows none, or the write does not succeed, it reads the object
// before: another write may have come in between. An object that is gone, or that takes no such write, is not sent.
func changeOne(ctx context.Context, conn *client.Connection, r Record, form Form, w Write) (outcome, error) {
	base := "" // the revision before the first write that may have been stored without an answer
	if r.Decodes() && r.Form == form.APIVersion {
		o, err := parsed(&r, form)
		if err != nil {
			return outcome{}, err
		}
		request, takes := o.request(ctx, conn, w)
		if !takes {
			return outcome{}, nil
		}
		a := sendWrite(ctx, conn, request)
		if a.Succeeded() {
			return outcome{record: r, try: Answered(w, a), sent: true, changed: revisionOf(a.Body) != revisionOf(r.Object)}, ctx.Err()
		}
		if mayBeStored(a) {
			base = revisionOf(r.Object)
		}
	}
	r = Record{Key: r.Key, APIVersion: r.APIVersion, Kind: r.Kind, Form: form.APIVersion, Namespace: r.Namespace, Name: r.Name, Tries: r.Tries}
	for try := 1; ; try++ {
		o, err := read(ctx, conn, &r, form)
		if err != nil {
			return outcome{}, err
		}
		if o.body == nil {
			return outcome{record: r, try: Try{Write: w, Code: r.Code, Message: r.Message}, sent: r.Unanswered()}, nil
		}
		request, takes := o.request(ctx, conn, w)
		if !takes {
			return outcome{}, nil
		}
		a := sendWrite(ctx, conn, request)
		was := cmp.Or(base, revisionOf(r.Object))
		if isBusy(codeOf(a)) && try < attempts && ctx.Err() == nil {
			if mayBeStored(a) {
				base = was
			}
			wait(ctx)
			continue
		}
		return outcome{record: r, try: Answered(w, a), sent: true, changed: a.Succeeded() && revisionOf(a.Body) != was}, ctx.Err()
	}
}

// mayBeStored reports whether a server may have stored a write that did not succeed: it sent no answer, or failed itself.
func mayBeStored(a client.Answer) bool {
	code := codeOf(a)
	return code == 0 || code >= http.StatusInternalServerError
}

// sendWrite sends a write for real.
func sendWrite(ctx context.Context, conn *client.Connection, r client.Request) client.Answer {
	r.Query["fieldManager"], r.UserAgent = manager, manager
	return conn.Do(ctx, r)
}

// revisionOf returns the resource version of an object.
func revisionOf(body []byte) string {
	var object struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if utiljson.Unmarshal(body, &object) != nil {
		return ""
	}
	return object.Metadata.ResourceVersion
}
