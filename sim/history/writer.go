package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/zstd"
)

// FileName is the history's name inside a run directory. PlainFileName is that of one that is not compressed:
// of earlier versions, or unpacked by somebody.
const (
	FileName      = "history.jsonl.zst"
	PlainFileName = "history.jsonl"
)

// digestLength is how many hex digits of a SHA-256 name a blob: 128 bits are enough to be
// unique, and make every reference half as long.
const digestLength = 32

// Writer appends records to a history during a run. It may be used from several goroutines.
// Each record is one write of a whole block, so a killed run leaves at most one cut line.
type Writer struct {
	mu      sync.Mutex
	file    *os.File
	start   time.Time
	blobs   map[blobForm]bool
	lines   int
	line    bytes.Buffer // the record that is written
	sum     hash.Hash    // of all lines so far
	encoder *zstd.Encoder
	frame   int          // size of the lines in the frame that is written
	blocks  bytes.Buffer // output of the encoder that the file does not have yet
	err     error
}

// blobForm is a blob in one of its forms.
type blobForm struct {
	digest string
	json   bool
}

// Create starts the history of a run in dir, which must not hold one yet.
func Create(dir string, h Header) (*Writer, error) {
	name := filepath.Join(dir, FileName)
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	w := &Writer{file: f, start: time.Now(), sum: sha256.New(), blobs: map[blobForm]bool{}}
	if w.encoder, err = newEncoder(&w.blocks); err != nil {
		return nil, errors.Join(fmt.Errorf("history: %w", err), f.Close())
	}
	h.SchemaVersion, h.Confidential, h.Intents = SchemaVersion, NotForPublishing, true
	h.Started = w.start.UTC()
	if err := w.Write(Record{Header: &h}); err != nil {
		f.Close()
		return nil, err
	}
	return w, nil
}

// Write appends one record and sets its At. After the first error every further call returns
// that error: a history with a gap is not evidence.
func (w *Writer) Write(r Record) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.append(r)
}

func (w *Writer) append(r Record) error {
	if w.err != nil {
		return w.err
	}
	if r.End != nil {
		end := *r.End
		end.Digest = hex.EncodeToString(w.sum.Sum(nil))[:digestLength]
		r.End = &end
	}
	w.lines++
	r.N, r.At = w.lines, time.Since(w.start).Seconds()
	if w.line.Reset(); w.line.Cap() > maxFrame {
		w.line = bytes.Buffer{}
	}
	enc := json.NewEncoder(&w.line)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		w.err = fmt.Errorf("history: encode a record: %w", err)
		return w.err
	}
	w.sum.Write(w.line.Bytes())
	if err := w.compress(w.line.Bytes()); err != nil {
		w.err = fmt.Errorf("history: the evidence can no longer be written: %w", err)
	}
	return w.err
}

// compress writes a line to the file as a block, and ends the frame if it is large enough.
func (w *Writer) compress(line []byte) error {
	_, err := w.encoder.Write(line)
	if w.frame += len(line); w.frame < maxFrame {
		err = errors.Join(err, w.encoder.Flush())
	} else {
		err = errors.Join(err, w.endFrame())
	}
	return errors.Join(err, w.flush())
}

// endFrame ends the frame. The next line begins another.
func (w *Writer) endFrame() error {
	err := w.encoder.Close()
	w.encoder.Reset(&w.blocks)
	w.frame = 0
	return err
}

// flush writes what the encoder has put out.
func (w *Writer) flush() error {
	_, err := w.file.Write(w.blocks.Bytes())
	w.blocks.Reset()
	return err
}

// Body records a request's or an answer's body once and returns its digest. A
// JSON body is stored with sorted keys, so that equal objects are one blob.
// The empty body has the empty digest.
func (w *Writer) Body(body []byte) (string, error) {
	if len(body) == 0 {
		return "", nil
	}
	if canonical, ok := canonicalJSON(body); ok {
		return w.blob(Blob{JSON: canonical}, canonical)
	}
	return w.Bytes(body)
}

// Document records a decoded JSON body, with numbers as json.Number: it does the same as Body
// for callers that have decoded the body anyway.
func (w *Writer) Document(v any) (string, error) {
	canonical, err := sortedJSON(v)
	if err != nil {
		return "", fmt.Errorf("history: encode a body: %w", err)
	}
	return w.blob(Blob{JSON: canonical}, canonical)
}

// Bytes records a stored value unchanged and returns its digest.
func (w *Writer) Bytes(value []byte) (string, error) {
	return w.blob(Blob{Bytes: value}, value)
}

func (w *Writer) blob(b Blob, content []byte) (string, error) {
	b.Digest = Digest(content)
	w.mu.Lock()
	defer w.mu.Unlock()
	// The same content may be a body here and a stored value there.
	as := blobForm{b.Digest, b.JSON != nil}
	if w.blobs[as] {
		return b.Digest, w.err
	}
	w.blobs[as] = true
	return b.Digest, w.append(Record{Blob: &b})
}

// Close flushes the history to disk. It does not repeat an error that an earlier call has
// returned.
func (w *Writer) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.blobs = map[blobForm]bool{} // the process that recorded a run also judges it
	var err error
	if w.frame > 0 && w.err == nil {
		err = errors.Join(w.endFrame(), w.flush())
	}
	err = errors.Join(err, w.file.Sync(), w.file.Close())
	if err == nil || w.err != nil {
		return nil
	}
	w.err = fmt.Errorf("history: %w", err)
	return w.err
}

// Digest names a blob by its content.
func Digest(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])[:digestLength]
}

// canonicalJSON returns the body with sorted keys and without spaces, and false if it is not a
// JSON document. Numbers keep their digits.
func canonicalJSON(body []byte) (json.RawMessage, bool) {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil || !utf8.Valid(body) {
		return nil, false
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, false // something follows the document
	}
	canonical, err := sortedJSON(v)
	return canonical, err == nil
}

func sortedJSON(v any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(out.Bytes(), "\n"), nil
}
