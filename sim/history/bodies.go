package history

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"maps"
	"sync"

	"github.com/skewsim/skewsim/servers"
)

// filed is an index of the bodies in a history's file: the place of each, and what is known
// about it without reading it. Bodies are most of a long run's history, and each is needed only
// while its copy is judged or drawn.
//
// Every read of a body opens the file again, from any goroutine. Nothing has to be closed, and
// a matrix can hold any number of histories.
type filed struct {
	name string
	at   map[string]filedBlob // by digest
	seed maphash.Seed         // of the hashes of spans

	mu  sync.Mutex
	err error // the first body that could not be read back
}

// filedBlob is the place of a blob's forms.
type filedBlob struct {
	json, bytes span
	kept        []byte // bytes in an unusual spelling, which stay in memory
}

// span is the place of a blob's content in the file: JSON as it is, bytes as base64.
type span struct {
	start  int64
	length int32 // 0: the blob was not recorded in this form; a line is no longer than maxLine
	object bool  // the content begins as a JSON object does
	sum    uint64
}

// BodyError reports a body that could not be read back: the history was complete when it was
// loaded, and its file was truncated, changed or removed since.
type BodyError struct {
	File, Digest string
	Err          error
}

// Error names the file and the body, and says what to do.
func (e *BodyError) Error() string {
	return fmt.Sprintf("%s: the body %s cannot be read back: %v; the file was whole when it was opened: leave it alone and judge again", e.File, e.Digest, e.Err)
}

// Unwrap returns the cause.
func (e *BodyError) Unwrap() error { return e.Err }

var errChanged = errors.New("the file contains something else in its place")

// Body returns a blob with its content, or an empty one if the history does not contain it or
// cannot read it back: see History.Err.
func (h *History) Body(digest string) Blob {
	if h.filed == nil || h.Blobs != nil {
		return h.Blobs[digest]
	}
	return h.filed.blob(digest)
}

// Holds reports whether the history contains a blob, without reading it.
func (h *History) Holds(digest string) bool {
	if h.filed == nil || h.Blobs != nil {
		_, held := h.Blobs[digest]
		return held
	}
	_, held := h.filed.at[digest]
	return held
}

// Digests yields the digests of all blobs, in no order.
func (h *History) Digests() iter.Seq[string] {
	if h.filed == nil || h.Blobs != nil {
		return maps.Keys(h.Blobs)
	}
	return maps.Keys(h.filed.at)
}

// Err returns the first body that could not be read back, as a *BodyError, or nil. Code that
// concludes anything from bodies calls it before it uses the conclusion.
func (h *History) Err() error {
	if h.filed == nil {
		return nil
	}
	h.filed.mu.Lock()
	defer h.filed.mu.Unlock()
	return h.filed.err
}

// begins reports whether the blob's forms begin as JSON objects do.
func (h *History) begins(digest string) (asJSON, asBytes bool) {
	if h.filed == nil || h.Blobs != nil {
		b := h.Blobs[digest]
		return beginsObject(b.JSON), beginsObject(b.Bytes)
	}
	at := h.filed.at[digest]
	return at.json.object, at.bytes.object
}

func beginsObject(content []byte) bool { return len(content) > 0 && content[0] == '{' }

// add records the place of a blob's form in a line that begins at start.
func (f *filed) add(b Blob, line []byte, start int64) {
	known := f.at[b.Digest]
	content, form := []byte(b.JSON), &known.json
	if b.JSON == nil {
		content, form = []byte(base64.StdEncoding.EncodeToString(b.Bytes)), &known.bytes
	}
	at := bytes.Index(line, content)
	if at < 0 || len(content) == 0 { // empty, or written with escapes, which no run does
		at, content, known.kept = 0, nil, b.Bytes
	}
	*form = span{start + int64(at), int32(len(content)), beginsObject(b.JSON) || beginsObject(b.Bytes), maphash.Bytes(f.seed, content)}
	f.at[b.Digest] = known
}

func (f *filed) blob(digest string) Blob {
	at, held := f.at[digest]
	if !held {
		return Blob{}
	}
	b, err := f.read(digest, at)
	if err != nil {
		f.fail(&BodyError{File: f.name, Digest: digest, Err: err})
		return Blob{}
	}
	return b
}

func (f *filed) fail(err *BodyError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// read reads the forms of a blob. The file may have changed meanwhile.
func (f *filed) read(digest string, at filedBlob) (Blob, error) {
	file, err := servers.OpenRegular(f.name)
	if err != nil {
		return Blob{}, err
	}
	defer file.Close()
	b := Blob{Digest: digest, Bytes: at.kept}
	if b.JSON, err = f.content(file, at.json); err != nil {
		return Blob{}, err
	}
	text, err := f.content(file, at.bytes)
	if err == nil && text != nil {
		b.Bytes, err = base64.StdEncoding.AppendDecode(nil, text)
	}
	return b, err
}

// content returns what the file contains at the place now, if its hash is still the one that
// was compared with the digest; nil if nothing was recorded.
func (f *filed) content(file io.ReaderAt, s span) ([]byte, error) {
	if s.length == 0 {
		return nil, nil
	}
	content := make([]byte, s.length)
	if _, err := file.ReadAt(content, s.start); err != nil {
		return nil, err
	}
	if maphash.Bytes(f.seed, content) != s.sum {
		return nil, errChanged
	}
	return content, nil
}
