package blame

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/storage"
)

// foreign tells whether a stored value that a release does not read holds, under
// some tag or name, what no value holds which that release was seen to read of the
// same version and encoding: it takes the tag, or the name, for another field's.
func foreign(tr *trace.Trace, role term.Role, c history.Change) bool {
	known := tr.Calls.Shapes[role]
	if known == nil {
		known = shapesRead(tr, role)
		tr.Calls.Shapes[role] = known
	}
	for shape := range shapesOf(tr, c) {
		if !known[shape] {
			return true
		}
	}
	return false
}

// shapesRead are the shapes of all values that a release was seen to read.
func shapesRead(tr *trace.Trace, role term.Role) map[string]bool {
	all := map[string]bool{}
	for _, tl := range tr.ByCopy {
		for _, v := range tl.Versions {
			if len(v.Views[role]) == 0 {
				continue
			}
			for shape := range shapesOf(tr, v.Change) {
				all[shape] = true
			}
		}
	}
	return all
}

// shapesOf are the places of a stored value's scalars, each with the form it is
// written in. Metadata is the same in all kinds: in messages it is field 1.
func shapesOf(tr *trace.Trace, c history.Change) map[string]bool {
	all := map[string]bool{}
	add := func(at string, form any) {
		all[fmt.Sprint(c.Encoding, " ", trace.StoredIn(c), " ", at, " ", form)] = true
	}
	content := storage.Read(bytesOf(tr.History.Body(c.Value)))
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
