package object

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// member is one field of a message as clients see it: fields of embedded structs belong to the
// embedding struct, and an outer field hides an inner one of the same Go name.
type member struct {
	reflect.StructField
	name      string // in JSON
	omitEmpty bool
	number    int // in protobuf; 0 if it has none
}

// shape is the information about a struct that codecs need.
type shape struct {
	members []member // as they are declared, but for a TypeMeta's
	tagged  []member // those in protobuf, in the order of their numbers
	numbers map[int]member
}

var shapes sync.Map // reflect.Type -> *shape

func shapeOf(t reflect.Type) *shape {
	if known, ok := shapes.Load(t); ok {
		return known.(*shape)
	}
	s := &shape{numbers: map[int]member{}}
	for _, f := range reflect.VisibleFields(t) {
		m := newMember(f)
		if m.inlined() || !inlinedDown(t, f.Index[:len(f.Index)-1]) {
			continue
		}
		s.members = append(s.members, m)
		if m.number != 0 {
			s.tagged = append(s.tagged, m)
			s.numbers[m.number] = m
		}
	}
	slices.SortStableFunc(s.tagged, func(a, b member) int { return cmp.Compare(a.number, b.number) })
	shapes.Store(t, s)
	return s
}

func newMember(f reflect.StructField) member {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	m := member{StructField: f, name: name, omitEmpty: strings.Contains(options, "omitempty")}
	if parts := strings.Split(f.Tag.Get("protobuf"), ","); len(parts) > 1 {
		m.number, _ = strconv.Atoi(parts[1])
	}
	return m
}

func (m member) inlined() bool { return m.Anonymous && m.name == "" }

// inlinedDown reports whether all structs on the path to a field are inlined. Fields of a named
// embedded struct do not belong to the embedding one. The codec handles kind and version.
func inlinedDown(t reflect.Type, index []int) bool {
	for i := range index {
		f := t.FieldByIndex(index[:i+1])
		if !newMember(f).inlined() || f.Type == reflect.TypeFor[TypeMeta]() {
			return false
		}
	}
	return true
}
