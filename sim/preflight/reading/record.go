package reading

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// Record is what a server makes of one stored value.
type Record struct {
	Key string `json:"key"`
	// APIVersion and Kind are those of the stored bytes.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	// Form is the version that the object was read in; "": the server does not serve the kind.
	Form      string `json:"form,omitempty"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Revision  int64  `json:"revision"` // of the last write
	// Code and Message are the answer to the GET; Message is "" for success, and for an object that a LIST showed.
	Code    int    `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Gone reports that nothing is stored under the key any more: a server deleted the object while the
	// others were read.
	Gone bool `json:"gone,omitempty"`
	// Object is what the GET returned, or the same as a LIST shows it; nil: no success.
	Object json.RawMessage `json:"object,omitempty"`
	Tries  []Try           `json:"tries,omitempty"`
}

// Decodes reports whether the server returned the object.
func (r Record) Decodes() bool { return r.Object != nil }

// Unanswered reports whether the GET got no answer that decides anything.
func (r Record) Unanswered() bool {
	return r.Form != "" && r.Object == nil && r.Message != "" && undecided(r.Code, r.Message)
}

// Fails reports whether the server serves the kind and cannot read the object, although it is
// stored.
func (r Record) Fails() bool {
	return r.Form != "" && r.Object == nil && answer(r.Code, r.Message).Ending() == ruling.CannotRead && !undecided(r.Code, r.Message)
}

// Try is one dry run of a write with its answer.
type Try struct {
	Write   Write   `json:"write"`
	Code    int     `json:"code"`
	Message string  `json:"message,omitempty"`
	Causes  []Cause `json:"causes,omitempty"`
	// Edit is what an Edit changes; nil for any other write.
	Edit *FieldEdit `json:"edit,omitempty"`
	// Warning is what an admission policy warned of; "": nothing.
	Warning string `json:"warning,omitempty"`
	// Again reports that the server accepted the same when everything was read again.
	Again bool `json:"again,omitempty"`
}

// Refused reports whether the server answered with a refusal that another try would get too.
func (t Try) Refused() bool {
	return answer(t.Code, t.Message).OfWrite() == term.Frozen && !t.Unanswered()
}

// Unanswered reports whether no answer decides anything: none came, or only that of a server that
// was busy or met another write, or one of two that contradict each other.
func (t Try) Unanswered() bool { return t.Again || undecided(t.Code, t.Message) }

// accepted reports whether the server accepted the write.
func (t Try) accepted() bool { return !t.Refused() && !t.Unanswered() }

// OfObject reports whether the write is one of the object as it is: not of the Pod that it makes, of a change, or of a new
// object.
func (t Try) OfObject() bool { return t.Write != Template && t.Write != Edit && t.Write != Create }

// undecided reports whether an answer says nothing about the object, and would not either if it
// were asked for again: it needs the conversion webhook, which the copy does not have.
func undecided(code int, message string) bool {
	return answer(code, message).OfWrite() == term.Indeterminate || strings.Contains(message, seclusion.Unreachable)
}

func answer(code int, message string) ruling.Answer {
	return ruling.Answer{Code: code, Message: message}
}

// isBusy reports whether a request is worth another try: 0 is no answer at all, and a conflict that of a server
// that met another write.
func isBusy(code int) bool { return code == 0 || code == http.StatusConflict || statuscode.Busy(code) }

// Cause is a server's words about one field.
type Cause struct {
	Field  string `json:"field"`
	Reason string `json:"reason,omitempty"`
	// Message is what the server says of the field.
	Message string `json:"message,omitempty"`
}

// Path returns the path of the field; "" if the cause names none, as those of admission policies, or is about the
// object as a whole, which servers spell <nil>. Of some formats, the message alone names the field.
func (c Cause) Path() string {
	field := strings.Trim(c.Field, ".")
	if field == "" || field == "<nil>" {
		if named := inMessage.FindStringSubmatch(c.Message); named != nil {
			return "." + named[1]
		}
		return ""
	}
	return "." + field
}

// inMessage finds the field at the end of a message: must be of type integer with format int32 in spec.list[1].
var inMessage = regexp.MustCompile(`must be of type .* in ([A-Za-z][\w$-]*(?:\.[\w$-]+|\[[0-9]+\])*)$`)

// Fields returns the fields that the answer names, as the server spells them.
func (t Try) Fields() (all []string) {
	for _, c := range t.Causes {
		if c.Path() != "" {
			all = append(all, c.Path()[1:])
		}
	}
	return all
}

// Find returns the try of a write.
func (r Record) Find(w Write) (Try, bool) {
	for _, t := range r.Tries {
		if t.Write == w {
			return t, true
		}
	}
	return Try{}, false
}

// earlier reads the records of a file in the order of keys, beside another reading of them.
type earlier struct {
	next   func() (*Record, error)
	closed func() error
	at     *Record
}

func openEarlier(name string) (e *earlier, err error) {
	e = &earlier{}
	e.next, e.closed, err = open(name)
	return e, err
}

// of returns what was tried of a key; nil if the file does not have it. Keys are asked for in their order.
func (e *earlier) of(key string) ([]Try, error) {
	r, err := e.record(key)
	if r == nil {
		return nil, err
	}
	return r.Tries, err
}

// record returns the record of a key; nil if the file does not have it. Keys are asked for in their order.
func (e *earlier) record(key string) (_ *Record, err error) {
	for e.at == nil || e.at.Key < key {
		if e.at, err = e.next(); err == io.EOF {
			e.at = &Record{Key: last}
		} else if err != nil {
			return nil, err
		}
	}
	if e.at.Key != key {
		return nil, nil
	}
	return e.at, nil
}

// last is after every key.
const last = "\xff"

// file writes records.
type file struct {
	f    *os.File
	zip  *gzip.Writer
	json *json.Encoder
}

func create(name string) (*file, error) {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	seal, err := sealed(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	zip, err := gzip.NewWriterLevel(seal, gzip.BestSpeed)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &file{f, zip, json.NewEncoder(zip)}, nil
}

func (w *file) close() error { return errors.Join(w.zip.Close(), w.f.Close()) }

// open returns what reads the records of a file one after the other, io.EOF after the last one.
func open(name string) (next func() (*Record, error), closed func() error, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	plain, err := opened(bufio.NewReaderSize(f, 1<<16))
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	zip, err := gzip.NewReader(plain)
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	decoder := json.NewDecoder(zip)
	return func() (*Record, error) {
		r := &Record{}
		if err := decoder.Decode(r); err != nil {
			if err == io.EOF {
				return nil, io.EOF
			}
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return r, nil
	}, f.Close, nil
}

// Keep writes records, in the order of their keys, into a file that must not exist.
func Keep(name string, all []Record) error {
	f, err := create(name)
	if err != nil {
		return err
	}
	for _, r := range all {
		err = errors.Join(err, f.json.Encode(r))
	}
	return errors.Join(err, f.close())
}

// Each calls each with every record of a file.
func Each(name string, each func(*Record) error) error {
	next, closed, err := open(name)
	if err != nil {
		return err
	}
	defer closed() // it was only read
	for {
		r, err := next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := each(r); err != nil {
			return err
		}
	}
}

// Compare calls each with the records of two files by key: both, or only one where the other file
// has none.
func Compare(first, second string, each func(first, second *Record) error) error {
	nextFirst, closeFirst, err := open(first)
	if err != nil {
		return err
	}
	defer closeFirst()
	nextSecond, closeSecond, err := open(second)
	if err != nil {
		return err
	}
	defer closeSecond()
	a, errA := nextFirst()
	b, errB := nextSecond()
	for {
		switch {
		case errA != nil && errA != io.EOF:
			return errA
		case errB != nil && errB != io.EOF:
			return errB
		case a == nil && b == nil:
			return nil
		}
		x, y := a, b
		if b != nil && (a == nil || b.Key < a.Key) {
			x = nil
		}
		if a != nil && (b == nil || a.Key < b.Key) {
			y = nil
		}
		if err := each(x, y); err != nil {
			return err
		}
		if x != nil {
			a, errA = nextFirst()
		}
		if y != nil {
			b, errB = nextSecond()
		}
	}
}
