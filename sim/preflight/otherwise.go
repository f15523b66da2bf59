package preflight

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/schema"
)

// Otherwise returns what the second release shows otherwise than the first one, although nobody
// wrote the object in between. Fields that it adds are defaults, or were hidden: they are in added,
// and a finding if pods were made from the template without them, or if the first release does not know them
// and they turn out to be stored (see Add). Revised has the objects whose pods' template is stored beside
// them, as NAMESPACE/KIND/NAME.
func Otherwise(first, second Seen, d Direction, revised map[string]bool) (all []Finding, added []string) {
	if first.Revision != second.Revision || !comparable(first, second) {
		return nil, nil
	}
	differences := second.Fields.Kind(second.Form, second.Kind).Compare(body(first.Object), body(second.Object))
	added = second.paths(differences.Added)
	if d == Up {
		all = unshown(first, second, differences)
	}
	restarts := revised[second.Namespace+"/"+second.Kind+"/"+second.Name] && slices.ContainsFunc(slices.Concat(differences.Added, differences.Changed, differences.Hidden), template.Within)
	if restarts {
		f := second.finding(term.Restarted, d, fmt.Sprintf("%s shows another template than the one that the pods were made from: their controller replaces them", second.Release))
		f.Path = template.Path
		all = append(all, f)
	}
	for _, at := range second.paths(differences.Changed) {
		if restarts && template.Within(at) { // found
			continue
		}
		f := second.finding(term.Changed, d, fmt.Sprintf("%s shows another value than %s, and nobody wrote the object", second.Release, first.Release))
		f.Path = at
		all = append(all, f)
	}
	for _, at := range added {
		if d == Up && !first.Fields.Declares(first.Form, first.Kind, at) {
			f := second.finding(term.Hidden, d, fmt.Sprintf("the value is stored, and %s hides it: %s shows it again", first.Release, second.Release))
			f.ruled(second.value(at).Absent(first.Role, false))
			f.Path = at
			all = append(all, f)
		}
	}
	return all, added
}

// unshown returns the values that the newer release does not show of an object that nobody wrote. One of a
// field that it does not know is lost with its first write; one of a field that it knows may be a default of
// the older release. A value that it shows in another field has moved, and an empty one is nothing.
func unshown(first, second Seen, differences schema.Differences) (all []Finding) {
	var moved []any
	for _, at := range differences.Added {
		moved = append(moved, valuesAt(body(second.Object), mask.Elements(mask.WithoutKeys(at)))...)
	}
	remains := func(path string) bool {
		return slices.ContainsFunc(valuesAt(body(first.Object), mask.Elements(path)), func(v any) bool {
			return !isZero(v) && !slices.ContainsFunc(moved, func(m any) bool { return telling(m) && reflect.DeepEqual(m, v) })
		})
	}
	for _, text := range differences.Hidden {
		if !remains(mask.WithoutKeys(text)) {
			continue
		}
		f := second.finding(term.Lost, Up, fmt.Sprintf("%s does not know the field, and hides the value that is stored: it is gone once %s has written the object", second.Release, second.Release))
		f.Path = first.path(text)
		f.ruled(second.value(f.Path).Absent(second.Role, true))
		if second.Fields.Declares(second.Form, second.Kind, f.Path) {
			f.ruled(ruling.Ruling{Outcome: term.Changed})
			f.Message = fmt.Sprintf("%s does not show a value that %s shows, and nobody wrote the object", second.Release, first.Release)
		}
		if !slices.ContainsFunc(all, func(other Finding) bool { return other.Path == f.Path }) {
			all = append(all, f)
		}
	}
	return all
}

// isZero reports whether a value has nothing but zeros in it: a release may leave these out.
func isZero(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		for _, below := range v {
			if !isZero(below) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(below any) bool { return !isZero(below) })
	}
	return value == nil || reflect.ValueOf(value).IsZero()
}

// telling reports whether two values are hardly equal by chance: flags and numbers are.
func telling(value any) bool {
	switch v := value.(type) {
	case string:
		return len(v) >= mask.Shortest
	case map[string]any, []any:
		return !isZero(v)
	}
	return false
}
