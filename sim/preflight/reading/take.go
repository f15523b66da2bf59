package reading

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/storage"
)

// Config says what to read.
type Config struct {
	Conn  *client.Connection
	Forms Forms
	// Stored calls each with every stored value, in the order of keys.
	Stored func(ctx context.Context, each func(key string, value []byte, revision int64) error) error
	// Has reports whether a value is still stored under a key that the server does not find; nil: it is.
	Has func(ctx context.Context, key string) (bool, error)
	// Versions are the versions in which an earlier reading has read custom resources, by their keys: what is
	// stored in another version since then is read in the same one, if the server serves it.
	Versions map[string]string
	// Tries are the writes that are tried on each object, as dry runs; nil: none.
	Tries []Write
	// Beside has changes of each object tried, and the object as a new one: those that the server accepts are in the
	// records. Earlier is the file of such a reading by another server: what that one accepted is tried again, whatever
	// the answer. "": there is none.
	Beside  bool
	Earlier string
	// Before is the file of an earlier reading by a server of the same release. Of a value that is still stored as it was, the
	// object is the one that it showed, as long as the LIST shows the same, and what it permitted is not sent again. The first
	// such value of each kind that it permitted to write is asked for nevertheless: where it, or the LIST, is another one now,
	// the kind is read anew, and everything where it is refused. "": there is none.
	Before string
	// File receives the records. It must not exist.
	File string
}

// atOnce is how many objects are read at once, and batch how many are held in memory.
const (
	atOnce = 8
	batch  = 256
)

// Count is what was read.
type Count struct {
	Objects int // stored values
	Tried   int // dry runs
	Shared  int // dry runs that another object of the same shape, or an earlier reading, stood for
	Lists   Listings
}

// Take reads everything that is stored: each object by a GET, but those that an earlier reading has, and then each resource by
// a LIST.
func Take(ctx context.Context, c Config) (Count, error) {
	tried := 0
	for anew := map[string]bool{}; ; {
		count, otherwise, err := takeOnce(ctx, c, anew)
		tried += count.Tried
		if count.Tried = tried; err != nil || len(otherwise) == 0 {
			return count, err
		}
		if err := os.Remove(c.File); err != nil {
			return count, err
		}
		if maps.Copy(anew, otherwise); anew[everything] {
			c.Before = ""
		}
	}
}

// everything stands for all collections, where a write was not permitted that was permitted before: what decides that may be
// about other kinds too.
const everything = ""

// takeOnce reads everything, and returns the collections of which the server shows something otherwise than an earlier reading
// says. Of those in anew the earlier reading says nothing.
func takeOnce(ctx context.Context, c Config, anew map[string]bool) (count Count, otherwise map[string]bool, err error) {
	out, err := create(c.File)
	if err != nil {
		return count, nil, err
	}
	otherwise = map[string]bool{}
	t := &taking{Config: c, anew: anew, shapes: map[string]int{}, accepted: map[*Record][]Try{}, precedents: map[*Record]precedent{}, asked: map[string]bool{}}
	t.policed = c.Beside && t.isPoliced(ctx)
	if c.Earlier != "" {
		before, err := openEarlier(c.Earlier)
		if err != nil {
			return count, nil, errors.Join(err, out.close())
		}
		defer before.closed() // it was only read
		t.before = before
	}
	var same *earlier
	if c.Before != "" {
		if same, err = openEarlier(c.Before); err != nil {
			return count, nil, errors.Join(err, out.close())
		}
		defer same.closed() // it was only read
	}
	var waiting []*Record
	flush := func() error {
		if err := t.fill(ctx, waiting); err != nil {
			return err
		}
		for _, r := range waiting {
			if form, served := t.form(r); served {
				t.precedents[r].differs(r, form, otherwise)
				t.listed.note(form, r, t.precedents[r].stands())
			}
			if err := out.json.Encode(r); err != nil {
				return err
			}
		}
		count.Objects += len(waiting)
		waiting = waiting[:0]
		clear(t.accepted)
		clear(t.precedents)
		return nil
	}
	err = c.Stored(ctx, func(key string, value []byte, revision int64) error {
		r := t.record(key, value, revision)
		if t.before != nil {
			tries, err := t.before.of(key)
			if err != nil {
				return err
			}
			t.accepted[r] = acceptedOf(tries)
		}
		if same != nil {
			before, err := same.record(key)
			if err != nil {
				return err
			}
			t.cite(r, before)
		}
		waiting = append(waiting, r)
		if len(waiting) < batch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if err == nil {
		count.Lists, err = t.listed.read(ctx, c.Conn, t.together, otherwise)
	}
	if closed := out.close(); err == nil {
		err = closed
	}
	count.Tried, count.Shared = t.tried, t.shared
	return count, otherwise, err
}

// taking is one reading.
type taking struct {
	Config
	mu            sync.Mutex
	shapes        map[string]int // of which every write succeeded: how many
	tried, shared int
	listed        collections
	policed       bool                  // admission policies may see all of an object
	before        *earlier              // nil: there is none
	accepted      map[*Record][]Try     // by another server, of the records at hand
	precedents    map[*Record]precedent // those at hand that the same release has read before
	asked         map[string]bool       // collections of which such an object is asked for once more
	anew          map[string]bool       // collections of which every object is
}

func (t *taking) record(key string, value []byte, revision int64) *Record {
	e := storage.Describe(value)
	r := Place(t.Forms, key, e.APIVersion, e.Kind)
	if form, served := t.form(&r); served {
		r.Form = form.APIVersion
	}
	r.Revision = revision
	return &r
}

// form returns how an object is read.
func (t *taking) form(r *Record) (Form, bool) {
	form, served := t.Forms.Of(r.Key, r.APIVersion, r.Kind)
	if as := t.Versions[r.Key]; slices.Contains(form.Versions, as) {
		form.APIVersion = as
	}
	return form, served
}

// Place returns the record of what is stored under a key in a version, before anything is read. Of bytes that
// name no kind, or the kind of another resource, the key says it.
func Place(forms Forms, key, apiVersion, kind string) Record {
	r := Record{Key: key, APIVersion: apiVersion, Kind: kind}
	if form, served := forms.Of(key, apiVersion, kind); served {
		r.Form = form.APIVersion
		r.Namespace, r.Name = form.place(key)
		group, _ := cut(apiVersion)
		if own, is := forms[group+" "+kind]; kind == "" || is && own.Plural != form.Plural {
			r.APIVersion, r.Kind = form.APIVersion, forms.kind(form)
		}
	} else {
		r.Namespace, r.Name = unservedPlace(key)
	}
	return r
}

// unservedPlace returns the namespace and the name in the key of a kind that nobody serves: below the
// resource, and of custom resources below the group too.
func unservedPlace(key string) (namespace, name string) {
	parts := strings.Split(strings.TrimPrefix(key, "/"), "/")
	above := 2 // the root and the resource
	if len(parts) > 1 && strings.Contains(parts[1], ".") {
		above++
	}
	return Form{Namespaced: len(parts) > above+1}.place(key)
}

// fill asks the server for each record, and tries the writes: the first one on every object, the
// others on one object of each shape after the other until all succeed. Which objects these are
// follows from the order of keys, whatever server answers first.
func (t *taking) fill(ctx context.Context, records []*Record) error {
	shapes, looks := make([]string, len(records)), make([]look, len(records))
	err := t.together(ctx, len(records), func(ctx context.Context, i int) (err error) {
		shapes[i], looks[i], err = t.one(ctx, records[i])
		return err
	})
	if err != nil || len(t.Tries) == 0 {
		return err
	}
	alike, order := map[string][]*Record{}, []string{}
	for i, r := range records {
		if !r.Decodes() {
			continue
		}
		if alike[shapes[i]] == nil {
			order = append(order, shapes[i])
		}
		alike[shapes[i]] = append(alike[shapes[i]], r)
	}
	err = t.together(ctx, len(order), func(ctx context.Context, i int) error {
		return t.others(ctx, order[i], alike[order[i]])
	})
	if err != nil {
		return err
	}
	return t.besides(ctx, records, shapes, looks)
}

// together calls do for some numbers at once.
func (t *taking) together(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error { return fault.Guard(func() error { return do(working, i) }) })
	}
	return group.Wait()
}

// one reads an object and tries the first write on it. It returns the object's shape, and how it looks.
func (t *taking) one(ctx context.Context, r *Record) (shape string, l look, err error) {
	form, served := t.form(r)
	if !served {
		return "", l, nil
	}
	if p := t.precedents[r]; p.stands() {
		r.Code, r.Object = p.before.Code, p.before.Object
		if len(t.Tries) == 0 {
			return "", l, nil
		}
	}
	o, err := t.look(ctx, r, form)
	if err != nil {
		return "", l, err
	}
	if r.Code == http.StatusNotFound && t.Has != nil {
		has, err := t.Has(ctx, r.Key)
		r.Gone = !has
		return "", l, err
	}
	if o.body == nil || len(t.Tries) == 0 {
		return "", l, nil
	}
	if t.precedents[r].permits(t.Tries[0]) {
		t.count(0, 1)
	} else if first, takes := o.try(ctx, t.Conn, t.Tries[0]); takes {
		o.Tries = append(o.Tries, first)
		t.count(1, 0)
	}
	shape = Shape(r.APIVersion+" "+o.Kind, o.body)
	if t.Beside {
		l = o.look(shape, t.policed)
	}
	return shape, l, ctx.Err()
}

// look returns an object as an earlier reading has it, if that stands, and else as the server shows it.
func (t *taking) look(ctx context.Context, r *Record, form Form) (object, error) {
	if r.Decodes() {
		return parsed(r, form)
	}
	return read(ctx, t.Conn, r, form)
}

// read asks for an object. It has no body if the server does not return it.
func read(ctx context.Context, conn *client.Connection, r *Record, form Form) (object, error) {
	o := object{Record: r, Form: form}
	var a client.Answer
	for n := range attempts {
		if n > 0 {
			wait(ctx)
		}
		a = conn.Do(ctx, client.Request{Method: http.MethodGet, Path: form.object(r.Namespace, r.Name), UserAgent: manager})
		if !isBusy(codeOf(a)) {
			break
		}
	}
	if a.Err != nil && ctx.Err() != nil {
		return o, ctx.Err()
	}
	if r.Code = codeOf(a); !a.Succeeded() {
		r.Message = a.Text()
		return o, nil
	}
	if err := utiljson.Unmarshal(a.Body, &o.body); err != nil {
		r.Message = err.Error()
		return o, nil
	}
	r.Object, o.shown = a.Body, a.Body
	return o, nil
}

// others tries the writes after the first one on objects of one shape, in their order. They are not
// repeated once all of them have succeeded on one object; that of a Pod is not repeated for one that is the same.
func (t *taking) others(ctx context.Context, shape string, alike []*Record) error {
	makes := slices.Contains(t.Tries[1:], Template)
	for _, r := range alike {
		writes, known := t.known(shape)
		if t.count(0, writes); known && !(makes && bytes.Contains(r.Object, []byte(`"template"`))) {
			continue
		}
		form, _ := t.form(r)
		o, err := parsed(r, form)
		if err != nil {
			return err
		}
		if !known {
			t.all(ctx, shape, o)
		}
		if makes {
			t.made(ctx, shape, o)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// all tries the writes of an object itself, after the first one.
func (t *taking) all(ctx context.Context, shape string, o object) {
	succeeded, writes := true, 0
	for _, w := range t.Tries[1:] {
		if w == Template {
			continue
		}
		if t.precedents[o.Record].permits(w) {
			writes++
			t.count(0, 1)
			continue
		}
		if try, takes := o.try(ctx, t.Conn, w); takes {
			o.Tries = append(o.Tries, try)
			succeeded = succeeded && try.accepted()
			writes++
			t.count(1, 0)
		}
	}
	if succeeded {
		t.know(shape, writes)
	}
}

// made tries the Pod that an object's template makes. An update of the object keeps values that a release takes in
// no new Pod, and namespaces have policies of their own: what one Pod has passed says nothing of another one.
func (t *taking) made(ctx context.Context, shape string, o object) {
	same := template.Identity(o.body, o.Namespace)
	if same == "" {
		return
	}
	shape += same
	if writes, known := t.known(shape); known {
		t.count(0, writes)
		return
	}
	if t.precedents[o.Record].permits(Template) {
		t.count(0, 1)
		t.know(shape, 1)
		return
	}
	if try, takes := o.try(ctx, t.Conn, Template); takes {
		o.Tries = append(o.Tries, try)
		t.count(1, 0)
		if try.accepted() {
			t.know(shape, 1)
		}
	}
}

func (t *taking) known(shape string) (writes int, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	writes, known = t.shapes[shape]
	return writes, known
}

func (t *taking) know(shape string, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shapes[shape] = writes
}

func (t *taking) count(tried, shared int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tried += tried
	t.shared += shared
}
