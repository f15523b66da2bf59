package pack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/storage"
)

const (
	// mostBytes is how much of a stored value the report shows as bytes, and
	// mostLines how much of what it decodes to.
	mostBytes = 4096
	mostLines = 64 << 10
	// bodiesBudget is how much of the page bodies may take once they are packed.
	// A report is mailed and attached, and with all else that it holds it shall
	// stay below 8 MB. What does not fit is in history.jsonl.
	bodiesBudget = 5_000_000
)

// body is one body in the page's data. Exactly one of JSON, Bytes, Withheld and
// Omitted says what it is.
type body struct {
	// JSON is text and not a value: the page parses only what is opened, and
	// keeps integers that JavaScript's numbers cannot hold.
	JSON     string   `json:"j,omitempty"`
	Bytes    []byte   `json:"h,omitempty"`
	Size     int      `json:"n,omitempty"` // of the whole, where Bytes is its start
	Lines    []string `json:"d,omitempty"` // Bytes decoded without a schema
	Withheld string   `json:"w,omitempty"`
	Omitted  int      `json:"o,omitempty"` // 1: it is left out for its size
}

// bodies numbers the bodies that the page refers to, each once, and packs them
// in the order in which they are added: what is alike lies close together.
type bodies struct {
	run     view.Run
	number  map[string]int      // of a body, by its digest and how it is shown
	covered map[string][]string // the kinds of bodies that may hold what is confidential, by digest
	policy  redact.Policy
	marked  [][]byte // what a body that may hold it names
	scrub   *strings.Replacer

	budget  int
	packed  []Block
	spent   int    // bytes of packed
	open    []byte // the chunk that is not packed yet
	starts  []int  // the number of each chunk's first body
	count   int
	blank   int             // the body that says that it is left out; none: there is none yet
	omitted map[string]bool // what is left out
}

// newBodies prepares for a run.
func newBodies(r view.Run) *bodies {
	b := &bodies{run: r, number: map[string]int{}, covered: map[string][]string{}, policy: r.Policy(), scrub: redact.Scrubber(r.Confidential()),
		budget: bodiesBudget, starts: []int{}, blank: none, omitted: map[string]bool{}}
	// A kind may be written with letters as their numbers, too.
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

// cover notes that a body is about an object of a kind that holds what is confidential.
func (b *bodies) cover(digest, kind string) {
	if !slices.Contains(b.covered[digest], kind) {
		b.covered[digest] = append(b.covered[digest], kind)
	}
}

// add returns the number of the body with the digest, or none where the
// history does not hold it.
func (b *bodies) add(digest string) (int, error) {
	return b.addAs(digest, digest, b.answered)
}

// addStored does so for a value as etcd held it.
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

// leftOut is the number of the one body that every reference to a body that is left out has.
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
	b.open[0] = '[' // in place of the first comma
	packed, err := compress(append(b.open, ']'))
	if err != nil {
		return fmt.Errorf("pack-bodies: %w", err)
	}
	b.packed = append(b.packed, Block{ID: fmt.Sprintf("pack-bodies-%d", len(b.packed)), Text: packed})
	b.spent, b.open = b.spent+len(packed), b.open[:0]
	return nil
}

// blocks are all bodies, packed.
func (b *bodies) blocks() ([]Block, error) {
	if len(b.open) > 0 {
		if err := b.close(); err != nil {
			return nil, err
		}
	}
	return b.packed, nil
}

// answered draws a body that was sent or answered.
func (b *bodies) answered(digest string, blob history.Blob) (body, error) {
	if !json.Valid(blob.JSON) { // it is none, or the history is damaged
		return b.stored(digest, blob)
	}
	text, err := b.redacted(digest, blob)
	return body{JSON: text}, err
}

// stored draws bytes, as they are and as what they decode to.
func (b *bodies) stored(digest string, blob history.Blob) (body, error) {
	if len(b.covered[digest]) > 0 {
		return body{Withheld: redact.Withheld}, nil
	}
	value := blob.Bytes
	if value == nil { // a value that is equal to a body is recorded once
		value = blob.JSON
	}
	return body{Bytes: value[:min(len(value), mostBytes)], Size: len(value), Lines: decodedLines(value)}, nil
}

// decodedLines are the lines that stored bytes decode to without a schema.
func decodedLines(value []byte) []string {
	lines, room := storage.Read(value).Lines(), mostLines
	for i, line := range lines {
		if room -= len(line); room < 0 {
			return append(slices.Clip(lines[:i]), fmt.Sprintf("… %d more lines, in history.jsonl", len(lines)-i))
		}
	}
	return lines
}

// redacted writes a JSON body with nothing confidential in it.
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

// names reports whether a body may say of itself, or of an item, that it is of a
// kind that holds what is confidential. To read every body of a large run takes
// many times as long as to look.
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

// scrubbed takes confidential values out of every string of a body: a Status
// that refuses a Secret may quote the whole of it.
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
