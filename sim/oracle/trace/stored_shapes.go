package trace

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// foreign reports whether a stored value that a release does not read holds a scalar under some
// tag or name that no value holds which the release was seen to read in the same version and
// encoding: the release takes the tag, or the name, for another field's.
func foreign(ev *Evidence, role term.Role, c history.Change) bool {
	known := ev.shapes[role]
	if known == nil {
		known = shapesRead(ev, role)
		ev.shapes[role] = known
	}
	for shape := range shapesOf(ev, c) {
		if !known[shape] {
			return true
		}
	}
	return false
}

// shapesRead returns the shapes of all values that a release was seen to read.
func shapesRead(ev *Evidence, role term.Role) map[string]bool {
	all := map[string]bool{}
	for _, tl := range ev.Timelines {
		for _, v := range tl.Versions {
			if len(v.Views[role]) == 0 {
				continue
			}
			for shape := range shapesOf(ev, v.Change) {
				all[shape] = true
			}
		}
	}
	return all
}

// shapesOf returns the places of a stored value's scalars, each with the form in which it is
// written. Metadata is the same in all kinds: it is field 1 of a message.
func shapesOf(ev *Evidence, c history.Change) map[string]bool {
	all := map[string]bool{}
	add := func(at string, form any) {
		all[fmt.Sprint(c.Encoding, " ", VersionText(c), " ", at, " ", form)] = true
	}
	content := storage.Read(BytesOf(ev.History.Body(c.Value)))
	for _, f := range content.Fields {
		if f.ID != 1 {
			EachField("", []storage.Field{f}, func(at string, f storage.Field) { add(at, f.Wire) })
		}
	}
	for name, v := range content.Object {
		if name != "metadata" {
			eachMember("."+name, v, add)
		}
	}
	return all
}

// eachMember visits the scalars of a value, all the way down.
func eachMember(at string, v any, visit func(at string, form any)) {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			eachMember(at+"."+name, member, visit)
		}
	case []any:
		for _, element := range v {
			eachMember(at+"[]", element, visit)
		}
	default:
		visit(at, fmt.Sprintf("%T", v))
	}
}

// BytesOf returns a body as it was recorded, whether or not it is JSON.
func BytesOf(b history.Blob) []byte {
	if len(b.Bytes) > 0 {
		return b.Bytes
	}
	return b.JSON
}

// EachField visits the fields of a message that hold values, all the way down.
func EachField(above string, fields []storage.Field, visit func(string, storage.Field)) {
	for _, f := range fields {
		at := fmt.Sprintf("%s.%d", above, f.ID)
		if f.Form == storage.Message {
			EachField(at, f.Fields, visit)
			continue
		}
		visit(at, f)
	}
}
