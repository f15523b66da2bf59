package schema

import (
	"regexp"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Union reports whether the kind publishes the struct at a path as a union, of which exactly
// one member is set: by a oneOf, by the extension for unions, or in its description. False does
// not rule it out: most unions are published as plain structs.
func (k Kind) Union(p fieldpath.Path) bool {
	at := gated{}
	ref := k.root
	for _, e := range p {
		atom, name, _ := k.resolve(ref)
		if name != "" {
			at = gated{definition: name}
		}
		next, declared := step(atom, e)
		if !declared {
			return false
		}
		ref = next
		at.place += place(atom, e)
	}
	atom, name, _ := k.resolve(ref)
	if name != "" {
		at = gated{definition: name}
	}
	return k.unions[at] || atom.Map != nil && len(atom.Map.Unions) > 0
}

// unionsOf reads every definition of a document.
func unionsOf(definitions map[string]*spec.Schema) map[gated]bool {
	found := map[gated]bool{}
	note := func(at gated, s *spec.Schema) {
		if len(s.OneOf) > 1 && len(s.Properties) > 1 || oneMember.MatchString(s.Description) && len(s.Properties) > 1 {
			found[at] = true
		}
	}
	for name, definition := range definitions {
		note(gated{definition: name}, definition)
	}
	eachField(definitions, note)
	return found
}

// oneMember finds the sentence by which a type's description says that it is a union.
var oneMember = regexp.MustCompile(`(?i)\b(?:exactly|precisely|only) one\b[^.]{0,40}\b(?:fields?|members?|following)\b`)
