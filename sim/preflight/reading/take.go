package reading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	// such value of each kind that it permitted to write is asked for nevertheless: where it, or the LIST, is another one now, or
	// the definition of the kind was written since, the kind is read anew; and everything where the value is refused, or a
	// policy, a namespace or what bounds one was written since. "": there is none.
	Before string
	// File receives the records. It must not exist.
	File string
}

// atOnce is how many objects are read at once, and batch how many are held in memory, unless what is stored of them has batchBytes before.
const (
	atOnce     = 8
	batch      = 256
	batchBytes = 8 << 20
)

// Count is what was read.
type Count struct {
	Objects int // stored values
	Tried   int // dry runs
	Shared  int // dry runs that another object of the same shape, or an earlier reading, stood for
	Lists   Listings
	Passes  int // 1, and one for each time that everything was read again, since an earlier reading proved stale, or a GET contradicted a LIST
}

// Take reads everything that is stored: each object, but those that an earlier reading has, by a LIST if dry runs are tried on it, and by a
// GET if not, if it is the first of its shape, or if a dry run does not show what the LIST does. Then it reads each resource by a LIST.
// Where a GET contradicts a LIST, or the earlier reading proves stale, it reads everything once more. The records of the pass before stay
// in a file beside the other, and what the server refused, warned of or failed to show then, and not again, is kept in those of the last.
func Take(ctx context.Context, c Config) (total Count, err error) {
	var stale, singly scope
	if c.Before != "" {
		if stale, err = staleRules(ctx, c); err != nil {
			return total, err
		}
	}
	for first := ""; ; total.Passes++ {
		count, found, err := takeOnce(ctx, c, stale, singly, first)
		count.Tried, count.Passes = count.Tried+total.Tried, total.Passes+1
		count.Lists.keep(total.Lists)
		if err != nil || found.stale.empty() && found.contradicted.empty() {
			return count, err
		}
		stale.join(found.stale)
		stale.join(found.contradicted) // what a LIST does not show as a GET does is compared with no earlier reading
		singly.join(found.contradicted)
		total.Tried, total.Lists = count.Tried, count.Lists
		first = fmt.Sprintf("%s.%d", c.File, count.Passes)
		if err := os.Rename(c.File, first); err != nil {
			return count, err
		}
	}
}

// doubts are what a pass finds that it must not rely on: collections that are stale in the earlier reading, and those of which GETs contradict
// the LIST.
type doubts struct{ stale, contradicted scope }

// takeOnce reads everything, and returns what it doubts. Of what is known to be stale, the earlier reading says nothing, and each object of
// the collections in singly is asked for. First is the file of the pass before; "": there was none.
func takeOnce(ctx context.Context, c Config, stale, singly scope, first string) (count Count, found doubts, err error) {
	t := &pass{Config: c, shapes: map[string]int{}, accepted: map[*Record][]Try{}, items: map[string]*items{}, singly: singly}
	if t.out, err = create(c.File); err != nil {
		return count, found, err
	}
	defer func() { err = errors.Join(err, t.out.close()) }()
	if t.precedents, err = openPrecedents(c.Before, stale); err != nil {
		return count, found, err
	}
	defer t.precedents.close() // it was only read
	for name, to := range map[string]**earlier{c.Earlier: &t.other, first: &t.previous} {
		if name == "" {
			continue
		}
		file, err := openEarlier(name)
		if err != nil {
			return count, found, err
		}
		defer file.closed() // it was only read
		*to = file
	}
	t.policed = len(c.Tries) > 0 && t.isPoliced(ctx)
	err = c.Stored(ctx, func(key string, value []byte, revision int64) error {
		t.size += len(value)
		if err := t.add(t.record(key, value, revision)); err != nil || len(t.waiting) < batch && t.size < batchBytes {
			return err
		}
		return t.flush(ctx)
	})
	if err == nil {
		err = t.flush(ctx)
	}
	if err == nil {
		count.Lists, err = t.listed.read(ctx, t)
	}
	count.Objects, count.Tried, count.Shared = t.objects, t.tried, t.shared
	return count, doubts{t.precedents.found, t.contradicted}, err
}

// pass is one pass of a reading.
type pass struct {
	Config
	mu            sync.Mutex
	shapes        map[string]int // of which every write succeeded: how many
	tried, shared int
	out           *file
	waiting       []*Record // the records at hand
	size          int       // of what is stored of them, in bytes
	objects       int       // that were written to the file
	listed        collections
	policed       bool              // admission policies may see all of an object
	other         *earlier          // by another server; nil: there is none
	accepted      map[*Record][]Try // by another server, of the records at hand
	precedents    precedents
	previous      *earlier          // the pass before; nil: there is none
	items         map[string]*items // by resource
	// singly are the collections of which each object is asked for, and contradicted those of which a GET does not show what a
	// LIST does.
	singly, contradicted scope
}

// add adds a record to those at hand, with what earlier readings say of it.
func (t *pass) add(r *Record) error {
	t.waiting = append(t.waiting, r)
	if t.other != nil {
		tries, err := t.other.of(r.Key)
		if err != nil {
			return err
		}
		t.accepted[r] = acceptedOf(tries)
	}
	if form, served := t.form(r); served {
		return t.precedents.add(r, form, t.Tries)
	}
	return nil
}

// flush asks the server for the records at hand, and writes them to the file.
func (t *pass) flush(ctx context.Context) error {
	if err := t.fill(ctx, t.waiting); err != nil {
		return err
	}
	for _, r := range t.waiting {
		if form, served := t.form(r); served {
			t.precedents.compare(r, form)
			t.listed.note(form, r, t.precedents.of[r].stands())
		}
		if t.previous != nil {
			first, err := t.previous.record(r.Key)
			if err != nil {
				return err
			}
			r.keep(first)
		}
		if err := t.out.json.Encode(r); err != nil {
			return err
		}
	}
	t.objects += len(t.waiting)
	t.waiting, t.size = t.waiting[:0], 0
	clear(t.accepted)
	clear(t.precedents.of)
	return nil
}

func (t *pass) record(key string, value []byte, revision int64) *Record {
	e := storage.Describe(value)
	r := Place(t.Forms, key, e.APIVersion, e.Kind)
	if form, served := t.form(&r); served {
		r.Form = form.APIVersion
	}
	r.Revision = revision
	return &r
}

// form returns how an object is read.
func (t *pass) form(r *Record) (Form, bool) {
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
func (t *pass) fill(ctx context.Context, records []*Record) error {
	all, err := t.candidates(ctx, records)
	if err == nil {
		err = t.together(ctx, len(all), func(ctx context.Context, i int) error { return t.one(ctx, all[i]) })
	}
	if err != nil || len(t.Tries) == 0 {
		return err
	}
	alike, order := map[string][]*candidate{}, []string{}
	for _, c := range all {
		if !c.Decodes() {
			continue
		}
		if alike[c.shape] == nil {
			order = append(order, c.shape)
		}
		alike[c.shape] = append(alike[c.shape], c)
	}
	err = t.together(ctx, len(order), func(ctx context.Context, i int) error {
		return t.others(ctx, order[i], alike[order[i]])
	})
	if err != nil {
		return err
	}
	return t.besides(ctx, all)
}

// together calls do for some numbers at once.
func (t *pass) together(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i := range n {
		group.Go(func() error { return fault.Guard(func() error { return do(working, i) }) })
	}
	return group.Wait()
}

// one asks for an object, if it needs a GET, and tries the first write on it. A dry run reads the stored value as a GET does: where it does
// not find what the LIST shows, a GET decides.
func (t *pass) one(ctx context.Context, c *candidate) error {
	if c.needsGet {
		if err := t.get(ctx, c); err != nil {
			return err
		}
	}
	if c.body == nil || len(t.Tries) == 0 {
		return nil
	}
	if t.precedents.of[c.Record].permits(t.Tries[0]) {
		t.count(0, 1)
		return ctx.Err()
	}
	answer, takes := c.answerTo(ctx, t.Conn, t.Tries[0])
	first := Answered(t.Tries[0], answer)
	isAsked := takes || answer.Code == http.StatusNotFound
	agrees := takes && first.accepted() && c.agreesWith(answer.Body)
	if c.listed && !c.needsGet && isAsked && !agrees && ctx.Err() == nil {
		if err := t.get(ctx, c); err != nil {
			return err
		}
	}
	if takes && ctx.Err() == nil {
		t.count(1, 0)
		c.Tries = append(c.Tries, first)
	}
	return ctx.Err()
}

// read asks for an object. It has no body if the server does not return it.
func read(ctx context.Context, conn *client.Connection, r *Record, form Form) (object, error) {
	o := object{Record: r, Form: form}
	if r.Name == "" { // its path would be that of the collection
		r.Code, r.Message = http.StatusNotFound, "its key has no name"
		return o, ctx.Err()
	}
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
func (t *pass) others(ctx context.Context, shape string, alike []*candidate) error {
	makes := slices.Contains(t.Tries[1:], Template)
	for _, c := range alike {
		writes, known := t.known(shape)
		if t.count(0, writes); known && !(makes && bytes.Contains(c.Object, []byte(`"template"`))) {
			continue
		}
		if !known {
			t.all(ctx, shape, c.object)
		}
		if makes {
			t.made(ctx, shape, c.object)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// all tries the writes of an object itself, after the first one.
func (t *pass) all(ctx context.Context, shape string, o object) {
	succeeded, writes := true, 0
	for _, w := range t.Tries[1:] {
		if w == Template {
			continue
		}
		if t.precedents.of[o.Record].permits(w) {
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
func (t *pass) made(ctx context.Context, shape string, o object) {
	same := template.Identity(o.body, o.Namespace)
	if same == "" {
		return
	}
	shape += same
	if writes, known := t.known(shape); known {
		t.count(0, writes)
		return
	}
	if t.precedents.of[o.Record].permits(Template) {
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

func (t *pass) known(shape string) (writes int, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	writes, known = t.shapes[shape]
	return writes, known
}

func (t *pass) know(shape string, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shapes[shape] = writes
}

func (t *pass) count(tried, shared int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tried += tried
	t.shared += shared
}
