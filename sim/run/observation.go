package run

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// observation is an object that a server showed, as far as the run remembers it. Its
// body is in the history.
type observation struct {
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
func (rec *recorder) answered(body []byte) (observation, error) {
	body = bytes.TrimRight(body, "\n") // a GET's ends in one, a watch event's object does not
	key := seenAs{sum: sha256.Sum256(body)}
	if known, ok := rec.seen.Load(key); ok {
		return known.(observation), nil
	}
	object, err := decodeObject(body)
	if err != nil { // no object: a text, a list, half a document
		digest, err := rec.history.Body(body)
		return observation{digest: digest}, err
	}
	return rec.keep(key, rec.identify(object), object)
}

// keep records an object. What is seen of the run's copies is remembered; other
// answers are hardly ever the same twice.
func (rec *recorder) keep(key seenAs, obs observation, object map[string]any) (observation, error) {
	var err error
	if obs.digest, err = rec.history.Document(object); err != nil {
		return obs, err
	}
	if rec.known.ours(term.Old)(obs.name, obs.of) || rec.known.ours(term.New)(obs.name, obs.of) {
		rec.memory.resembles(obs.digest, obs.of.APIVersion, rec.likeness(obs.name, object))
		rec.seen.Store(key, obs)
	}
	return obs, nil
}

// identify describes an object, and names one of the run's copies by the copy's
// name.
func (rec *recorder) identify(object map[string]any) observation {
	obs := describe(object)
	meta, _ := object["metadata"].(map[string]any)
	if name, own := rec.known.copyOf(obs.name, meta["namespace"] != nil); own {
		obs.name = name
	}
	return obs
}

// describe reads what every API object says of itself. Members of other types
// than they should have are not there.
func describe(object map[string]any) observation {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	resourceVersion, _ := meta["resourceVersion"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return observation{name: name, of: history.Resource{APIVersion: apiVersion, Kind: kind}, revision: revision(resourceVersion)}
}

// item records one item of a LIST, if it is ours. Built-in lists leave out the type of their
// items; it is put back, so that an object served by LIST and by GET is one and the same
// blob.
func (rec *recorder) item(raw []byte, served history.Resource, ours func(string, history.Resource) bool) (observation, error) {
	key := seenAs{served.APIVersion, sha256.Sum256(raw)}
	if known, ok := rec.seen.Load(key); ok {
		return known.(observation), nil
	}
	object, err := decodeObject(raw)
	if err != nil {
		return observation{}, err
	}
	if _, ok := object["metadata"].(map[string]any); !ok {
		return observation{}, fmt.Errorf("an item has no metadata")
	}
	object["apiVersion"], object["kind"] = served.APIVersion, served.Kind
	obs := rec.identify(object)
	if !ours(obs.name, served) {
		return obs, nil
	}
	return rec.keep(key, obs, object)
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
