package oracle

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// foreign tells whether a stored value that a release does not read holds, under
// some tag or name, what no value holds which that release was seen to read of the
// same version and encoding: it takes the tag, or the name, for another field's.
func (e *evidence) foreign(role term.Role, c history.Change) bool {
	known := e.calls.shapes[role]
	if known == nil {
		known = e.shapesRead(role)
		e.calls.shapes[role] = known
	}
	for shape := range e.shapesOf(c) {
		if !known[shape] {
			return true
		}
	}
	return false
}

// shapesRead are the shapes of all values that a release was seen to read.
func (e *evidence) shapesRead(role term.Role) map[string]bool {
	all := map[string]bool{}
	for _, l := range e.byCopy {
		for _, v := range l.versions {
			if len(v.views[role]) == 0 {
				continue
			}
			for shape := range e.shapesOf(v.change) {
				all[shape] = true
			}
		}
	}
	return all
}

// shapesOf are the places of a stored value's scalars, each with the form it is
// written in. Metadata is the same in all kinds: in messages it is field 1.
func (e *evidence) shapesOf(c history.Change) map[string]bool {
	all := map[string]bool{}
	add := func(at string, form any) { all[fmt.Sprint(c.Encoding, " ", storedIn(c), " ", at, " ", form)] = true }
	content := storage.Read(bytesOf(e.history.Body(c.Value)))
	for _, f := range content.Fields {
		if f.ID != 1 {
			eachField("", []storage.Field{f}, func(at string, f storage.Field) { add(at, f.Wire) })
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
