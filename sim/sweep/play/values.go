package play

import (
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/sweep"
)

// leaf is one value of an object.
type leaf struct {
	held  string // its path, by the names of list elements
	at    objects.Location
	value any
}

// valuesOf returns the values of an object that a client sets: neither of its metadata nor of its
// status.
func valuesOf(object map[string]any) (all []leaf) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", term.StatusPart}, name) {
			all = append(all, leavesOf(leaf{"." + name, objects.Location{name}, object[name]})...)
		}
	}
	return all
}

func leavesOf(l leaf) (all []leaf) {
	switch v := l.value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if plainName.MatchString(name) {
				all = append(all, leavesOf(leaf{l.held + "." + name, l.at.With(name), v[name]})...)
			}
		}
	case []any:
		for i, element := range v {
			of, _ := element.(map[string]any)
			if name, named := of["name"].(string); named && i == 0 {
				all = append(all, leavesOf(leaf{fmt.Sprintf("%s[name=%q]", l.held, name), l.at.With("0"), element})...)
			}
		}
	case string, int64, float64, bool:
		return []leaf{l}
	}
	return all
}

// plainName finds the members of structs, not the keys of maps.
var plainName = regexp.MustCompile(`^[A-Za-z]\w*$`)

// documents are the documents of both releases, each read once.
type documents struct {
	at   lapServers
	read map[string]*objects.Definitions // by release and version; nil: it cannot be read
}

func newDocuments(at lapServers) documents {
	return documents{at, map[string]*objects.Definitions{}}
}

func (p documents) of(role term.Role, apiVersion string) *objects.Definitions {
	key := string(role) + " " + apiVersion
	if d, known := p.read[key]; known {
		return d
	}
	p.read[key] = nil
	if d, err := objects.ReadDefinitions(p.at[role].Documents[apiVersion]); err == nil {
		p.read[key] = &d
	}
	return p.read[key]
}

// schemasAt returns the schemas that the releases publish for a field of an object, each with what it refers to.
func (p documents) schemasAt(o sweep.Object, at objects.Location) (all []publishedField) {
	for _, r := range term.Roles() {
		definitions := p.of(r.Word, o.Target.APIVersion)
		if definitions == nil {
			continue
		}
		kind, _ := definitions.Kind(o.Target.APIVersion, o.Target.Kind, nil)
		if kind.Root() == nil {
			continue
		}
		if field, _ := kind.SchemaAt(o.Specimen.Object, at); field != nil {
			of, _ := definitions.Resolve(field)
			all = append(all, publishedField{field, of})
		}
	}
	return all
}

// publishedField is the schema of a field, and the type that it refers to; nil: that is not published.
type publishedField struct{ field, of *spec.Schema }

// isFixed reports whether a release publishes that nobody may change a field in place: it is a key of an element, or
// a rule compares it with what was stored.
func (p documents) isFixed(o sweep.Object, at objects.Location) bool {
	for _, s := range p.schemasAt(o, at) {
		if s.of == nil {
			continue
		}
		rules, _ := s.of.Extensions["x-kubernetes-validations"].([]any)
		for _, r := range rules {
			stated, _ := r.(map[string]any)
			if rule, _ := stated["rule"].(string); sweep.Names(rule, "oldSelf") {
				return true
			}
		}
	}
	if len(at) < 2 {
		return false
	}
	for _, list := range p.schemasAt(o, at[:len(at)-2]) {
		if list.of == nil {
			continue
		}
		if keys, _ := list.of.Extensions["x-kubernetes-list-map-keys"].([]any); slices.Contains(keys, any(at[len(at)-1])) {
			return true
		}
	}
	return false
}

// valueWord finds words that may be values: the API conventions write them in CamelCase.
var valueWord = regexp.MustCompile(`\b[A-Z][a-z]+[A-Za-z]*\b`)

// wordsAt returns the values that either release publishes for a field, or that its description
// names: validation of many enums is hand-written.
func (p documents) wordsAt(o sweep.Object, at objects.Location) (all []any) {
	for _, s := range p.schemasAt(o, at) {
		words := []any{}
		if s.of != nil {
			words = append(words, s.of.Enum...)
		}
		for _, word := range valueWord.FindAllString(s.field.Description, -1) {
			words = append(words, word)
		}
		for _, word := range words {
			if !slices.ContainsFunc(all, func(known any) bool { return reflect.DeepEqual(known, word) }) {
				all = append(all, word)
			}
		}
	}
	return all
}
