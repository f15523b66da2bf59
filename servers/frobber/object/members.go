package object

import (
	"reflect"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// member is one field of a message as its clients know it: fields of embedded
// structs are the embedding struct's own, and one further out hides one of the
// same Go name further in.
type member struct {
	reflect.StructField
	name      string // in JSON
	omitEmpty bool
	number    int // in protobuf; 0 is none
}

// members lists a struct's members in the order they are declared in, but for
// its TypeMeta's.
func members(t reflect.Type) []member {
	if known, ok := membersOf.Load(t); ok {
		return known.([]member)
	}
	var all []member
	for _, f := range reflect.VisibleFields(t) {
		if m := newMember(f); !m.inlined() && inlinedDown(t, f.Index[:len(f.Index)-1]) {
			all = append(all, m)
		}
	}
	membersOf.Store(t, all)
	return all
}

var membersOf sync.Map // reflect.Type -> []member

func newMember(f reflect.StructField) member {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	m := member{StructField: f, name: name, omitEmpty: strings.Contains(options, "omitempty")}
	if parts := strings.Split(f.Tag.Get("protobuf"), ","); len(parts) > 1 {
		m.number, _ = strconv.Atoi(parts[1])
	}
	return m
}

func (m member) inlined() bool { return m.Anonymous && m.name == "" }

// inlinedDown tells whether all structs on the way to a field are inlined. A
// field of an embedded struct that has a name is not the embedding one's own.
// Kind and version are the codec's concern.
func inlinedDown(t reflect.Type, index []int) bool {
	for i := range index {
		f := t.FieldByIndex(index[:i+1])
		if !newMember(f).inlined() || f.Type == reflect.TypeFor[metav1.TypeMeta]() {
			return false
		}
	}
	return true
}
