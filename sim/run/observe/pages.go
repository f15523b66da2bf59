package observe

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"slices"

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
	head, array := cutList(body)
	key := pageKey{role, fleet.KindOf(served), sha256.Sum256(array)}
	if known, ok := ls.pages.Load(key); ok && head != nil {
		return known.(page).under(*head), nil
	}
	if head != nil {
		if raw, whole := cutItems(array); whole {
			items, err := ls.items(raw, served, ls.known.Ours(role))
			got := page{Items: items, all: len(raw)}
			if err == nil {
				ls.pages.Store(key, got)
			}
			return got.under(*head), err
		}
	}
	var answer struct {
		listHead
		Items []json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, err
	}
	items, err := ls.items(answer.Items, served, ls.known.Ours(role))
	return page{Items: items, all: len(answer.Items)}.under(answer.listHead), err
}

// cutItems cuts the text of an array into its elements, without reading them: each is read where its bytes are new.
// It returns false for a text that it cannot cut.
func cutItems(text []byte) (all []json.RawMessage, whole bool) {
	depth, from, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted:
			switch c {
			case '\\':
				i++
			case '"':
				quoted = false
			}
		case c == '"':
			quoted = true
		case c == '{' || c == '[':
			if depth++; depth == 1 {
				from = i + 1
			}
		case (c == ',' || c == ']') && depth == 1:
			if one := bytes.TrimSpace(text[from:i]); len(one) > 0 {
				all = append(all, one)
			} else if c == ',' || len(all) > 0 {
				return nil, false
			}
			if from = i + 1; c == ']' {
				return all, from == len(text)
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return nil, false
}

// cutList cuts a LIST, as API servers write it, into the array of its items and what it says beside, without reading
// the items. They are its last member where kinds are built in; its kind and metadata follow where a definition
// brings them. What stands beside the array must be a whole object, so that no part of an item can be taken for
// it; else cutList returns nil.
func cutList(body []byte) (*listHead, []byte) {
	const member = `,"items":`
	body = bytes.TrimSpace(body)
	begin := bytes.Index(body, []byte(member+"["))
	end := len(body) - len("}")
	if !bytes.HasSuffix(body, []byte("]}")) {
		end = bytes.LastIndex(body, []byte(`],"kind":"`)) + len("]")
	}
	if begin < 0 || end <= begin+len(member) {
		return nil, nil
	}
	var head listHead
	if json.Unmarshal(slices.Concat(body[:begin], body[end:]), &head) != nil {
		return nil, nil
	}
	return &head, body[begin+len(member) : end]
}

// items records the run's copies among a LIST's items, each under its digest.
func (ls *Lists) items(raw []json.RawMessage, served history.Resource, ours func(string, history.Resource) bool) (items []history.Item, err error) {
	for _, one := range raw {
		obs, err := ls.recorder.Item(one, served, ours)
		if err != nil {
			return nil, err
		}
		if ours(obs.Name, served) {
			items = append(items, history.Item{Copy: obs.Name, Answer: obs.Digest, Revision: obs.Revision})
		}
	}
	return items, nil
}
