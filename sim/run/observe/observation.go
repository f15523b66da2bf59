package observe

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

// Observation is an object that a server showed, as far as the run remembers it. Its body
// is in the history.
type Observation struct {
	Digest   string
	Name     string
	Of       history.Resource // its apiVersion and kind only
	Revision int64
}

// seenAs is a body by its bytes. A LIST's item omits its version, so that equal bytes of
// two versions are two objects.
type seenAs struct {
	apiVersion, kind string // of a LIST's item in a form of its own
	sum              [sha256.Size]byte
}

// itemAs returns the key of a LIST's item. A server writes it as it writes the answer to a GET, without its first
// two members if the kind is built in: so both are one key, and the object is decoded once.
func itemAs(raw []byte, served history.Resource) seenAs {
	switch {
	case bytes.HasPrefix(raw, fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,`, served.APIVersion, served.Kind)):
		return seenAs{sum: sha256.Sum256(raw)}
	case !bytes.HasPrefix(raw, []byte(`{"metadata":`)):
		return seenAs{served.APIVersion, served.Kind, sha256.Sum256(raw)}
	}
	h := sha256.New()
	fmt.Fprintf(h, `{"kind":%q,"apiVersion":%q,`, served.Kind, served.APIVersion)
	h.Write(raw[1:])
	return seenAs{sum: [sha256.Size]byte(h.Sum(nil))}
}

// Observe records an answer's body and decodes it once for what the run needs. An unchanged
// object is shown repeatedly in the same bytes, which are decoded once.
func (rec *Recorder) Observe(body []byte) (Observation, error) {
	body = bytes.TrimRight(body, "\n") // a GET's body ends in one, a watch event's object does not
	key := seenAs{sum: sha256.Sum256(body)}
	if known, ok := rec.seen.Load(key); ok {
		return known.(Observation), nil
	}
	object, err := DecodeObject(body)
	if err != nil { // not an object: a text, a list, half a document
		digest, err := rec.History.Body(body)
		return Observation{Digest: digest}, err
	}
	return rec.keep(key, rec.Identify(object), object)
}

// keep records an object. It remembers what is seen of the run's copies; other answers
// hardly ever repeat.
func (rec *Recorder) keep(key seenAs, obs Observation, object map[string]any) (Observation, error) {
	var err error
	if obs.Digest, err = rec.History.Document(object); err != nil {
		return obs, err
	}
	if rec.known.Ours(term.Old)(obs.Name, obs.Of) || rec.known.Ours(term.New)(obs.Name, obs.Of) {
		rec.Memory.resembles(obs.Digest, obs.Of.APIVersion, rec.likeness(obs.Name, object))
		rec.seen.Store(key, obs)
	}
	return obs, nil
}

// Identify describes an object, and names one of the run's copies by the copy's name.
func (rec *Recorder) Identify(object map[string]any) Observation {
	obs := Describe(object)
	meta, _ := object["metadata"].(map[string]any)
	if name, own := rec.known.CopyOf(obs.Name, meta["namespace"] != nil); own {
		obs.Name = name
	}
	return obs
}

// Describe reads what every API object has. Members of a wrong type count as absent.
func Describe(object map[string]any) Observation {
	meta, _ := object["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	resourceVersion, _ := meta["resourceVersion"].(string)
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	return Observation{Name: name, Of: history.Resource{APIVersion: apiVersion, Kind: kind}, Revision: Revision(resourceVersion)}
}

// Item records one item of a LIST, if it is the run's. Built-in lists omit the type of
// their items; Item adds it, so that an object served by LIST and by GET is one blob.
func (rec *Recorder) Item(raw []byte, served history.Resource, ours func(string, history.Resource) bool) (Observation, error) {
	key := itemAs(raw, served)
	if known, ok := rec.seen.Load(key); ok {
		return known.(Observation), nil
	}
	object, err := DecodeObject(raw)
	if err != nil {
		return Observation{}, err
	}
	if _, ok := object["metadata"].(map[string]any); !ok {
		return Observation{}, fmt.Errorf("an item has no metadata")
	}
	object["apiVersion"], object["kind"] = served.APIVersion, served.Kind
	obs := rec.Identify(object)
	if !ours(obs.Name, served) {
		return obs, nil
	}
	return rec.keep(key, obs, object)
}

// DecodeObject reads one JSON object; numbers keep their digits.
func DecodeObject(body []byte) (map[string]any, error) {
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
		return nil, errors.New("there is more text after the document")
	}
	if object == nil {
		return nil, errors.New("no object")
	}
	return object, nil
}

// Revision parses a resourceVersion as the store's revision, which it is for every API
// server over etcd.
func Revision(resourceVersion string) int64 {
	n, err := strconv.ParseInt(resourceVersion, 10, 64)
	if err != nil {
		return 0
	}
	return n
}
