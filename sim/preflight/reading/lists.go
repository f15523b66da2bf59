package reading

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"maps"
	"net/http"
	"slices"
	"strconv"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/sim/client"
)

// A page of a LIST begins with few objects, and has as many as make about pageBytes. Of one that no answer comes for, fewer
// objects are asked for: many large ones make an answer that is too long, or takes too long.
const (
	firstLimit, maxLimit = 20, 500
	pageBytes            = 4 << 20
	fewer                = 5 // times
)

// Listing is what a server answers to a LIST of everything of one kind, in one version.
type Listing struct {
	APIVersion, Kind string
	// Objects is how many objects of the kind are stored, Unreadable how many of them a GET fails for.
	Objects, Unreadable int
	// Code and Message are the answer to the page that failed; Message is "" for success.
	Code    int
	Message string
	// Again reports that the server answered the LIST when everything was read again.
	Again bool
	// Missing and Differing are the keys of objects that GET shows, and that the LIST lacks or shows with
	// other values, sorted.
	Missing, Differing []string
}

// Fails reports whether the server refused the LIST, in a way that another try would get too.
func (l Listing) Fails() bool { return l.Message != "" && !l.Unanswered() }

// Unanswered reports whether the LIST got no answer that decides anything.
func (l Listing) Unanswered() bool { return l.Message != "" && undecided(l.Code, l.Message) }

// collection is what a reading has of the objects of one kind, in one version, in the order of their keys.
type collection struct {
	kind         string
	form         Form
	observations []observation
	// objects are all, unreadable those that a GET fails for.
	objects, unreadable int
}

// observation is one object as a GET, or a LIST before, showed it.
type observation struct {
	key  string
	hash uint64
	// earlier is the revision of an object that was not asked for, since an earlier reading has it; 0 for any other.
	earlier int64
}

// collections are all collections, by version and resource.
type collections struct {
	seed maphash.Seed
	of   map[string]*collection
}

// note notes what was read of an object, or what an earlier reading has of it.
func (c *collections) note(form Form, r *Record, earlier bool) {
	if !slices.Contains(form.Verbs, "list") || r.Gone {
		return
	}
	if c.of == nil {
		c.seed, c.of = maphash.MakeSeed(), map[string]*collection{}
	}
	name := form.resource()
	if c.of[name] == nil {
		c.of[name] = &collection{kind: r.Kind, form: form}
	}
	at := c.of[name]
	at.objects++
	switch {
	case r.Decodes():
		s := observation{key: r.Key, hash: hashOf(c.seed, r.Object)}
		if earlier {
			s.earlier = r.Revision
		}
		at.observations = append(at.observations, s)
	case r.Fails():
		at.unreadable++
	}
}

// hashOf returns the hash of an object as a list has it: built-in kinds do not repeat kind and version
// there.
func hashOf(seed maphash.Seed, object []byte) uint64 {
	object = bytes.TrimPrefix(bytes.TrimSpace(object), []byte("{"))
	if bytes.HasPrefix(object, []byte(`"kind":"`)) {
		const fields = 2
		for range fields {
			object = object[bytes.IndexByte(object, ',')+1:]
		}
	}
	return maphash.Bytes(seed, object)
}

// read lists every collection, several at once, and notes those that do not show what an earlier reading has.
func (c *collections) read(ctx context.Context, t *pass) (Listings, error) {
	names := slices.Sorted(maps.Keys(c.of))
	all, stale := make(Listings, len(names)), make([]bool, len(names))
	err := t.together(ctx, len(names), func(ctx context.Context, i int) (err error) {
		l := listing{collection: c.of[names[i]], seed: c.seed, conn: t.Conn, has: t.Has}
		all[i], err = l.read(ctx)
		slices.Sort(all[i].Missing) // as Listing says: a LIST need not be in the order of keys
		slices.Sort(all[i].Differing)
		stale[i] = l.stale || !l.whole && slices.ContainsFunc(l.observations, func(o observation) bool { return o.earlier > 0 })
		return err
	})
	for i, name := range names {
		if stale[i] {
			t.precedents.found.add(name)
		}
	}
	return all, err
}

// listing is a LIST that is being read.
type listing struct {
	*collection
	seed maphash.Seed
	conn *client.Connection
	has  func(ctx context.Context, key string) (bool, error) // as in Config
	next int                                                 // of observations: the one that is expected
	at   map[string]int                                      // the places of observations by namespace and name, once they are needed
	seen []bool
	// stale reports that an object is not the one that an earlier reading has, and whole that every page was read.
	stale, whole bool
}

// onePage is a page of a LIST.
type onePage struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Continue        string `json:"continue"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
	Items []json.RawMessage `json:"items"`
}

// read reads the LIST, and compares its items with what was read of each object.
func (l *listing) read(ctx context.Context) (Listing, error) {
	found := Listing{APIVersion: l.form.APIVersion, Kind: l.kind, Objects: l.objects, Unreadable: l.unreadable}
	l.seen = make([]bool, len(l.observations))
	revision, pages := "", newPages(l.form)
	for pages.token != "" {
		p, a := pages.read(ctx, l.conn)
		if ctx.Err() != nil {
			return found, ctx.Err()
		}
		if !a.Succeeded() {
			if a.Code == http.StatusGone { // the store was compacted in between
				return found, nil
			}
			found.Code, found.Message = codeOf(a), cmp.Or(a.Text(), "no answer")
			return found, nil
		}
		for _, item := range p.Items {
			if err := l.item(ctx, item, &found); err != nil {
				return found, err
			}
		}
		revision = p.Metadata.ResourceVersion
	}
	l.whole = true
	for i, is := range l.seen {
		if is {
			continue
		}
		now, err := l.get(ctx, l.observations[i].key)
		if err != nil {
			return found, err
		}
		if l.observations[i].earlier > 0 && !now.Decodes() && !l.stale {
			if l.stale, err = l.isStored(ctx, now); err != nil {
				return found, err
			}
		}
		if now.Decodes() && !isNewer(revisionOf(now.Object), revision) {
			found.Missing = append(found.Missing, l.observations[i].key)
		}
	}
	return found, nil
}

// firstPage stands for the token of the first page of a LIST.
const firstPage = "first"

// pages are the pages of the LIST of a form that are still to be read.
type pages struct {
	form        Form
	token       string // of the next page; "": there is none
	limit, most int    // objects of the next page, and of any
}

func newPages(of Form) pages {
	return pages{form: of, token: firstPage, limit: firstLimit, most: maxLimit}
}

// read asks for the next page. There is none after one that fails.
func (s *pages) read(ctx context.Context, conn *client.Connection) (p onePage, a client.Answer) {
	query := map[string]string{}
	if s.token != firstPage {
		query["continue"] = s.token
	}
	s.token = ""
	for n := range attempts {
		if n > 0 {
			wait(ctx)
			s.most = max(1, s.limit/fewer)
			s.limit = s.most
		}
		query["limit"] = strconv.Itoa(s.limit)
		a = conn.Do(ctx, client.Request{Method: http.MethodGet, Path: s.form.collection(""), Query: query, UserAgent: manager})
		if !isBusy(codeOf(a)) {
			break
		}
	}
	if !a.Succeeded() {
		return p, a
	}
	if err := json.Unmarshal(a.Body, &p); err != nil {
		return p, client.Answer{Err: fmt.Errorf("no list: %w", err)}
	}
	switch size := len(a.Body); {
	case size < pageBytes/2:
		s.limit = min(2*s.limit, s.most)
	case size > 2*pageBytes:
		s.limit = max(1, s.limit/2)
	}
	s.token = p.Metadata.Continue
	return p, a
}

// item compares an item with what was read. Items come in the order of keys, as a rule, so that most
// need not be decoded.
func (l *listing) item(ctx context.Context, item json.RawMessage, found *Listing) error {
	hash := hashOf(l.seed, item)
	if l.next < len(l.observations) && l.observations[l.next].hash == hash {
		l.seen[l.next] = true
		l.next++
		return nil
	}
	var object map[string]any
	if err := utiljson.Unmarshal(item, &object); err != nil {
		return err
	}
	i, known := l.place(object)
	if !known { // it is newer than the GETs
		return nil
	}
	l.seen[i], l.next = true, i+1
	if l.observations[i].hash == hash {
		return nil
	}
	if e := l.observations[i].earlier; e > 0 && revisionOf(item) == strconv.FormatInt(e, 10) {
		l.stale = true
		return nil
	}
	now, err := l.get(ctx, l.observations[i].key)
	if err != nil || !now.Decodes() || revisionOf(now.Object) != revisionOf(item) {
		return err
	}
	if !equal(now.Object, item) {
		found.Differing = append(found.Differing, l.observations[i].key)
	}
	return nil
}

// place returns which of the objects an item is.
func (l *listing) place(object map[string]any) (int, bool) {
	if l.at == nil {
		l.at = map[string]int{}
		for i, s := range l.observations {
			namespace, name := l.form.place(s.key)
			l.at[namespace+"/"+name] = i
		}
	}
	metadata, _ := object["metadata"].(map[string]any)
	namespace, _ := metadata["namespace"].(string)
	name, _ := metadata["name"].(string)
	i, known := l.at[namespace+"/"+name]
	return i, known
}

// get returns what a GET shows of an object now.
func (l *listing) get(ctx context.Context, key string) (r Record, err error) {
	r.Key = key
	r.Namespace, r.Name = l.form.place(key)
	_, err = read(ctx, l.conn, &r, l.form)
	return r, err
}

// isStored reports whether an object that a GET does not show is still stored.
func (l *listing) isStored(ctx context.Context, r Record) (bool, error) {
	if r.Code != http.StatusNotFound || l.has == nil {
		return true, nil
	}
	return l.has(ctx, r.Key)
}

// isNewer reports whether a revision is newer than another one.
func isNewer(a, b string) bool {
	x, errX := strconv.ParseInt(a, 10, 64)
	y, errY := strconv.ParseInt(b, 10, 64)
	return errX != nil || errY != nil || x > y
}

// Listings are the LISTs of one reading.
type Listings []Listing

// Of returns the LIST that has a record; nil for none.
func (all Listings) Of(r *Record) *Listing {
	for i, l := range all {
		if l.APIVersion == r.Form && l.Kind == r.Kind {
			return &all[i]
		}
	}
	return nil
}
