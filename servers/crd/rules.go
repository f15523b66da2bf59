package crd

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
)

// The file of rules, next to the definitions.
const (
	rulesVersion = "skewsim.dev/v1"
	rulesKind    = "Conversion"
)

// Rules configure how the webhook converts: every version to and from one version, the hub, by
// the paths of values in the two.
type Rules struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	// Kinds are the kinds whose objects the rules convert, with their group or without: Widget, or
	// Widget.example.dev. None: all kinds that a webhook converts.
	Kinds []string `json:"kinds,omitempty"`
	// Hub is the version that has a field for every value.
	Hub string `json:"hub"`
	// Versions are the other versions, by name; a version without an entry has the hub's form.
	Versions map[string]Version `json:"versions"`

	file   string
	line   int
	lineOf func(path string) int // of a field of the rules
}

// Conversions are the rules for the kinds of a folder: those of a kind are the first that name it, else those
// that name none.
type Conversions []*Rules

// Of returns the rules for a kind of a group; nil: there are none.
func (c Conversions) Of(kind, group string) *Rules {
	for _, isNamed := range []bool{true, false} {
		for _, rules := range c {
			if len(rules.Kinds) > 0 == isNamed && rules.isFor(kind, group) {
				return rules
			}
		}
	}
	return nil
}

// isFor reports whether rules are for a kind of a group.
func (c *Rules) isFor(kind, group string) bool {
	return len(c.Kinds) == 0 || slices.Contains(c.Kinds, kind) || slices.Contains(c.Kinds, kind+"."+group)
}

// Version describes how one version differs from the hub.
type Version struct {
	// Moves map paths of the version to those of the hub.
	Moves []Move `json:"moves,omitempty"`
	// Parks are paths of the hub that the version does not have. Their values are kept in an
	// annotation of the version's object, and restored from there.
	Parks []string `json:"parks,omitempty"`
	// Loses are paths of the hub that the version does not have either, and that are not kept
	// when an object is converted to it: the mutant's mistake. Values that an earlier webhook
	// has parked are restored.
	Loses []string `json:"loses,omitempty"`
}

// Move is a value's path in a version and in the hub. With a separator it is a string in the
// version whose parts are at several paths of the hub.
type Move struct {
	From string   `json:"from"`
	To   string   `json:"to,omitempty"`
	Into []string `json:"into,omitempty"`
	By   string   `json:"by,omitempty"` // the separator; required with into
}

// rules reads a document of rules.
func (r *reader) rules(file string, n *yaml.Node) {
	var body map[string]any
	if err := n.Decode(&body); err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	raw, err := json.Marshal(body)
	if err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	rules := &Rules{file: file, line: n.Line}
	unknown, err := kjson.UnmarshalStrict(raw, rules)
	if err != nil {
		r.add(file, n.Line, "", "not rules of conversion: %v", err)
		return
	}
	for _, e := range unknown {
		at := fieldIn(e.Error())
		r.add(file, strict.Line(n, at), at, "no such field in a Conversion (known: kinds, hub, versions, moves, parks, loses, from, to, into, by)")
	}
	r.set.Conversion = append(r.set.Conversion, rules)
	rules.lineOf = func(at string) int { return strict.Line(n, at) }
	for _, p := range rules.problems() {
		r.add(file, strict.Line(n, p.Path), p.Path, "%s", p.Text)
	}
}

// place matches a path of plain fields.
var place = regexp.MustCompile(`^(\.[A-Za-z_][A-Za-z0-9_-]*)+$`)

func (c *Rules) problems() (all []Problem) {
	if c.Hub == "" {
		all = append(all, Problem{Path: "hub", Text: "missing: the version that has a field for every value, such as v2"})
	}
	for name, v := range c.Versions {
		at := "versions." + name
		if name == c.Hub {
			all = append(all, Problem{Path: at, Text: "is the hub, which the other versions are converted to: remove its rules"})
		}
		check := func(at, path string) {
			if !place.MatchString(path) || strings.HasPrefix(path, ".metadata") || path == ".apiVersion" || path == ".kind" {
				all = append(all, Problem{Path: at, Text: fmt.Sprintf("%q is not a path of fields such as .spec.size; metadata is never converted", path)})
			}
		}
		for i, m := range v.Moves {
			at := fmt.Sprintf("%s.moves[%d]", at, i)
			check(at+".from", m.From)
			switch {
			case (m.To == "") == (len(m.Into) == 0):
				all = append(all, Problem{Path: at, Text: "needs one of to and into"})
			case m.To != "":
				check(at+".to", m.To)
			case m.By == "":
				all = append(all, Problem{Path: at, Text: "into needs by, the separator of the text's parts"})
			}
			for j, path := range m.Into {
				check(fmt.Sprintf("%s.into[%d]", at, j), path)
			}
		}
		for i, path := range v.Parks {
			check(fmt.Sprintf("%s.parks[%d]", at, i), path)
		}
		for i, path := range v.Loses {
			check(fmt.Sprintf("%s.loses[%d]", at, i), path)
		}
	}
	slices.SortFunc(all, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// conversion checks the definitions against the rules.
func (r *reader) conversion() {
	used := map[*Rules]bool{}
	for _, d := range r.set.Definitions {
		if !d.Webhook {
			continue
		}
		c := r.set.Conversion.Of(d.Kind, d.Group)
		used[c] = true
		file, line, _ := strings.Cut(d.place, "\n")
		switch {
		case c == nil && len(d.Versions) == 1: // nothing to convert
		case c == nil:
			text := fmt.Sprintf("uses a webhook, but no file in the folder contains its rules: name the program that converts (releases.programs, --webhooks), or add a file with apiVersion: %s, kind: %s", rulesVersion, rulesKind)
			r.set.Unruled = append(r.set.Unruled, d.Name)
			r.set.unruled = append(r.set.unruled, Problem{File: file, Line: number(line), Path: "spec.conversion", Text: text})
		case c.Hub != "" && !slices.Contains(d.Versions, c.Hub):
			text := fmt.Sprintf("%q is not a version of %s (%s)", c.Hub, d.Name, strings.Join(d.Versions, ", "))
			if len(c.Kinds) == 0 {
				text += "; if the rules are for other kinds, name those with kinds"
			}
			r.add(c.file, c.line, "hub", "%s", text)
		}
	}
	for i, c := range r.set.Conversion {
		r.ruledKinds(c, r.set.Conversion[:i])
		if !used[c] && len(c.Kinds) == 0 && len(r.set.Definitions) > 0 {
			why := "no definition has spec.conversion.strategy: Webhook"
			if len(used) > 0 {
				why = "all kinds that a webhook converts are named by other rules"
			}
			r.add(c.file, c.line, "", "rules of conversion, and %s", why)
		}
	}
}

// ruledKinds checks the kinds that rules name, and that no rules before them are for the same kinds.
func (r *reader) ruledKinds(c *Rules, before Conversions) {
	for _, b := range before {
		if len(b.Kinds) == 0 && len(c.Kinds) == 0 {
			r.add(c.file, c.line, "", "rules of conversion again: those in %s:%d are for all definitions of the folder; name the kinds of these with kinds", b.file, b.line)
		}
	}
	for i, name := range c.Kinds {
		at := fmt.Sprintf("kinds[%d]", i)
		var converted, all []string
		for _, d := range r.set.Definitions {
			all = append(all, d.Kind)
			if (&Rules{Kinds: []string{name}}).isFor(d.Kind, d.Group) {
				converted = append(converted, d.Name)
				if b := before.named(d); b != nil {
					r.add(c.file, c.lineOf(at), at, "%s: the rules in %s:%d are for this kind already", name, b.file, b.line)
				}
				if !d.Webhook {
					r.add(c.file, c.lineOf(at), at, "%s: no webhook converts this kind: its definition has no spec.conversion.strategy: Webhook", name)
				}
			}
		}
		if len(converted) == 0 {
			r.add(c.file, c.lineOf(at), at, "%s: the folder defines no such kind%s", name, suggest.Hint(name, all, "kinds"))
		}
	}
}

// named returns the rules that name a definition's kind; nil: none do.
func (c Conversions) named(d Definition) *Rules {
	if of := c.Of(d.Kind, d.Group); of != nil && len(of.Kinds) > 0 {
		return of
	}
	return nil
}
