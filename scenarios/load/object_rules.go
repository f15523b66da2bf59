package load

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// idleChanges refuses changes whose values a form of the object already has: a write that
// changes nothing is not stored, so it shows nothing.
func idleChanges(s *scenarios.Scenario, name string, p *strict.Problems) {
	o := s.Objects[name]
	for _, m := range slices.Sorted(maps.Keys(o.Changes)) {
		at := strict.Join(strict.Join("objects", name)+".changes", string(m))
		for _, file := range []string{o.Treated, o.Bystander} {
			manifest, read := s.Manifests[file]
			if read && !p.Reported(at) && holds(manifest.Body, o.Changes[m]) {
				p.Add(s.Lines[at], at, "changes nothing: %s has these values already", strict.Quote(file))
			}
		}
	}
}

// holds reports whether the object already has all the values; null means that a field is
// absent.
func holds(body, values map[string]any) bool {
	for text, want := range values {
		at, err := path.Parse(text)
		is, found := path.Get(body, at)
		if err != nil || found != (want != nil) || found && !reflect.DeepEqual(is, want) {
			return false
		}
	}
	return true
}

// Forms compares the forms of each object with one another, and with what the scenario says
// about them. It ignores a form whose file has a problem.
func Forms(s *scenarios.Scenario, p *strict.Problems) {
	for _, name := range slices.Sorted(maps.Keys(s.Objects)) {
		o, at := s.Objects[name], strict.Join("objects", name)
		treated, bystander := s.Manifests[o.Treated].Body, s.Manifests[o.Bystander].Body
		if treated != nil && bystander != nil && kindOf(treated) != kindOf(bystander) {
			p.Add(s.Lines[at], at, "treated is a %s, bystander a %s: both are forms of one object", kindOf(treated), kindOf(bystander))
		}
		checkNames(s, name, treated, bystander, p)
		idleChanges(s, name, p)
	}
	idleMarks(s, p)
}

func kindOf(body map[string]any) string {
	return fmt.Sprintf("%v %v", body["apiVersion"], body["kind"])
}

// TooDeep reports whether lists and maps nest deeper than strict.MaxDepth below a node.
func TooDeep(node any, depth int) bool {
	deep := depth > strict.MaxDepth
	switch n := node.(type) {
	case map[string]any:
		for _, child := range n {
			deep = deep || TooDeep(child, depth+1)
		}
	case []any:
		for _, child := range n {
			deep = deep || TooDeep(child, depth+1)
		}
	}
	return deep
}

// groupVersion matches apps/v1, or v1 alone; kindName matches a kind.
var (
	groupVersion = regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z]([-a-z0-9]*[a-z0-9])?$`)
	kindName     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
)

// ValidateObject refuses content that is not a single object.
func ValidateObject(m scenarios.Manifest, p *strict.Problems) {
	apiVersion, _ := m.Body["apiVersion"].(string)
	kind, _ := m.Body["kind"].(string)
	_, hasItems := m.Body["items"].([]any)
	_, isMap := m.Body["metadata"].(map[string]any)
	wrong := func(field, format string, args ...any) { p.Add(m.Line(field), "", format, args...) }
	switch {
	case apiVersion == "":
		wrong("apiVersion", "apiVersion is missing, or not a string")
	case !groupVersion.MatchString(apiVersion):
		wrong("apiVersion", "apiVersion: %s is not a group and version such as apps/v1, or v1", strict.Quote(apiVersion))
	}
	switch {
	case kind == "":
		wrong("kind", "kind is missing, or not a string")
	case !kindName.MatchString(kind):
		wrong("kind", "kind: %s is not a kind such as Deployment", strict.Quote(kind))
	case kind == "List" || hasItems && strings.HasSuffix(kind, "List"):
		wrong("kind", "kind %s holds several objects: give each its own file", strict.Quote(kind))
	}
	if m.Body["metadata"] != nil && !isMap {
		wrong("metadata", "metadata is not a map of fields such as labels")
	}
}

// placeholder matches anything that looks like a placeholder. Other text in $(), such as the
// variables of a container's arguments, is not one.
var placeholder = regexp.MustCompile(`\$\(copy\.[^)]*\)?`)

// Placeholders refuses words of a file's body that look like a placeholder and are not one.
func Placeholders(body any, file []byte, p *strict.Problems) {
	switch v := body.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			Placeholders(key, file, p)
			Placeholders(v[key], file, p)
		}
	case []any:
		for _, item := range v {
			Placeholders(item, file, p)
		}
	case string:
		for _, found := range placeholder.FindAllString(v, -1) {
			if known := term.Placeholders().Words(); !term.Placeholders().Has(term.Placeholder(found)) {
				p.Add(lineWith(file, found), "", "%s is not a placeholder (placeholders: %s)", strict.Quote(found), strings.Join(known, ", "))
			}
		}
	}
}

// lineWith returns the first line of a file that contains the text, or 0.
func lineWith(file []byte, text string) int {
	before, _, found := bytes.Cut(file, []byte(text))
	if !found {
		return 0
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// named is how a file names its copies: by a pattern, or by leaving it to servers.
func named(body map[string]any) (pattern string, generated bool) {
	meta, _ := body["metadata"].(map[string]any)
	pattern, _ = meta["name"].(string)
	if !strings.Contains(pattern, "$(copy.") {
		pattern = ""
	}
	base, _ := meta["generateName"].(string)
	return pattern, base != "" && meta["name"] == nil
}

// checkNames checks that both forms of an object have the same name, because a copy keeps its
// name whatever is sent for it, and that objects with server-generated names are created by
// POST.
func checkNames(s *scenarios.Scenario, name string, treated, bystander map[string]any, p *strict.Problems) {
	at := strict.Join("objects", name)
	pattern, generated := named(treated)
	other, too := named(bystander)
	if treated != nil && bystander != nil && (pattern != other || generated != too) {
		p.Add(s.Lines[at], at, "treated and bystander give their copies different names: both need the same metadata.name, or both generateName")
	}
	for i, l := range s.Play {
		if l.Create != name || !generated && !too {
			continue
		}
		for _, verb := range l.Verb {
			if !verb.OnlyCreates() {
				at := strict.Join(strict.Element("play", i), "verb")
				p.Add(s.Lines[at], at, "%s names the object that it makes, and the file of %s asks the server for a name (metadata.generateName): only create does", verb, name)
			}
		}
	}
}
