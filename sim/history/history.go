package history

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// History is the whole record of a run, as loaded.
type History struct {
	Header     Header
	Releases   map[term.Role]Release
	Stages     []Stage
	Servers    []Server
	Intents    []Intent // including those of unanswered writes
	Operations []Operation
	Listings   []Listing
	Watches    []Watch
	Trials     []Trial
	Changes    []Change
	Skips      []Skip
	End        *End // nil: the run was killed
	// Blobs are the bodies of a history in memory, by digest. Nil: it was loaded from a file,
	// which still has them. History.Body finds both.
	Blobs   map[string]Blob
	Seconds float64  // At of the last record
	Size    int64    // of its lines, in bytes
	Damage  []string // what could not be read, by line
	// Unsettled is how many lines are left out at the end of a history without an End: those
	// after the last moment without a request under way.
	Unsettled int

	ahead int // difference between line numbers and the records' own numbers
	words map[string]string

	unlisted int // number of damages beyond maxDamage

	settling settling

	bodies *bodyFile // nil: they are in Blobs
}

// Complete reports whether the run ended by itself and every line could be read.
func (h *History) Complete() bool {
	return h.End != nil && h.End.Outcome == Finished && len(h.Damage) == 0
}

// Object returns a blob's content as a JSON object, or nil. Integers are int64, as in
// apimachinery.
func (h *History) Object(digest string) map[string]any {
	if !h.HasObject(digest) {
		return nil
	}
	return decodeObject(h.Body(digest).JSON)
}

// HasObject reports whether a blob's content is a JSON object, without reading it.
func (h *History) HasObject(digest string) bool {
	asJSON, _ := h.begins(digest)
	return asJSON
}

// StoredObject returns a blob's content as [History.Object] does, also for a value that is
// stored as JSON, which is recorded as bytes.
func (h *History) StoredObject(digest string) map[string]any {
	if !h.HasStoredObject(digest) {
		return nil
	}
	b := h.Body(digest)
	if b.JSON == nil {
		return decodeObject(b.Bytes)
	}
	return decodeObject(b.JSON)
}

// HasStoredObject reports whether a blob's content is a JSON object, or looks like a stored
// one, without reading it.
func (h *History) HasStoredObject(digest string) bool {
	asJSON, asBytes := h.begins(digest)
	return asJSON || asBytes
}

// NoneError reports that a directory is not a run directory.
type NoneError struct{ Dir string }

// Error names the directory and what to do.
func (e *NoneError) Error() string {
	return fmt.Sprintf("%s: holds no %s: give the directory that a run left (default out/<scenario>)", e.Dir, FileName)
}

// Fault returns that the user gave the directory.
func (e *NoneError) Fault() fault.Fault { return fault.Fault{Kind: fault.User} }

func openFile(dir string) (*os.File, error) {
	f, err := servers.OpenRegular(filepath.Join(dir, FileName))
	if errors.Is(err, os.ErrNotExist) {
		f, err = servers.OpenRegular(filepath.Join(dir, PlainFileName))
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, &NoneError{dir}
	}
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return f, nil
}

// Load reads the history in a run directory. It reads a file with a cut last line or damaged
// lines as far as possible: see History.Damage. A file without a header is an error, because it
// cannot be interpreted; a directory without a history is a *NoneError.
func Load(dir string) (*History, error) {
	return load(dir, bodyRooms(dir))
}

func load(dir string, rooms []func() (room, error)) (*History, error) {
	f, err := openFile(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	bodies, err := newBodyFile(dir, rooms)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	return decode(f, isNamedCompressed(f), &History{bodies: bodies})
}

// ReadHeader reads no more than the header of the history in a run directory. Its errors are those of Load.
func ReadHeader(dir string) (Header, error) {
	f, err := openFile(dir)
	if err != nil {
		return Header{}, err
	}
	defer f.Close()
	h := &History{}
	in, err := newLines(f, isNamedCompressed(f), h.damaged)
	if err != nil {
		return Header{}, fmt.Errorf("history: %w", err)
	}
	line, err := in.next()
	if err != nil && err != io.EOF {
		return Header{}, fmt.Errorf("history: line 1: %w", err)
	}
	var r Record
	if err := json.Unmarshal(line, &r); err != nil && len(line) > 0 {
		h.damaged("line 1: damaged: %v", err)
	}
	if r.Header != nil {
		h.Header = *r.Header
	}
	return h.Header, h.checkHeader()
}

func isNamedCompressed(f *os.File) bool { return filepath.Base(f.Name()) == FileName }

// Decode reads a history from r into memory, its bodies too; see Load.
func Decode(r io.Reader) (*History, error) {
	return decode(r, false, &History{Blobs: map[string]Blob{}})
}

func decode(r io.Reader, byName bool, h *History) (*History, error) {
	h.Releases, h.words = map[term.Role]Release{}, map[string]string{}
	in, err := newLines(r, byName, h.damaged)
	if err != nil {
		return nil, fmt.Errorf("history: %w", err)
	}
	if err := h.read(in); err != nil {
		return nil, err
	}
	if err := h.checkHeader(); err != nil {
		return nil, err
	}
	h.words = nil
	h.settle()
	h.compact()
	h.checkReferences()
	if h.unlisted > 0 {
		h.Damage = append(h.Damage, "and "+term.Numbered(h.unlisted, "more damage"))
	}
	return h, nil
}

// checkHeader returns an error if the history has no header, or one of another form.
func (h *History) checkHeader() error {
	version := h.Header.SchemaVersion
	switch {
	case version == "" && len(h.Damage) > 0:
		return fmt.Errorf("%s: its first line is no header: %s", FileName, h.Damage[0])
	case version == "":
		return fmt.Errorf("%s: its first line is no header: not a history, or cut before the run began", FileName)
	case version != SchemaVersion && version != firstSchemaVersion:
		return fmt.Errorf("%s: has form %q, and this skewsim reads %q and %q", FileName, version, SchemaVersion, firstSchemaVersion)
	}
	return nil
}

// compact gives up the room that lists kept while they grew: of a large run's that is tens
// of megabytes.
func (h *History) compact() {
	h.Intents, h.Operations, h.Listings = slices.Clone(h.Intents), slices.Clone(h.Operations), slices.Clone(h.Listings)
	h.Watches, h.Trials, h.Changes = slices.Clone(h.Watches), slices.Clone(h.Trials), slices.Clone(h.Changes)
	for i, stage := range h.Header.Plan.Stages {
		h.Header.Plan.Stages[i].Steps = slices.Clone(stage.Steps)
	}
}

func (h *History) read(in *lines) error {
	for n := 1; ; n++ {
		line, err := in.next()
		switch {
		case errors.Is(err, errLong):
			h.damaged("line %d: is longer than %d bytes, which no record is", n, maxLine)
		case len(line) > 0:
			if err := h.addLine(n, line, err == nil, in); err != nil {
				return fmt.Errorf("history: %w", err)
			}
		case in.cut():
			h.cutShort(n)
		}
		if err == io.EOF {
			h.Size = in.size
			if err := h.bodies.flush(); err != nil {
				return fmt.Errorf("history: %w", err)
			}
			return nil
		}
		if err != nil && !errors.Is(err, errLong) {
			return fmt.Errorf("history: line %d: %w", n, err)
		}
		if h.unlisted > maxUnlisted {
			return fmt.Errorf("history: line %d: too much of it is damaged, first: %s", n, h.Damage[0])
		}
	}
}

const (
	// maxDamage is how many damages are reported individually.
	maxDamage = 1000
	// maxUnlisted is how many more a history may have. One byte or one gap damages a line or two; a few bytes that
	// repeat a line any number of times damage each.
	maxUnlisted = 100_000
)

// damaged records a damage; beyond maxDamage it only counts them.
func (h *History) damaged(format string, args ...any) {
	if len(h.Damage) == maxDamage {
		h.unlisted++
		return
	}
	h.Damage = append(h.Damage, fmt.Sprintf(format, args...))
}

// checkReferences reports bodies that records refer to and the history does not contain.
func (h *History) checkReferences() {
	missing := map[string]bool{}
	for _, op := range h.Operations {
		x := op.Exchange
		missing[x.Sent], missing[x.Answer], missing[x.SentBytes], missing[x.AnswerBytes] = true, true, true, true
	}
	for _, l := range h.Listings {
		missing[l.Exchange.Answer] = true
		for _, item := range l.Items {
			missing[item.Answer] = true
		}
	}
	for _, w := range h.Watches {
		missing[w.Answer] = true
	}
	for _, t := range h.Trials {
		missing[t.Answer], missing[t.Value] = true, true
	}
	for _, c := range h.Changes {
		missing[c.Value] = true
	}
	delete(missing, "")
	maps.DeleteFunc(missing, func(digest string, _ bool) bool { return h.Holds(digest) })
	for _, digest := range slices.Sorted(maps.Keys(missing)) {
		h.damaged("the body %s, which a record names, is missing", digest)
	}
}

func (h *History) cutShort(n int) {
	h.damaged("line %d: cut short or damaged: a kill, a full disk or a changed byte ended it", n)
}

// addLine adds a line, the last one read so far. It returns only errors of writing.
func (h *History) addLine(n int, line []byte, whole bool, in *lines) error {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		if !whole {
			h.cutShort(n)
			return nil
		}
		h.damaged("line %d: damaged: %v", n, err)
		return nil
	}
	if r.N != n-h.ahead {
		h.damaged("line %d: is record %d: records before it are missing, or stand elsewhere", n, r.N)
		h.ahead = n - r.N // reported once for each gap
	}
	h.Seconds = max(h.Seconds, r.At)
	switch {
	case h.End != nil:
		h.damaged("line %d: stands behind the end", n)
	case r.Blob != nil && !r.Blob.whole():
		h.damaged("line %d: its content is not what its digest names", n)
		return nil // content that does not match its digest is not evidence
	case r.End != nil && r.End.Digest == "" && h.Header.Intents: // every version that writes intents writes it
		h.damaged("line %d: the end names no digest of the lines before it: the record was changed", n)
	case r.End != nil && r.End.Digest != "" && r.End.Digest != in.digest() && len(h.Damage) == 0:
		h.damaged("line %d: the lines before it are not those that were written: one of them was changed", n)
	}
	h.settling.before(h, r)
	var err error
	if r.Blob != nil {
		err = h.addBlob(*r.Blob)
	} else if !h.add(r, n) {
		h.damaged("line %d: holds no record", n)
	}
	h.settling.after(h, r, n)
	return err
}

// whole reports whether the blob's content matches its digest.
func (b Blob) whole() bool {
	return (b.JSON == nil || b.Bytes == nil) && Digest(b.content()) == b.Digest
}

// content returns what the digest names.
func (b Blob) content() []byte {
	if b.JSON != nil {
		return b.JSON
	}
	return b.Bytes
}

// addBlob joins the forms in which the same content was recorded.
func (h *History) addBlob(b Blob) error {
	share(h.words, &b.Digest)
	if h.bodies != nil {
		return h.bodies.add(b)
	}
	before := h.Blobs[b.Digest]
	if b.JSON == nil {
		b.JSON = before.JSON
	}
	if b.Bytes == nil {
		b.Bytes = before.Bytes
	}
	h.Blobs[b.Digest] = b
	return nil
}

// add adds the record of a line, and reports whether the line contained one.
func (h *History) add(r Record, n int) bool {
	h.shareWords(r)
	h.shareItems(r)
	switch {
	case r.Header != nil:
		h.Header = *r.Header
	case r.Release != nil:
		h.Releases[r.Release.Role] = *r.Release
	case r.Stage != nil:
		r.Stage.At, r.Stage.Line = r.At, n
		h.Stages = append(h.Stages, *r.Stage)
	case r.Server != nil:
		r.Server.At, r.Server.Line = r.At, n
		h.Servers = append(h.Servers, *r.Server)
	case r.Operation != nil:
		r.Operation.At, r.Operation.Line = r.At, n
		h.Operations = append(h.Operations, *r.Operation)
	case r.Listing != nil:
		r.Listing.At, r.Listing.Line = r.At, n
		h.Listings = append(h.Listings, *r.Listing)
	case r.Watch != nil:
		r.Watch.At, r.Watch.Line = r.At, n
		h.Watches = append(h.Watches, *r.Watch)
	case r.Trial != nil:
		r.Trial.At, r.Trial.Line = r.At, n
		h.Trials = append(h.Trials, *r.Trial)
	case r.Change != nil:
		r.Change.At, r.Change.Line = r.At, n
		h.Changes = append(h.Changes, *r.Change)
	case r.Skip != nil:
		r.Skip.Line = n
		h.Skips = append(h.Skips, *r.Skip)
	case r.Intent != nil:
		r.Intent.Line = n
		h.Intents = append(h.Intents, *r.Intent)
	case r.End != nil:
		h.End = r.End
	default:
		return false
	}
	return true
}
