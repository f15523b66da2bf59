package mask

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/schema"
)

// The kind of definitions, and the version of it that is published.
const (
	definitions    = "apiextensions.k8s.io/v1"
	definitionKind = "CustomResourceDefinition"
)

// Define adds the kind that a definition defines in one version, with its schema: a release publishes it only after
// it has created the definition. A schema that cannot be read is left out.
func (f *Fields) Define(apiVersion, kind string, of json.RawMessage) {
	var s spec.Schema
	if f == nil || json.Unmarshal(of, &s) != nil {
		return
	}
	group, version, _ := strings.Cut(apiVersion, "/")
	s.AddExtension("x-kubernetes-group-version-kind", map[string]any{"group": group, "version": version, "kind": kind})
	known := map[string]*spec.Schema{}
	if base := f.document(definitions); base != nil { // it has the metadata of every object
		add(known, base.Definitions)
		if own := base.Definition(definitions, definitionKind); own != nil {
			s.SetProperty("metadata", own.Properties["metadata"])
		}
	}
	if published := f.document(apiVersion); published != nil {
		add(known, published.Definitions)
	}
	if s.Properties == nil {
		s.Properties = map[string]spec.Schema{}
	}
	for _, name := range []string{"apiVersion", "kind"} {
		s.SetProperty(name, *spec.StringProperty())
	}
	known[path.Join(apiVersion, kind)] = &s
	f.mu.Lock()
	defer f.mu.Unlock()
	f.read[apiVersion] = &schema.Document{Definitions: known}
	delete(f.rules, apiVersion+" "+kind)
}

func add(to, from map[string]*spec.Schema) {
	for name, s := range from {
		to[name] = s
	}
}

// Stated returns a path as Path does, and keeps the names of properties that a definition states in its schema: those of
// its kind are shown in paths of its objects, too.
func (f *Fields) Stated(apiVersion, kind, text string) string {
	masked := f.Path(apiVersion, kind, text)
	if !isDefinition(apiVersion, kind) {
		return masked
	}
	kept, given := Elements(masked), Elements(InVersions(apiVersion, kind, text))
	for i := 1; i < min(len(kept), len(given)); i++ {
		if name := strings.Trim(given[i], ".[]"); kept[i] == "[]" && kept[i-1] == ".properties" && given[i-1] == ".properties" && propertyName.MatchString(name) {
			kept[i] = "[" + name + "]"
		}
	}
	return strings.Join(kept, "")
}

// propertyName matches the name of a property that needs no quotation marks in a path.
var propertyName = regexp.MustCompile(`^[\w$-]{1,60}$`)

func isDefinition(apiVersion, kind string) bool {
	return kind == definitionKind && strings.HasPrefix(apiVersion, "apiextensions.k8s.io/")
}

// InVersions returns a path in a definition as its published version spells it: servers name fields of their internal
// version, which has what all versions of a kind have in common outside of them. Other paths stay as they are.
func InVersions(apiVersion, kind, text string) string {
	if !isDefinition(apiVersion, kind) {
		return text
	}
	for _, moved := range [][2]string{
		{".spec.validation", ".spec.versions[0].schema"},
		{".spec.subresources", ".spec.versions[0].subresources"},
		{".spec.additionalPrinterColumns", ".spec.versions[0].additionalPrinterColumns"},
		{".spec.selectableFields", ".spec.versions[0].selectableFields"},
		{".spec.conversion.webhookClientConfig", ".spec.conversion.webhook.clientConfig"},
		{".spec.conversion.conversionReviewVersions", ".spec.conversion.webhook.conversionReviewVersions"},
	} {
		if rest, is := strings.CutPrefix(text, moved[0]); is && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			return moved[1] + rest
		}
	}
	return text
}

// Enums returns the values that a kind's schema lists, each once.
func (f *Fields) Enums(apiVersion, kind string) map[string]bool {
	all := map[string]bool{}
	f.scheme(apiVersion, kind).enums(all, map[*spec.Schema]bool{})
	return all
}

func (s scheme) enums(all map[string]bool, read map[*spec.Schema]bool) {
	if s.at == nil || read[s.at] {
		return
	}
	read[s.at] = true
	for _, v := range s.at.Enum {
		if word, is := v.(string); is {
			all[word] = true
		}
	}
	for name := range s.at.Properties {
		below, _ := s.member(name)
		below.enums(all, read)
	}
	s.element().enums(all, read)
}
