package run

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

const (
	// pagesWanted is into how many pages a paged LIST is cut, at most: enough
	// to continue more than once, few enough to cost little.
	pagesWanted = 5
	// pagesLimit ends a LIST that a server continues for ever.
	pagesLimit = 100
)

// lister LISTs one kind through one replica.
type lister struct {
	w      *walker
	step   int
	r      *replica
	served history.Resource
	// beside tells that it is a line's LIST by fields, or the one that it is held
	// against: they show the run's copies in whatever version those were made.
	beside   bool
	selector string // "": all
	at       int64  // the revision that is asked for; 0: the newest
}

// page is what one answer to a LIST holds.
type page struct {
	items    []history.Item
	all      int    // items, those of others too
	revision int64  // the LIST's own
	next     string // how to continue, "" at the end
}

// list LISTs one kind through one replica as a client does, and records the
// copies it shows.
func (w *walker) list(ctx context.Context, step int, r *replica, served history.Resource) (client.Answer, error) {
	answer, _, err := lister{w: w, step: step, r: r, served: served}.list(ctx, term.ConsistentList, 0)
	return answer, err
}

// forms LISTs in each form. How many items there are, which the first form
// tells, decides how the last is cut.
func (l lister) forms(ctx context.Context) error {
	items := len(l.w.shownAs(l.r.role, l.served)) + l.w.left()
	for _, form := range []term.ListForm{term.ConsistentList, term.CachedList, term.PagedList} {
		answer, all, err := l.list(ctx, form, items)
		if err != nil {
			return err
		}
		if form == term.ConsistentList && answer.Succeeded() {
			items = all
		}
	}
	return nil
}

// list LISTs in one form, to its end, and records it. It returns the last
// answer, and how many items there were.
func (l lister) list(ctx context.Context, form term.ListForm, items int) (client.Answer, int, error) {
	record := &history.Listing{
		Step: l.step, Replica: l.r.name, Role: l.r.role, APIVersion: l.served.APIVersion, Kind: l.served.Kind, Form: form,
		FieldSelector: l.selector,
	}
	query, all := l.selecting(queryOf(form, items)), 0
	for pages := 1; ; pages++ {
		answer, exchange, got, err := l.ask(ctx, query)
		if err != nil {
			return answer, all, err
		}
		failed := exchange.Error != "" || !answer.Succeeded()
		if got.next != "" && pages == pagesLimit {
			exchange.Error, failed = fmt.Sprintf("the LIST goes on after %d pages", pages), true
		}
		if pages == 1 || failed {
			record.Exchange = exchange
		}
		if form == term.PagedList && !failed {
			record.Pages++
		}
		record.Items, all = append(record.Items, got.items...), all+got.all
		if failed || got.next == "" {
			return answer, all, errors.Join(l.w.record(history.Record{Listing: record}), l.silent(answer))
		}
		query["continue"] = got.next
	}
}

// silent is the end of the run when a LIST was not answered in time, as for any
// other request: all that follows would wait as long.
func (l lister) silent(answer client.Answer) error {
	if !answer.TimedOut() {
		return nil
	}
	return fmt.Errorf("step %d: replica %s (%s) did not answer the LIST of %s %s within %s; log: %s", l.step, l.r.name,
		l.w.version(l.r.role), l.served.APIVersion, l.served.Kind, answer.Took.Round(time.Second), l.r.process.LogPath())
}

// A LIST holds an object as its manifest has it, several times as long for what
// servers put into it (every field a second time, for its manager, defaults and
// a status), and something for each however short it is.
const (
	timesManifest = 6
	besideEach    = 8 << 10
)

// longest is how long a LIST of the run's largest kind may have to be.
func (w *walker) longest() int64 {
	sizes, kinds := map[string]int64{}, map[string]int64{}
	for file, m := range w.config.Plan.Manifests {
		body, _ := json.Marshal(m.Body) // it was read from a file
		sizes[file] = timesManifest*int64(len(body)) + besideEach
	}
	var most int64
	for _, c := range w.config.Plan.Copies {
		kind := w.config.Plan.Manifests[c.Manifest].Kind
		kinds[kind] += sizes[c.Manifest]
		most = max(most, kinds[kind])
	}
	return most + w.largestLeft(sizes)
}

// queryOf is how a form asks. With two items there are two pages at least.
func queryOf(form term.ListForm, items int) map[string]string {
	switch form {
	case term.CachedList:
		return map[string]string{"resourceVersion": "0"}
	case term.PagedList:
		return map[string]string{"limit": strconv.Itoa(max(1, (items+pagesWanted-1)/pagesWanted))}
	}
	return map[string]string{}
}

// ask sends one request of a LIST and reads its answer.
func (l lister) ask(ctx context.Context, query map[string]string) (client.Answer, history.Exchange, page, error) {
	request := client.Request{Method: http.MethodGet, Path: l.w.location(l.served).Collection(), Query: query}
	answer := l.r.conn.Do(ctx, request)
	if ctx.Err() != nil {
		return answer, history.Exchange{}, page{}, context.Cause(ctx)
	}
	recorded := answer
	var got page
	var unread error
	if answer.Succeeded() {
		if got, unread = l.read(answer.Body); unread == nil {
			recorded.Body = nil // its items are recorded one by one
		}
	}
	exchange, err := l.w.exchange(request, recorded)
	if got.revision != 0 {
		exchange.Revision = got.revision
	}
	if unread != nil { // an answer, whatever it is worth: the oracle's to judge
		exchange.Error = "the answer cannot be read: " + unread.Error()
	}
	return answer, exchange, got, err
}

// listHead is what a LIST says of itself.
type listHead struct {
	Metadata struct{ ResourceVersion, Continue string }
}

// page reads an answer to a LIST. The items of two replicas, of two forms and of
// two edges of a stage are mostly the same bytes, which are read once.
func (w *walker) page(body []byte, role term.Role, served history.Resource) (page, error) {
	head, tail := cutList(body)
	key := seenAs{string(role) + " " + kindOf(served), sha256.Sum256(tail)}
	if known, ok := w.pages.Load(key); ok && head != nil {
		return known.(page).under(*head), nil
	}
	var answer struct {
		listHead
		Items json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, err
	}
	items, all, err := w.items(answer.Items, served, w.ours(role))
	got := page{items: items, all: all}
	if err == nil && head != nil && *head == answer.listHead {
		w.pages.Store(key, got)
	}
	return got.under(answer.listHead), err
}

func (p page) under(head listHead) page {
	p.revision, p.next = revision(head.Metadata.ResourceVersion), head.Metadata.Continue
	return p
}

// cutList cuts a LIST before its items, as API servers write it, without reading
// those. What comes before must be a whole object but for its end, so that
// nothing of an item can be taken for it; nil when it is not.
func cutList(body []byte) (*listHead, []byte) {
	at := bytes.Index(body, []byte(`,"items":[`))
	if at < 0 {
		return nil, nil
	}
	var head listHead
	if json.Unmarshal(append(bytes.Clone(body[:at]), '}'), &head) != nil {
		return nil, nil
	}
	return &head, body[at:]
}

// items records the run's copies among a LIST's items, each under its digest,
// and counts all items. It reads them one by one: those of a large run are tens of megabytes.
func (w *walker) items(list []byte, served history.Resource, ours func(string, history.Resource) bool) ([]history.Item, int, error) {
	if len(list) == 0 {
		return nil, 0, nil
	}
	if list[0] != '[' { // null, or no list
		var none []json.RawMessage
		return nil, 0, json.Unmarshal(list, &none)
	}
	in := json.NewDecoder(bytes.NewReader(list))
	if _, err := in.Token(); err != nil {
		return nil, 0, err
	}
	var items []history.Item
	var one json.RawMessage
	all := 0
	for ; in.More(); all++ {
		if err := in.Decode(&one); err != nil {
			return nil, 0, err
		}
		s, err := w.item(one, served, ours)
		if err != nil {
			return nil, 0, err
		}
		if ours(s.name, served) {
			items = append(items, history.Item{Copy: s.name, Answer: s.digest, Revision: s.revision})
		}
	}
	return items, all, nil
}

// item reads one item of a LIST. Built-in lists leave out their items' type; it
// is put back, so that an object served by LIST and by GET is one and the same
// blob.
func (w *walker) item(raw []byte, served history.Resource, ours func(string, history.Resource) bool) (sight, error) {
	key := seenAs{served.APIVersion, sha256.Sum256(raw)}
	if known, ok := w.seen.Load(key); ok {
		return known.(sight), nil
	}
	object, err := decodeObject(raw)
	if err != nil {
		return sight{}, err
	}
	if _, ok := object["metadata"].(map[string]any); !ok {
		return sight{}, fmt.Errorf("an item has no metadata")
	}
	object["apiVersion"], object["kind"] = served.APIVersion, served.Kind
	s := w.sighted(object)
	if !ours(s.name, served) {
		return s, nil
	}
	return w.keep(key, s, object)
}
