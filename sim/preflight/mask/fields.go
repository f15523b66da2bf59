package mask

import (
	"path"
	"slices"
	"strings"
	"sync"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// Fields knows which names in an object are names of fields, by what a release publishes. All
// others are the user's: keys of maps, and of what the schema leaves open. Nil knows none.
type Fields struct {
	published map[string][]byte
	words     map[string]bool // names of kinds, resources, groups and versions
	mu        sync.Mutex
	read      map[string]*schema.Document
	rules     map[string][]Rule // by version and kind
	schemas   map[string]*schema.Schema
	alpha     []string // feature gates of that stage
}

// FieldsOf returns the fields of a release.
func FieldsOf(r published.Release) *Fields {
	f := &Fields{published: r.Documents, read: map[string]*schema.Document{}, rules: map[string][]Rule{}, words: map[string]bool{}}
	for _, resource := range r.Resources {
		group, version, grouped := strings.Cut(resource.APIVersion, "/")
		if !grouped {
			group, version = "", group
		}
		for _, word := range []string{group, version, resource.APIVersion, resource.Kind, resource.Plural, resource.Plural + "." + group} {
			f.words[word] = true
		}
	}
	for gate, feature := range r.Features {
		if feature.Stage == "ALPHA" {
			f.alpha = append(f.alpha, gate)
		}
	}
	return f
}

// uses reports whether a text is a word that servers use in messages about any object: a word of
// validation, or the name of a kind, resource, group, version or field. Where a message has it, nobody
// can say that it is a value.
func (f *Fields) uses(text string) bool {
	if Vocabulary()[strings.ToLower(text)] {
		return true
	}
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.words[text]
}

// Kind returns how values of a kind are compared; the zero Kind where the release publishes no schema of it.
func (f *Fields) Kind(apiVersion, kind string) schema.Kind {
	if f == nil {
		return schema.Kind{}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	s, done := f.schemas[apiVersion]
	if !done {
		if document := f.published[apiVersion]; document != nil {
			s, _ = schema.Parse([][]byte{document}) // nil if it cannot be read
		}
		if f.schemas == nil {
			f.schemas = map[string]*schema.Schema{}
		}
		f.schemas[apiVersion] = s
	}
	k, _ := s.Kind(apiVersion, kind)
	return k
}

// MayGo reports whether the release publishes a field as one that the next release may drop.
func (f *Fields) MayGo(apiVersion, kind string, p fieldpath.Path) bool {
	if f == nil {
		return false
	}
	gating := f.Kind(apiVersion, kind).Gating()
	return gating.MayGo(p) || gating.MayGoWith(f.alpha, p)
}

// document returns what is published of a group version; nil for nothing that can be read.
func (f *Fields) document(apiVersion string) *schema.Document {
	if f == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if d, done := f.read[apiVersion]; done {
		return d
	}
	d, err := schema.Read(f.published[apiVersion])
	if err != nil {
		d = nil
	}
	f.read[apiVersion] = d
	if d != nil {
		for _, definition := range d.Definitions {
			for name, property := range definition.Properties {
				f.words[name] = true
				f.enum(property.Enum)
			}
			f.enum(definition.Enum)
		}
	}
	return d
}

// enum notes the values that the API itself names.
func (f *Fields) enum(values []any) {
	for _, v := range values {
		if word, is := v.(string); is {
			f.words[word] = true
		}
	}
}

// Path returns a path without keys of lists and without what the user has named. What is below an
// open part of the schema is left out.
func (f *Fields) Path(apiVersion, kind, text string) string {
	text = WithoutKeys(InVersions(apiVersion, kind, text))
	s := f.scheme(apiVersion, kind)
	if s.at == nil {
		return text
	}
	var out strings.Builder
	for _, e := range Elements(text) {
		name, isField := strings.CutPrefix(e, ".")
		next, declared := s.element(), true
		if isField {
			next, declared = s.member(name)
		}
		switch {
		case isField && declared:
			out.WriteString(e)
		case next.at == nil && (isField || !next.leaf):
			return out.String()
		case !strings.HasSuffix(out.String(), "[]"):
			out.WriteString("[]")
		}
		s = next
	}
	return out.String()
}

// Declares reports whether a release may have a field at a path without keys: what it publishes declares it, or
// leaves open what is there, or is not at hand.
func (f *Fields) Declares(apiVersion, kind, text string) bool {
	s := f.scheme(apiVersion, kind)
	if s.at == nil {
		return true
	}
	for _, e := range Elements(text) {
		next, declared := s.element(), true
		if name, isField := strings.CutPrefix(e, "."); isField {
			next, declared = s.member(name)
			if !declared && next.at == nil && len(s.at.Properties) > 0 {
				return false
			}
		}
		if next.at == nil {
			return true
		}
		s = next
	}
	return true
}

// Names returns the names in an object that are the user's, each once.
func (f *Fields) Names(apiVersion, kind string, object any) (all []string) {
	if s := f.scheme(apiVersion, kind); s.at != nil {
		s.names(object, &all)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// scheme is a place in a document.
type scheme struct {
	in   *schema.Document
	at   *spec.Schema // nil: the schema says nothing of what is here
	leaf bool         // nothing can be below
}

func (f *Fields) scheme(apiVersion, kind string) scheme {
	d := f.document(apiVersion)
	if d == nil {
		return scheme{}
	}
	return scheme{in: d, at: d.Definition(apiVersion, kind)}.resolved()
}

// resolved follows references.
func (s scheme) resolved() scheme {
	const deepest = 8 // of references to references
	for range deepest {
		if s.at == nil {
			return s
		}
		ref := s.at.Ref.String()
		if ref == "" && len(s.at.AllOf) == 1 && len(s.at.Properties) == 0 {
			ref = s.at.AllOf[0].Ref.String()
		}
		if ref == "" {
			return s
		}
		s.at = s.in.Definitions[path.Base(ref)]
	}
	return s
}

// member returns the place of a member, and whether the schema names it.
func (s scheme) member(name string) (scheme, bool) {
	if s.at == nil {
		return s, false
	}
	if p, is := s.at.Properties[name]; is {
		return scheme{in: s.in, at: &p}.resolved(), true
	}
	if more := s.at.AdditionalProperties; more != nil && more.Schema != nil {
		return scheme{in: s.in, at: more.Schema}.resolved(), false
	}
	return scheme{in: s.in}, false
}

// element returns the place of an element of a list, or of a map whose key is left out.
func (s scheme) element() scheme {
	switch {
	case s.at == nil:
		return s
	case s.at.Items != nil && s.at.Items.Schema != nil:
		return scheme{in: s.in, at: s.at.Items.Schema}.resolved()
	case s.at.AdditionalProperties != nil && s.at.AdditionalProperties.Schema != nil:
		return scheme{in: s.in, at: s.at.AdditionalProperties.Schema}.resolved()
	}
	return scheme{in: s.in, leaf: true}
}

// names adds the names of members that the schema does not name.
func (s scheme) names(node any, all *[]string) {
	switch n := node.(type) {
	case map[string]any:
		for name, v := range n {
			if name == "managedFields" {
				continue
			}
			below, declared := s.member(name)
			if !declared && len(name) >= Shortest {
				*all = append(*all, name)
			}
			below.names(v, all)
		}
	case []any:
		for _, v := range n {
			s.element().names(v, all)
		}
	}
}
