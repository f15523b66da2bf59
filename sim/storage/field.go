package storage

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// Wire is how protobuf writes a field's value.
type Wire int

// The wire types that Kubernetes' messages use. Groups are left out: no
// generator writes them any more.
const (
	Varint  Wire = 0
	Fixed64 Wire = 1
	Length  Wire = 2
	Fixed32 Wire = 5
)

// Form is what a field's value was read as.
type Form string

// The forms. Protobuf itself does not tell those of wire type Length apart.
const (
	Number  Form = "number"
	Text    Form = "text"
	Message Form = "message"
	Stored  Form = "stored" // a value in an envelope of its own
	Bytes   Form = "bytes"  // none of those
)

// Field is one field of a protobuf message. Which of its last members is set
// its Form says.
type Field struct {
	ID      int // the field's number in its message
	Wire    Wire
	Form    Form
	Number  uint64
	Bytes   []byte // of text too
	Fields  []Field
	Content *Content // of what is stored inside
}

// message reads a whole message. It takes nothing before it has seen that all
// of it can be taken, so that no byte is read more often than it is nested deep.
func (r *reader) message(raw []byte, depth int) ([]Field, bool) {
	count, ok := countFields(raw)
	if !ok || r.over(count, depth) {
		return nil, false
	}
	r.left -= count
	fields := make([]Field, 0, count)
	for len(raw) > 0 {
		f, size, _ := cutField(raw)
		raw = raw[size:]
		if f.Wire == Length {
			r.interpret(&f, depth+1)
		}
		fields = append(fields, f)
	}
	return fields, true
}

// over reports whether a bound is exceeded, and records which.
func (r *reader) over(count, depth int) bool {
	switch {
	case depth > maxDepth:
		r.beyond = fmt.Sprintf("it is nested deeper than %d: what is further down is left as bytes", maxDepth)
	case count > r.left:
		r.beyond = fmt.Sprintf("it has more than %d fields: some are left as bytes", maxMembers)
	default:
		return false
	}
	return true
}

// countFields counts a message's own fields, and reports whether it is a message.
func countFields(raw []byte) (int, bool) {
	count := 0
	ok := eachField(raw, func(Field) bool { count++; return true })
	return count, ok
}

// cutField reads the field that raw starts with, and how long it is.
func cutField(raw []byte) (Field, int, bool) {
	tag, size := binary.Uvarint(raw)
	if size <= 0 || tag>>3 < 1 || tag>>3 > 1<<29-1 {
		return Field{}, 0, false
	}
	f := Field{ID: int(tag >> 3), Wire: Wire(tag & 7), Form: Number}
	rest := raw[size:]
	switch {
	case f.Wire == Varint:
		v, n := binary.Uvarint(rest)
		f.Number = v
		return f, size + n, n > 0
	case f.Wire == Fixed64 && len(rest) >= 8:
		f.Number = binary.LittleEndian.Uint64(rest)
		return f, size + 8, true
	case f.Wire == Fixed32 && len(rest) >= 4:
		f.Number = uint64(binary.LittleEndian.Uint32(rest))
		return f, size + 4, true
	case f.Wire == Length:
		length, n := binary.Uvarint(rest)
		if n <= 0 || length > uint64(len(rest)-n) {
			return Field{}, 0, false
		}
		f.Form, f.Bytes = Bytes, rest[n:n+int(length)]
		return f, size + n + int(length), true
	}
	return Field{}, 0, false
}

// interpret reads a field of bytes as what it most likely is. Text comes before
// messages, for a short word may be one: "x1" is field 15 with 49. What starts
// with the tag of a first field, which is a line break as text, is a message
// when it is one to its last byte.
func (r *reader) interpret(f *Field, depth int) {
	switch {
	case bytes.HasPrefix(f.Bytes, protobufPrefix):
		r.open(f, depth)
		return
	case len(f.Bytes) == 0 || f.Bytes[0] != '\n' && readable(f.Bytes):
		f.Form = Text
		return
	}
	if fields, ok := r.message(f.Bytes, depth); ok {
		f.Form, f.Fields, f.Bytes = Message, fields, nil
	} else if readable(f.Bytes) {
		f.Form = Text
	}
}

// open reads a field that looks like an envelope of its own.
func (r *reader) open(f *Field, depth int) {
	if r.over(0, depth) {
		return
	}
	if c := r.read(f.Bytes, depth); c.Encoding == Protobuf {
		f.Form, f.Content = Stored, &c
	}
}

// readable reports whether bytes are text that people could have written.
func readable(text []byte) bool {
	for i := 0; i < len(text); {
		c, size := utf8.DecodeRune(text[i:])
		if c == utf8.RuneError && size < 2 || !unicode.IsPrint(c) && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
		i += size
	}
	return true
}
