package storage

import (
	"bytes"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/apimachinery/pkg/util/json"
)

// The bounds of what is read. etcd accepts values of 1.5 MiB by default, and advises against
// more than 10: no API server has stored a larger value. A member takes a hundred times the
// memory of its two bytes.
const (
	maxValue   = 16 << 20
	maxMembers = 1 << 18
	maxDepth   = 64
)

// Content is a stored value as far as it can be read without its schema.
type Content struct {
	Envelope
	// Fields are what a protobuf value holds inside its envelope.
	Fields []Field
	// Object is what a JSON or CBOR value holds, its integers as int64.
	Object map[string]any
	// Unread says what could not be read and why, "" when all was.
	Unread string
}

// Read reads a stored value without its schema: by the wire format of
// protobuf, or as JSON or CBOR. It never fails: what it cannot read it says in
// Unread. The same bytes give the same Content, which shares them.
func Read(value []byte) Content { return (&reader{left: maxMembers}).read(value, 0) }

// reader reads one value, with all that is stored inside it.
type reader struct {
	left   int    // how many fields may still be read
	beyond string // the bound that was met, "" for none
}

func (r *reader) read(value []byte, depth int) Content {
	if len(value) > maxValue {
		return Content{Envelope: Envelope{Encoding: Opaque}, Unread: fmt.Sprintf("%d bytes, and at most %d are read", len(value), maxValue)}
	}
	c := Content{Envelope: Describe(value)}
	switch c.Encoding {
	case Protobuf:
		r.readProtobuf(&c, value[len(protobufPrefix):], depth)
	case JSON:
		c.readObject(value, func(raw []byte, into *map[string]any) error { return json.Unmarshal(raw, into) })
	case CBOR:
		c.readObject(value, func(raw []byte, into *map[string]any) error { return direct.Unmarshal(raw, into) })
	case YAML:
		c.Unread = "it is YAML, of which only the kind is read"
	case Encrypted:
		c.Unread = "it is encrypted, and the key is the server's"
	default:
		c.Unread = "it is neither protobuf, JSON nor CBOR as an API server writes them, or it is cut short"
	}
	return c
}

func (r *reader) readProtobuf(c *Content, message []byte, depth int) {
	u, _ := readUnknown(message) // Describe has read it
	if u.contentEncoding != "" {
		c.Unread = fmt.Sprintf("it is encoded as %q", u.contentEncoding)
		return
	}
	fields, ok := r.message(u.raw, depth)
	c.Fields, c.Unread = fields, r.beyond
	if !ok && r.beyond == "" {
		c.Unread = fmt.Sprintf("the %d bytes inside its envelope are no protobuf message, or one that is cut short", len(u.raw))
	}
}

// readObject bounds what decoding may take: a comma or a bracket is two bytes
// at most of the text, and hundreds of memory.
func (c *Content) readObject(value []byte, decode func([]byte, *map[string]any) error) {
	members := 0
	for _, sign := range []string{",", "{", "["} {
		members += bytes.Count(value, []byte(sign))
	}
	if members > maxMembers {
		c.Unread = fmt.Sprintf("it has some %d members, and at most %d are read", members, maxMembers)
		return
	}
	if err := decode(value, &c.Object); err != nil {
		c.Object, c.Unread = nil, err.Error()
	}
}
