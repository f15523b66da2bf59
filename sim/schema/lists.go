package schema

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"

	"github.com/skewsim/skewsim/scenarios/path"
)

// maxTypes bounds how many fields are looked at for a kind's lists. The largest
// kinds of Kubernetes have some thousand, and a hostile schema can name a
// handful of types so that their paths are without number.
const maxTypes = 1 << 15

// Lists returns the lists of the kind whose elements are identified by their content, by path
// without elements: .spec.containers.env. The values are the sorted keys; a set has none. It
// follows neither a type inside itself nor the entries of maps, whose names only an object has.
func (k Kind) Lists() map[string][]string {
	f := lister{kind: k, found: map[string][]string{}, room: maxTypes}
	f.visit(k.root, "")
	return f.found
}

// VersionsOf are the apiVersions of a group in which a kind is published, sorted.
// A nil Schema has none.
func (s *Schema) VersionsOf(group, kind string) []string {
	if s == nil {
		return nil
	}
	var all []string
	for of := range s.kinds {
		if of.kind == kind && GroupOf(of.apiVersion) == group {
			all = append(all, of.apiVersion)
		}
	}
	slices.Sort(all)
	return all
}

// lister looks for lists.
type lister struct {
	kind  Kind
	found map[string][]string
	above []string // the named types that lead to where it is
	room  int
}

func (f *lister) visit(ref smd.TypeRef, at string) {
	atom, name, ok := f.kind.resolve(ref)
	if f.room--; !ok || f.room < 0 || name != "" && slices.Contains(f.above, name) {
		return
	}
	f.above = append(f.above, name)
	defer func() { f.above = f.above[:len(f.above)-1] }()
	if keys, associative := keysOf(atom); associative {
		f.found[at] = append([]string{}, keys...)
	}
	if atom.List != nil {
		f.visit(atom.List.ElementType, at)
	}
	if atom.Map == nil {
		return
	}
	for _, field := range atom.Map.Fields {
		f.visit(field.Type, path.Below(at, fieldpath.PathElement{FieldName: &field.Name}))
	}
}
