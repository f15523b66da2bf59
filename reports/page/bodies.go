package page

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/storage"
)

const (
	// maxBytes is how many bytes of a stored value the report shows, and maxLines how
	// many lines of its decoded form.
	maxBytes = 4096
	maxLines = 64 << 10
	// bodiesBudget is how much of the page compressed bodies may take. A report is mailed
	// and attached, and must stay below 8 MB in all. Bodies that do not fit are in
	// history.jsonl.zst only.
	bodiesBudget = 5_000_000
)

// body is one body in the page's data. Exactly one of JSON, Bytes, Withheld and Omitted is
// set.
type body struct {
	// JSON is text and not a value: the page parses only bodies that are opened, and keeps
	// integers that JavaScript's numbers cannot hold.
	JSON     string   `json:"j,omitempty"`
	Bytes    []byte   `json:"h,omitempty"`
	Size     int      `json:"n,omitempty"` // of the whole, if Bytes is only its start
	Lines    []string `json:"d,omitempty"` // Bytes decoded without a schema
	Withheld string   `json:"w,omitempty"`
	Omitted  int      `json:"o,omitempty"` // 1: it is left out because of its size
}

// bodies numbers the bodies that the page refers to, each once, and compresses them in the
// order in which they are added, so that similar bodies are close together.
type bodies struct {
	run     view.Run
	number  map[string]int      // of a body, by its digest and how it is shown
	covered map[string][]string // the kinds of bodies that may hold confidential values, by digest
	policy  redact.Policy
	marked  [][]byte // what a body that may hold them contains
	scrub   *strings.Replacer

	budget  int
	packed  []StatesBlock
	spent   int    // bytes of packed chunks
	open    []byte // the chunk that is not packed yet
	starts  []int  // the number of each chunk's first body
	count   int
	blank   int             // number of the body that says that it is left out; none if no body was left out yet
	omitted map[string]bool // what is left out
}

// newBodies prepares for a run.
func newBodies(r view.Run) *bodies {
	b := &bodies{run: r, number: map[string]int{}, covered: map[string][]string{}, policy: r.Policy(), scrub: redact.Scrubber(r.Confidential()),
		budget: bodiesBudget, starts: []int{}, blank: none, omitted: map[string]bool{}}
	// A kind may also be written with escaped letters.
	b.marked = [][]byte{[]byte(redact.BuiltIn), []byte(`\u`)}
	for _, kind := range slices.Sorted(maps.Keys(r.Plan.Confidential)) {
		b.marked = append(b.marked, []byte(kind))
	}
	for _, c := range r.Ledger.Copies {
		if !b.policy.Covers(c.Kind) {
			continue
		}
		for _, digest := range view.Digests(c) {
			b.cover(digest, c.Kind)
		}
		for _, row := range c.Rows {
			if row.Stored != nil {
				b.cover(row.Stored.Value, c.Kind)
			}
		}
	}
	return b
}

// cover notes that a body is about an object of a confidential kind.
func (b *bodies) cover(digest, kind string) {
	if !slices.Contains(b.covered[digest], kind) {
		b.covered[digest] = append(b.covered[digest], kind)
	}
}

// add returns the number of the body with the digest, or none if the history does not hold
// it.
func (b *bodies) add(digest string) (int, error) {
	return b.addAs(digest, digest, b.answered)
}

// addStored returns the same for a value as etcd held it.
func (b *bodies) addStored(digest string) (int, error) {
	return b.addAs("stored "+digest, digest, b.stored)
}

// addAs numbers a body that is drawn in one way.
func (b *bodies) addAs(key, digest string, draw func(string, history.Blob) (body, error)) (int, error) {
	if n, ok := b.number[key]; ok {
		return n, nil
	}
	if !b.run.HasBody(digest) {
		return none, nil
	}
	if b.spent >= b.budget {
		b.omitted[key] = true
		return b.leftOut()
	}
	blob, _ := b.run.Body(digest)
	if err := b.run.BodyError(); err != nil {
		return none, err
	}
	drawn, err := draw(digest, blob)
	if err != nil {
		return none, err
	}
	n, err := b.append(drawn)
	b.number[key] = n
	return n, err
}

// leftOut returns the number of the single body that stands in every place of an omitted
// one.
func (b *bodies) leftOut() (int, error) {
	if b.blank != none {
		return b.blank, nil
	}
	n, err := b.append(body{Omitted: 1})
	b.blank = n
	return n, err
}

// append numbers a body, and packs the chunk that it fills.
func (b *bodies) append(drawn body) (int, error) {
	text, err := encode(drawn)
	if err != nil {
		return none, err
	}
	n := b.count
	b.count++
	if len(b.open) == 0 {
		b.starts = append(b.starts, n)
	}
	b.open = append(append(b.open, ','), text...)
	if len(b.open) >= chunkBytes {
		err = b.close()
	}
	return n, err
}

// close packs the open chunk.
func (b *bodies) close() error {
	b.open[0] = '[' // replaces the first comma
	packed, err := document.Compress(append(b.open, ']'))
	if err != nil {
		return fmt.Errorf("pack-bodies: %w", err)
	}
	b.packed = append(b.packed, StatesBlock{ID: fmt.Sprintf("pack-bodies-%d", len(b.packed)), Text: packed})
	b.spent, b.open = b.spent+len(packed), b.open[:0]
	return nil
}

// blocks returns all bodies, compressed.
func (b *bodies) blocks() ([]StatesBlock, error) {
	if len(b.open) > 0 {
		if err := b.close(); err != nil {
			return nil, err
		}
	}
	return b.packed, nil
}

// answered draws a body that was sent or answered.
func (b *bodies) answered(digest string, blob history.Blob) (body, error) {
	if !json.Valid(blob.JSON) { // not JSON, or the history is damaged
		return b.stored(digest, blob)
	}
	text, err := b.redacted(digest, blob)
	return body{JSON: text}, err
}

// stored draws bytes, unchanged and decoded.
func (b *bodies) stored(digest string, blob history.Blob) (body, error) {
	if len(b.covered[digest]) > 0 {
		return body{Withheld: redact.Withheld}, nil
	}
	value := blob.Bytes
	if value == nil { // a value that is equal to a body is recorded once
		value = blob.JSON
	}
	return body{Bytes: value[:min(len(value), maxBytes)], Size: len(value), Lines: decodedLines(value)}, nil
}

// decodedLines returns the lines that stored bytes decode to without a schema.
func decodedLines(value []byte) []string {
	lines, room := storage.Read(value).Lines(), maxLines
	for i, line := range lines {
		if room -= len(line); room < 0 {
			return append(slices.Clip(lines[:i]), fmt.Sprintf("… %d more lines, in history.jsonl.zst", len(lines)-i))
		}
	}
	return lines
}

// redacted returns a JSON body without confidential values.
func (b *bodies) redacted(digest string, blob history.Blob) (string, error) {
	kinds := b.covered[digest]
	if len(kinds) == 0 && !b.names(blob.JSON) {
		return compacted(blob.JSON)
	}
	value, ok := b.run.DecodedBody(digest)
	if !ok {
		return "", fmt.Errorf("body %s: it is no JSON", digest)
	}
	for _, kind := range kinds { // one patch may have been sent to several
		value = b.policy.Body(kind, value, b.run.Salt)
	}
	if len(kinds) > 0 {
		value = scrubbed(value, b.scrub)
	} else {
		value = b.policy.Body("", value, b.run.Salt) // a List may hold a Secret
	}
	text, err := encode(value)
	return string(text), err
}

// names reports whether a body may say about itself, or about an item, that it is of a
// confidential kind. Decoding every body of a large run would take many times as long.
func (b *bodies) names(text []byte) bool {
	return slices.ContainsFunc(b.marked, func(name []byte) bool { return bytes.Contains(text, name) })
}

// compacted writes JSON without spaces.
func compacted(text []byte) (string, error) {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return "", fmt.Errorf("body: %w", err)
	}
	return out.String(), nil
}

// scrubbed removes confidential values from every string of a body: a Status that refuses a
// Secret may quote all of it.
func scrubbed(value any, values *strings.Replacer) any {
	switch v := value.(type) {
	case string:
		return values.Replace(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = scrubbed(item, values)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, item := range v {
			out[key] = scrubbed(item, values)
		}
		return out
	}
	return value
}
