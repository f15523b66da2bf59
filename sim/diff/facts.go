package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/published"
)

// readFacts reads what the source of a release says.
func readFacts(r published.Release) (facts source.Facts, err error) {
	if len(r.Facts) > 0 {
		if err = json.Unmarshal(r.Facts, &facts); err != nil {
			err = fmt.Errorf("%s: what its source says: %w", r.Name, err)
		}
	}
	return facts, err
}

// inSource compares what the source of releases says.
type inSource struct{ *comparison }

// hasFacts reports whether the source of both releases was read.
func (c inSource) hasFacts() bool { return len(c.old.Facts) > 0 && len(c.new.Facts) > 0 }

// sources compares what the source of releases says and OpenAPI does not.
func (c inSource) sources() {
	c.gates()
	if !c.hasFacts() {
		return
	}
	for name, fields := range c.new.facts.Fields {
		before, both := c.old.facts.Fields[name]
		if both {
			c.typeFacts(name, before, fields)
		}
	}
	for name, rules := range c.new.facts.TypeRules {
		if has(c.old.definitions, name) {
			c.sourceRules(property{name, ""}, c.old.facts.TypeRules[name], rules)
		}
	}
	for name, rules := range c.old.facts.TypeRules {
		if has(c.new.definitions, name) && !has(c.new.facts.TypeRules, name) {
			c.sourceRules(property{name, ""}, rules, nil)
		}
	}
	c.named(term.PluginAdded, term.PluginRemoved, c.old.facts.AdmissionPlugins, c.new.facts.AdmissionPlugins)
	c.roles()
	c.selectors()
}

// property is one property of one published type; a type itself, if it names none.
type property struct{ holder, field string }

// pending is a difference that the source of a type says, and that has a place once a walk comes
// to the type.
type pending struct {
	difference Difference
	added      bool // it is of a field that the new release alone has
}

func (c inSource) expect(at property, p pending) {
	c.pending[at] = append(c.pending[at], p)
}

// typeFacts compares what the source says of the fields of one type.
func (c inSource) typeFacts(name string, old, new map[string]source.Field) {
	numbers := map[string]string{}
	for field, of := range old {
		if n := of.Protobuf.Number; n != "" {
			numbers[n] = field
		}
	}
	for field, after := range new {
		before, both := old[field]
		at := property{name, field}
		if both {
			c.sourceRules(at, before.Rules, after.Rules)
			if a, b := before.Protobuf.String(), after.Protobuf.String(); a != "" && b != "" && a != b {
				c.expect(at, pending{difference: Difference{Difference: term.TagChanged, Old: a, New: b}})
			}
			continue
		}
		if was, taken := numbers[after.Protobuf.Number]; taken && !has(new, was) {
			c.expect(at, pending{added: true, difference: Difference{
				Difference: term.TagChanged, Name: "number " + after.Protobuf.Number, Old: was, New: field,
			}})
		}
	}
}

// sourceRules compares the +k8s: rules of one field that both releases have, or of one type.
// Rules that neither release enforces are counted only: they refuse nothing.
func (c inSource) sourceRules(at property, old, new []source.Rule) {
	before, after := c.enforced(c.old, old), c.enforced(c.new, new)
	for _, name := range slices.Sorted(maps.Keys(merged(before, after))) {
		a, b := before[name], after[name]
		if a.rule == b.rule && a.enforced == b.enforced {
			continue
		}
		d := Difference{Name: "k8s:" + name, Old: a.String(), New: b.String()}
		switch {
		case !a.enforced && !b.enforced:
			c.shadows++
			continue
		case !a.enforced:
			d.Difference = term.RuleTightened
		case !b.enforced:
			d.Difference = term.RuleRelaxed
		default:
			d.Difference = term.RuleChanged
		}
		c.expect(at, pending{difference: d})
	}
}

// stated is one rule as a release states it.
type stated struct {
	rule     string // in one spelling, without its stage
	text     string // as it stands in the source
	enforced bool
}

// String returns the rule as it stands in the source, with a remark if servers do not enforce it.
func (s stated) String() string {
	if s.text != "" && !s.enforced {
		return s.text + " # not enforced by default"
	}
	return s.text
}

// permissive are tags that say what is not validated.
var permissive = []string{"optional", "opaqueType", "customUnique"}

// enforced returns the rules of a field by their names, arguments included.
func (c inSource) enforced(r release, rules []source.Rule) map[string]stated {
	all := map[string]stated{}
	for _, rule := range rules {
		if slices.Contains(permissive, rule.Name) {
			continue
		}
		spelled := rule.String()
		name, _, _ := strings.Cut(spelled, "=")
		for n := 2; has(all, name); n++ {
			name = fmt.Sprintf("%s (%d)", strings.TrimSuffix(name, fmt.Sprintf(" (%d)", n-1)), n)
		}
		is, known := r.facts.Enforces(rule)
		all[name] = stated{spelled, rule.Text, is || !known}
	}
	return all
}

// named compares two lists of names.
func (c inSource) named(added, removed term.DifferenceKind, old, new []string) {
	for _, name := range missing(new, old) {
		c.other(Difference{Difference: added, Name: name, New: name})
	}
	for _, name := range missing(old, new) {
		c.other(Difference{Difference: removed, Name: name, Old: name})
	}
}

// roles compares the bootstrap roles: what the new release grants survives a rollback.
func (c inSource) roles() {
	old, new := c.old.facts.BootstrapRoles, c.new.facts.BootstrapRoles
	c.named(term.RoleAdded, term.RoleRemoved, slices.Collect(maps.Keys(old)), slices.Collect(maps.Keys(new)))
	for name, after := range new {
		if before, both := old[name]; both && before != after {
			a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
			c.other(Difference{Difference: term.RoleChanged, Name: name, Old: strings.Join(missing(a, b), "; "), New: strings.Join(missing(b, a), "; ")})
		}
	}
}

// selectors compares the fields by which lists can be selected, of kinds that both releases
// serve.
func (c inSource) selectors() {
	for at := range c.new.kinds {
		before, both := c.old.kinds[at]
		name := at.apiVersion + "/" + at.kind
		if !both {
			continue
		}
		old, new := c.old.facts.FieldSelectors[name], c.new.facts.FieldSelectors[name]
		was, is := before, c.new.kinds[at]
		was.Selectable, is.Selectable = old, new
		served(c).selectable(was, is)
	}
}
