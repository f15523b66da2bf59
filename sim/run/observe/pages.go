package observe

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// page is the content of one answer to a LIST.
type page struct {
	Items    []history.Item
	all      int    // items, also those of others
	revision int64  // the LIST's own
	Next     string // the continue token, "" at the end
}

// pageKey is what determines how a page is read: who lists, the kind, and its bytes.
type pageKey struct {
	role term.Role
	kind string
	sum  [sha256.Size]byte
}

// listHead is a LIST's metadata.
type listHead struct {
	Metadata struct{ ResourceVersion, Continue string }
}

// page reads an answer to a LIST. The items of two replicas, of two forms and of two edges
// of a stage are mostly the same bytes, which are read once.
func (ls *Lists) page(body []byte, role term.Role, served history.Resource) (page, error) {
	head, tail := cutList(body)
	key := pageKey{role, fleet.KindOf(served), sha256.Sum256(tail)}
	if known, ok := ls.pages.Load(key); ok && head != nil {
		return known.(page).under(*head), nil
	}
	var answer struct {
		listHead
		Items json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, err
	}
	items, all, err := ls.items(answer.Items, served, ls.known.Ours(role))
	got := page{Items: items, all: all}
	if err == nil && head != nil && *head == answer.listHead {
		ls.pages.Store(key, got)
	}
	return got.under(answer.listHead), err
}

// cutList cuts a LIST before its items, as API servers write it, without reading those. The
// text before them must be a whole object except for its end, so that no part of an item
// can be taken for it; else cutList returns nil.
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

// items records the run's copies among a LIST's items, each under its digest, and counts
// all items. It reads them one by one: those of a large run are tens of megabytes.
func (ls *Lists) items(list []byte, served history.Resource, ours func(string, history.Resource) bool) ([]history.Item, int, error) {
	if len(list) == 0 {
		return nil, 0, nil
	}
	if list[0] != '[' { // null, or not a list
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
		obs, err := ls.recorder.Item(one, served, ours)
		if err != nil {
			return nil, 0, err
		}
		if ours(obs.Name, served) {
			items = append(items, history.Item{Copy: obs.Name, Answer: obs.Digest, Revision: obs.Revision})
		}
	}
	return items, all, nil
}
