package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// sight is an object that a server showed, as far as the run remembers it: its
// body lies in the history.
type sight struct {
	digest   string
	name     string
	of       history.Resource // its apiVersion and kind alone
	revision int64
}

// seenAs is a body by its bytes. A LIST's item leaves out the version that it
// is listed in, so that equal bytes of two versions are two objects.
type seenAs struct {
	apiVersion string // of a LIST's item
	sum        [sha256.Size]byte
}

// answered records an answer's body and reads what the run needs of it, with
// one decoding. An object that has not changed is shown again and again in the
// same bytes: those are read once.
func (w *walker) answered(body []byte) (sight, error) {
	body = bytes.TrimRight(body, "\n") // a GET's ends in one, a watch event's object does not
	key := seenAs{sum: sha256.Sum256(body)}
	if known, ok := w.seen.Load(key); ok {
		return known.(sight), nil
	}
	object, err := decodeObject(body)
	if err != nil { // no object: a text, a list, half a document
		digest, err := w.config.History.Body(body)
		return sight{digest: digest}, err
	}
	return w.keep(key, w.sighted(object), object)
}

// keep records an object. What is seen of the run's copies is remembered; other
// answers are hardly ever the same twice.
func (w *walker) keep(key seenAs, s sight, object map[string]any) (sight, error) {
	var err error
	if s.digest, err = w.config.History.Document(object); err != nil {
		return s, err
	}
	if w.ours(term.Old)(s.name, s.of) || w.ours(term.New)(s.name, s.of) {
		w.memory.resembles(s.digest, s.of.APIVersion, w.likeness(s.name, object))
		w.seen.Store(key, s)
	}
	return s, nil
}

// sighted is sighted, with an object that is one of the run's copies by the copy's
// name.
func (w *walker) sighted(object map[string]any) sight {
	s := sighted(object)
	meta, _ := object["metadata"].(map[string]any)
	if name, own := w.copyOf(s.name, meta["namespace"] != nil); own {
		s.name = name
	}
	return s
}

// sighted reads what every API object tells of itself. Members of other types
// than they should have are not there.
func sighted(object map[string]any) sight {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	resourceVersion, _ := meta["resourceVersion"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return sight{name: name, of: history.Resource{APIVersion: apiVersion, Kind: kind}, revision: revision(resourceVersion)}
}

// decodeObject reads one JSON object, whose numbers keep their digits.
func decodeObject(body []byte) (map[string]any, error) {
	if len(body) == 0 || !utf8.Valid(body) {
		return nil, errors.New("no JSON document")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.UseNumber()
	var object map[string]any
	if err := decoder.Decode(&object); err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, errors.New("something follows the document")
	}
	if object == nil {
		return nil, errors.New("no object")
	}
	return object, nil
}

// revision reads a resourceVersion as the store's revision, which it is for
// every API server over etcd.
func revision(resourceVersion string) int64 {
	n, err := strconv.ParseInt(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
