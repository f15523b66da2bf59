package reports

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// mostBytes is how much of a stored value the report shows.
const mostBytes = 4096

// body is one body in the page's evidence. Exactly one of JSON, Bytes and
// Withheld says what it is.
type body struct {
	// JSON is text and not a value: the page parses only what is opened, and
	// keeps integers that JavaScript's numbers cannot hold.
	JSON     string `json:"j,omitempty"`
	Bytes    []byte `json:"b,omitempty"`
	Size     int    `json:"n,omitempty"` // of the whole, where Bytes is its start
	Withheld string `json:"w,omitempty"`
}

// evidence gathers the bodies that the page refers to, each once, and the
// differences that are marked in them.
type evidence struct {
	Bodies []body `json:"bodies"`
	// Rows holds the differences of each row's views, by row and replica.
	Rows map[string]map[string][]marked `json:"rows"`

	run     Run
	number  map[string]int      // of a body, by its digest
	covered map[string][]string // the kinds of bodies that may hold what is confidential, by digest
	scrub   *strings.Replacer
}

// marked is a difference to mark in a body.
type marked struct {
	result.Difference
	// Acknowledged tells a difference to an acknowledged value from one to
	// what the same release served before.
	Acknowledged bool `json:"acknowledged"`
}

// newEvidence prepares for a run.
func newEvidence(r Run) *evidence {
	e := &evidence{
		Bodies: []body{}, Rows: map[string]map[string][]marked{},
		run: r, number: map[string]int{}, covered: map[string][]string{},
		scrub: redact.Scrubber(r.confidential()),
	}
	for _, c := range r.Ledger.Copies {
		if !r.policy().Covers(c.Kind) {
			continue
		}
		for _, digest := range digests(c) {
			e.cover(digest, c.Kind)
		}
		for _, row := range c.Rows {
			if row.Stored != nil {
				e.cover(row.Stored.Value, c.Kind)
			}
		}
	}
	return e
}

// cover notes that a body is about an object of a kind that holds what is confidential.
func (e *evidence) cover(digest, kind string) {
	if !slices.Contains(e.covered[digest], kind) {
		e.covered[digest] = append(e.covered[digest], kind)
	}
}

// add returns the number of the body with the digest, or -1 where the history
// does not hold it.
func (e *evidence) add(digest string) (int, error) {
	if n, ok := e.number[digest]; ok {
		return n, nil
	}
	blob, ok := e.run.blob(digest)
	if !ok {
		return -1, nil
	}
	b, err := e.body(digest, blob)
	if err != nil {
		return -1, err
	}
	n := len(e.Bodies)
	e.Bodies, e.number[digest] = append(e.Bodies, b), n
	return n, nil
}

// body draws one body, with nothing confidential in it.
func (e *evidence) body(digest string, blob history.Blob) (body, error) {
	value, isJSON := e.run.decoded(digest)
	policy := e.run.policy()
	switch kinds := e.covered[digest]; {
	case !isJSON && len(kinds) > 0:
		return body{Withheld: redact.Withheld}, nil
	case !isJSON:
		stored := slices.Concat(blob.Bytes, blob.JSON) // one of them is empty
		return body{Bytes: stored[:min(len(stored), mostBytes)], Size: len(stored)}, nil
	case len(kinds) > 0:
		for _, kind := range kinds { // one patch may have been sent to several
			value = policy.Body(kind, value, e.run.Salt)
		}
		value = scrubbed(value, e.scrub)
	default:
		value = policy.Body("", value, e.run.Salt) // a List may hold a Secret
	}
	text, err := json.Marshal(value)
	if err != nil {
		return body{}, fmt.Errorf("body %s: encode: %w", digest, err)
	}
	return body{JSON: string(text)}, nil
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

// mark notes the differences of a row's view.
func (e *evidence) mark(row string, v result.View) {
	if len(v.Diff) == 0 {
		return
	}
	if e.Rows[row] == nil {
		e.Rows[row] = map[string][]marked{}
	}
	for _, d := range v.Diff {
		_, acknowledged := v.States[d.Path]
		e.Rows[row][v.Replica] = append(e.Rows[row][v.Replica], marked{d, acknowledged})
	}
}

// block packs the evidence for the page: base64 of gzip, which no HTML parser
// can mistake for markup and every current browser can unpack from a file.
func (e *evidence) block() (template.HTML, error) {
	text, err := json.Marshal(e)
	if err != nil {
		return "", fmt.Errorf("evidence: encode: %w", err)
	}
	var packed bytes.Buffer
	zip, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return "", fmt.Errorf("evidence: compress: %w", err)
	}
	if _, err := zip.Write(text); err != nil {
		return "", fmt.Errorf("evidence: compress: %w", err)
	}
	if err := zip.Close(); err != nil {
		return "", fmt.Errorf("evidence: compress: %w", err)
	}
	return template.HTML(base64.StdEncoding.EncodeToString(packed.Bytes())), nil //nolint:gosec // base64
}
