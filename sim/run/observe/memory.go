package observe

import (
	"cmp"
	"encoding/hex"
	"net/http"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// Memory is what a run keeps of its own record to choose what to read next: which stored
// values each release has shown, and which copies are alike. It holds revisions and
// digests; bodies are in the history, and old values in the store, which is never
// compacted.
type Memory struct {
	mu       sync.Mutex
	changes  []stored
	at       map[int64]int        // index into changes, by revision
	latest   map[string]int       // index of the newest change, by key
	below    map[string]int64     // newest revision, by directory of keys
	copies   map[string]*recalled // by name
	likeness map[string]likeness  // by digest of what was shown of a copy
	versions map[string]string    // by the same digest: the version that it was shown in
	watched  map[watchedOf]newest // what each WATCH has shown last
	// askedIn returns the version in which a release is asked for a copy; nil: any counts.
	askedIn func(role term.Role, name string) string
}

// stored is one change of the store.
type stored struct {
	key      string
	revision int64
	deleted  bool
}

// recalled is what is remembered of one copy.
type recalled struct {
	revision int64 // one at which an answer showed it, which identifies its key
	shown    map[int64]roles
	newest   map[term.Role]newest
}

// newest is the newest revision that a release has shown of a copy.
type newest struct {
	revision int64
	digest   string
}

// watchedOf is a copy as the WATCH of one version shows it through a replica.
type watchedOf struct{ replica, apiVersion, name string }

// Shown is what a WATCH has shown of a copy last.
type Shown struct {
	Likeness [16]byte // of what it shows but for what belongs to this copy alone: equal ones are of one content
	Digest   string   // of the object, in the history
	Revision int64
}

// roles is a set of releases.
type roles uint8

func only(r term.Role) roles {
	if r == term.New {
		return 2
	}
	return 1
}

func newMemory() *Memory {
	return &Memory{
		at: map[int64]int{}, latest: map[string]int{}, below: map[string]int64{},
		copies: map[string]*recalled{}, likeness: map[string]likeness{}, versions: map[string]string{}, watched: map[watchedOf]newest{},
	}
}

// resembles remembers a copy's likeness and version, by the digest of what was shown.
func (m *Memory) resembles(digest, apiVersion string, l likeness) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.likeness[digest], m.versions[digest] = l, apiVersion
}

// note remembers what the run needs of a record.
func (m *Memory) note(r history.Record) {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case r.Change != nil:
		m.change(r.Change)
	case r.Operation != nil:
		m.operation(r.Operation)
	case r.Listing != nil:
		for _, item := range r.Listing.Items {
			m.shows(r.Listing.Role, item.Copy, item.Answer, item.Revision)
		}
	case r.Watch != nil && r.Watch.Event == history.WatchDeleted:
		delete(m.watched, watchedOf{r.Watch.Replica, r.Watch.APIVersion, r.Watch.Copy})
	case r.Watch != nil && r.Watch.Event == history.WatchOpened:
		for of := range m.watched { // what a WATCH showed before belongs to another server, or stream
			if of.replica == r.Watch.Replica && of.apiVersion == r.Watch.APIVersion {
				delete(m.watched, of)
			}
		}
	case r.Watch != nil && (r.Watch.Event == history.WatchAdded || r.Watch.Event == history.WatchModified):
		m.watched[watchedOf{r.Watch.Replica, r.Watch.APIVersion, r.Watch.Copy}] = newest{r.Watch.Revision, r.Watch.Answer}
		m.shows(r.Watch.Role, r.Watch.Copy, r.Watch.Answer, r.Watch.Revision)
	}
}

func (m *Memory) change(c *history.Change) {
	m.at[c.Revision], m.latest[c.Key] = len(m.changes), len(m.changes)
	m.changes = append(m.changes, stored{key: c.Key, revision: c.Revision, deleted: c.Deleted})
	m.below[directory(c.Key)] = c.Revision
}

func directory(key string) string { return key[:strings.LastIndex(key, "/")+1] }

// operation remembers what an answer shows of its copy. Only a read shows what is stored: a
// server can answer a write with a value that it then does not store.
func (m *Memory) operation(o *history.Operation) {
	x := o.Exchange
	switch o.Purpose {
	case history.Read, history.Act, history.Look:
	default:
		return // a dry run stores nothing
	}
	if o.Copy == "" || !x.Succeeded() || x.Revision == 0 || x.Method == http.MethodDelete {
		return
	}
	if x.Method == http.MethodGet {
		m.shows(o.Role, o.Copy, x.Answer, x.Revision)
	}
	m.recall(o.Copy, x.Revision)
}

func (m *Memory) recall(name string, revision int64) *recalled {
	c := m.copies[name]
	if c == nil {
		c = &recalled{revision: revision, shown: map[int64]roles{}, newest: map[term.Role]newest{}}
		m.copies[name] = c
	}
	return c
}

// shows remembers that a release has shown a stored value of a copy. A part of it, such as
// its scale, and its form in another version do not count.
func (m *Memory) shows(role term.Role, name, digest string, revision int64) {
	if _, whole := m.likeness[digest]; !whole || name == "" || revision == 0 {
		return
	}
	if m.askedIn != nil && m.askedIn(role, name) != m.versions[digest] {
		return
	}
	c := m.recall(name, revision)
	c.shown[revision] |= only(role)
	before := c.newest[role]
	// Any answer of one revision will do, as long as it is always the same one.
	if revision > before.revision || revision == before.revision && digest < before.digest {
		c.newest[role] = newest{revision, digest}
	}
}

// Watched returns what the WATCH of a version through a replica has shown of a copy last.
func (m *Memory) Watched(replica, apiVersion, name string) (Shown, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, known := m.watched[watchedOf{replica, apiVersion, name}]
	l, whole := m.likeness[last.digest]
	return Shown{l, last.digest, last.revision}, known && whole
}

// last returns the newest change of a copy's key. The key is the one that changed at a
// revision which an answer about the copy had, so that no table of key layouts is needed.
func (m *Memory) last(name string) (stored, bool) {
	key, known := m.keyOf(name)
	if !known {
		return stored{}, false
	}
	return m.changes[m.latest[key]], true
}

func (m *Memory) keyOf(name string) (string, bool) {
	c := m.copies[name]
	if c == nil {
		return "", false
	}
	i, known := m.at[c.revision]
	if !known {
		return "", false
	}
	return m.changes[i].key, true
}

// NewestOf returns the revision at which any object of the copies' kind last changed, 0 if
// none is known.
func (m *Memory) NewestOf(names []string) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	var last int64
	for _, name := range names {
		if key, known := m.keyOf(name); known {
			last = max(last, m.below[directory(key)])
		}
	}
	return last
}

// HasShown reports whether a release has shown the newest stored value of a copy.
func (m *Memory) HasShown(role term.Role, name string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, known := m.last(name)
	return known && !last.deleted && m.copies[name].newest[role].revision == last.revision
}

// ForgetWatched forgets what WATCHes have shown so far: whoever asks from now on gets what they show later.
func (m *Memory) ForgetWatched() {
	m.mu.Lock()
	defer m.mu.Unlock()
	clear(m.watched)
}

// Looks returns how every release shows the newest stored value of a copy, as a text:
// copies with equal looks are alike. It returns false for a copy that is not stored. A
// value that no live release has shown is like no other.
func (m *Memory) Looks(name string, live []term.Role) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	last, known := m.last(name)
	if !known || last.deleted {
		return "", false
	}
	text, seen := "", false
	for _, role := range []term.Role{term.Old, term.New} {
		text += string(role) + ":"
		if shown := m.copies[name].newest[role]; shown.revision == last.revision {
			l := m.likeness[shown.digest]
			text += hex.EncodeToString(l[:])
			for _, r := range live {
				seen = seen || r == role
			}
		}
	}
	if !seen {
		text += name
	}
	return text, true
}

// Value is one stored value of a copy that some release has not shown.
type Value struct {
	Copy, Key string
	Revision  int64
	Digest    string // of its bytes, once they were read again
	Newest    bool   // the key still held it
}

// Unshown returns the stored values of the copies that a release has not shown, in the
// order in which they were stored.
func (m *Memory) Unshown(role term.Role, names []string) []Value {
	m.mu.Lock()
	defer m.mu.Unlock()
	owners := map[string]string{}
	for _, name := range names {
		if key, known := m.keyOf(name); known {
			owners[key] = cmp.Or(owners[key], name)
		}
	}
	var all []Value
	for i, c := range m.changes {
		name, ours := owners[c.key]
		if ours && !c.deleted && m.copies[name].shown[c.revision]&only(role) == 0 {
			all = append(all, Value{Copy: name, Key: c.key, Revision: c.revision, Newest: m.latest[c.key] == i})
		}
	}
	return all
}
