package history

import (
	"bufio"
	"fmt"
	"iter"
	"maps"
	"sync"
)

// bodyFile has the bodies of a history, as they are, in a temporary file without a name, which goes with the
// process, or where there is room: bodies are most of a long run's history, and each is needed only while its copy is judged or
// drawn, but then some times and at once. Bodies are read from any goroutine. Nothing has to be closed, and
// a matrix can hold any number of histories.
type bodyFile struct {
	dir  string // of the run
	file *movable
	out  *bufio.Writer
	size int64
	at   map[string]bodyPlace // by digest

	mu  sync.Mutex
	err error // the first body that could not be read back
}

// bodyPlace is the place of a body's content, which is the same in both forms of a blob.
type bodyPlace struct {
	start       int64
	length      int32 // a line is no longer than maxLine
	json, bytes bool  // the forms in which the content was recorded
	object      bool  // the content begins as a JSON object does
}

// BodyError reports a body that could not be read back.
type BodyError struct {
	Dir, Digest string // Dir: of the run
	Err         error
}

// Error names the directory and the body, and says what to do.
func (e *BodyError) Error() string {
	return fmt.Sprintf("%s: the body %s cannot be read back from a temporary file: %v; judge the directory again", e.Dir, e.Digest, e.Err)
}

// Unwrap returns the cause.
func (e *BodyError) Unwrap() error { return e.Err }

// newBodyFile returns an empty file in the first of the rooms that there is.
func newBodyFile(dir string, rooms []func() (room, error)) (*bodyFile, error) {
	file := &movable{room: &memory{}, next: rooms}
	if err := file.move(); err != nil {
		return nil, err
	}
	return &bodyFile{dir: dir, file: file, out: bufio.NewWriterSize(file, 64<<10), at: map[string]bodyPlace{}}, nil
}

// add writes a body, or records that a body which is there has another form too.
func (f *bodyFile) add(b Blob) error {
	place, known := f.at[b.Digest]
	content := b.content()
	place.json, place.bytes = place.json || b.JSON != nil, place.bytes || b.JSON == nil
	if !known {
		place.start, place.length, place.object = f.size, int32(len(content)), beginsObject(content)
		f.size += int64(len(content))
	}
	f.at[b.Digest] = place
	if known {
		return nil
	}
	_, err := f.out.Write(content)
	return err
}

// flush makes what was added so far readable.
func (f *bodyFile) flush() error {
	if f == nil {
		return nil
	}
	return f.out.Flush()
}

// body reads a body.
func (f *bodyFile) body(digest string) Blob {
	at, held := f.at[digest]
	if !held {
		return Blob{}
	}
	b := Blob{Digest: digest}
	content := make([]byte, at.length)
	if _, err := f.file.ReadAt(content, at.start); err != nil {
		f.fail(&BodyError{Dir: f.dir, Digest: digest, Err: err})
		return Blob{}
	}
	if at.json {
		b.JSON = content
	}
	if at.bytes && len(content) > 0 {
		b.Bytes = content
	}
	return b
}

func (f *bodyFile) fail(err *BodyError) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
	}
}

// Body returns a blob with its content, or an empty one if the history does not contain it or
// cannot read it back: see History.Err.
func (h *History) Body(digest string) Blob {
	if h.bodies == nil || h.Blobs != nil {
		return h.Blobs[digest]
	}
	return h.bodies.body(digest)
}

// Holds reports whether the history contains a blob, without reading it.
func (h *History) Holds(digest string) bool {
	if h.bodies == nil || h.Blobs != nil {
		_, held := h.Blobs[digest]
		return held
	}
	_, held := h.bodies.at[digest]
	return held
}

// Digests yields the digests of all blobs, in no order.
func (h *History) Digests() iter.Seq[string] {
	if h.bodies == nil || h.Blobs != nil {
		return maps.Keys(h.Blobs)
	}
	return maps.Keys(h.bodies.at)
}

// Err returns the first body that could not be read back, as a *BodyError, or nil. Code that
// concludes anything from bodies calls it before it uses the conclusion.
func (h *History) Err() error {
	if h.bodies == nil {
		return nil
	}
	h.bodies.mu.Lock()
	defer h.bodies.mu.Unlock()
	return h.bodies.err
}

// begins reports whether the blob's forms begin as JSON objects do.
func (h *History) begins(digest string) (asJSON, asBytes bool) {
	if h.bodies == nil || h.Blobs != nil {
		b := h.Blobs[digest]
		return beginsObject(b.JSON), beginsObject(b.Bytes)
	}
	at := h.bodies.at[digest]
	return at.json && at.object, at.bytes && at.object
}

func beginsObject(content []byte) bool { return len(content) > 0 && content[0] == '{' }
