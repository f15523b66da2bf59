package scenarios

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// placeholder is anything that looks like one. Other things in $(), such as the
// variables of a container's arguments, are none of ours.
var placeholder = regexp.MustCompile(`\$\(copy\.[^)]*\)?`)

// checkPlaceholders refuses words of a file's body that look like a placeholder and
// are none.
func checkPlaceholders(body any, file []byte, p *problems) {
	switch v := body.(type) {
	case map[string]any:
		for _, key := range sortedKeys(v) {
			checkPlaceholders(key, file, p)
			checkPlaceholders(v[key], file, p)
		}
	case []any:
		for _, item := range v {
			checkPlaceholders(item, file, p)
		}
	case string:
		for _, found := range placeholder.FindAllString(v, -1) {
			if known := term.Placeholders().Words(); !term.Placeholders().Has(term.Placeholder(found)) {
				p.add(lineWith(file, found), "", "%s stands for nothing (what does: %s)", quote(found), strings.Join(known, ", "))
			}
		}
	}
}

// lineWith is the first line of a file that holds the text, 0 when none does.
func lineWith(file []byte, text string) int {
	before, _, found := bytes.Cut(file, []byte(text))
	if !found {
		return 0
	}
	return 1 + bytes.Count(before, []byte("\n"))
}

// named is how a file says what its copies are called: a pattern of names, or that
// servers name them.
func named(body map[string]any) (pattern string, generated bool) {
	meta, _ := body["metadata"].(map[string]any)
	pattern, _ = meta["name"].(string)
	if !strings.Contains(pattern, "$(copy.") {
		pattern = ""
	}
	base, _ := meta["generateName"].(string)
	return pattern, base != "" && meta["name"] == nil
}

// checkNames holds that the two forms of an object are named alike, since a copy keeps
// its name whatever is sent for it, and that what servers name is made by POST.
func checkNames(s *Scenario, name string, treated, bystander map[string]any, p *problems) {
	at := join("objects", name)
	pattern, generated := named(treated)
	other, too := named(bystander)
	if treated != nil && bystander != nil && (pattern != other || generated != too) {
		p.add(s.Lines[at], at, "treated and bystander give their copies different names: both need the same metadata.name, or both generateName")
	}
	for i, l := range s.Play {
		if l.Create != name || !generated && !too {
			continue
		}
		for _, verb := range l.Verb {
			if verb != term.Create {
				at := join(element("play", i), "verb")
				p.add(s.Lines[at], at, "%s names the object that it makes, and the file of %s asks the server for a name (metadata.generateName): only create does", verb, name)
			}
		}
	}
}
