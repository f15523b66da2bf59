package diff

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/schema"
)

// states returns the gates of both releases: what their source says, or else what their servers
// report. The source has the gates of all components, so releases are compared by the same of
// the two.
func states(old, new release) (before, after map[string]GateState) {
	bySource := len(old.facts.Gates) > 0 && len(new.facts.Gates) > 0 ||
		len(old.Features) == 0 && len(new.Features) == 0 // of one release alone: they are shown, and not compared
	return old.states(bySource), new.states(bySource)
}

func (r release) states(bySource bool) map[string]GateState {
	all := map[string]GateState{}
	if bySource {
		for name, g := range r.facts.Gates {
			all[name] = GateState{Stage: g.Stage, Default: g.Default, Locked: g.Locked}
		}
		return all
	}
	for name, f := range r.Features {
		all[name] = GateState{Stage: cmp.Or(f.Stage, "GA"), Default: f.On}
	}
	return all
}

// stateIn returns the state of a gate; nil: the release does not have it.
func stateIn(all map[string]GateState, gate string) *GateState {
	if s, has := all[gate]; has {
		return &s
	}
	return nil
}

// String returns the state as the source of a release writes it.
func (s *GateState) String() string {
	if s == nil {
		return ""
	}
	text := fmt.Sprintf("%s, default %t", s.Stage, s.Default)
	if s.Locked {
		text += ", locked"
	}
	return text
}

// isOn reports whether servers at default settings have the feature: a gate that a release does
// not have any more was locked before it went.
func isOn(of, other *GateState) bool {
	if of == nil {
		return other != nil && other.Locked && other.Default
	}
	return of.Default
}

// gate returns a gate with its states.
func (c *comparison) gate(name string, from term.GateSource) Gate {
	return Gate{Name: name, Source: from, Old: stateIn(c.old.gates, name), New: stateIn(c.new.gates, name)}
}

// gates compares the gates. What is behind one is added by the walk.
func (c *comparison) gates() {
	before, after := c.old.gates, c.new.gates
	if len(before) == 0 || len(after) == 0 {
		return
	}
	users := c.users()
	for _, name := range slices.Sorted(maps.Keys(merged(before, after))) {
		g := c.gate(name, "")
		d := Difference{Name: name, Old: g.Old.String(), New: g.New.String(), Gates: []Gate{g}}
		switch {
		case d.Old == d.New:
			continue
		case g.Old == nil:
			d.Difference = term.GateAdded
		case g.New == nil:
			d.Difference = term.GateRemoved
		default:
			d.Difference = term.GateChanged
		}
		for _, pkg := range slices.Concat(c.old.facts.Gates[name].UsedIn, c.new.facts.Gates[name].UsedIn) {
			if by, is := users[codeOf(pkg)]; is && !slices.Contains(d.UsedBy, by) {
				d.UsedBy = append(d.UsedBy, by)
			}
		}
		c.other(d)
		c.behind[name] = c.found[keyOf(d)]
	}
}

// users returns the kinds by the packages of their own code in the API server, as codeOf returns them. Each is in its
// newest version.
func (c *comparison) users() map[string]Place {
	newest, all := newestOf(c.old, c.new), map[string]Place{}
	for _, r := range []release{c.old, c.new} {
		for at := range r.kinds {
			group, v := at.split()
			if newest[group+" "+at.kind] != v {
				continue
			}
			folder, _, _ := strings.Cut(cmp.Or(group, "core"), ".")
			resource := strings.ToLower(at.kind)
			all[folder+"/"+resource] = Place{APIVersion: at.apiVersion, Kind: at.kind}
			if group == "" {
				all["/"+resource] = Place{APIVersion: at.apiVersion, Kind: at.kind}
			}
		}
	}
	return all
}

// codeOf returns the group and the resource that a package of the API server is of: networking/servicecidr of
// pkg/registry/networking/servicecidr/storage, and /pod of pkg/api/pod; "" of another package.
func codeOf(pkg string) string {
	parts := strings.Split(pkg, "/")
	switch {
	case len(parts) > 3 && parts[0] == "pkg" && parts[1] == "registry":
		return parts[2] + "/" + parts[3]
	case len(parts) == 3 && parts[0] == "pkg" && parts[1] == "api":
		return "/" + parts[2]
	}
	return ""
}

// place adds a field to the differences of the gates that it is behind. A gate is played if
// servers at default settings have the feature in one release alone, or if the gate is new.
func (c *comparison) place(h here, gates []Gate) {
	if !h.stored {
		return
	}
	for _, g := range gates {
		e := c.behind[g.Name]
		if e == nil {
			continue
		}
		if e.fields == nil {
			e.fields = map[property][]Place{}
		}
		e.fields[h.property()] = append(e.fields[h.property()], h.place())
		e.Playable = e.Playable || e.Difference.Difference == term.GateAdded || isOn(g.Old, g.New) != isOn(g.New, g.Old)
		e.Gates[0].Source = strongest(e.Gates[0].Source, g.Source)
	}
}

// strongest returns the more trusted of two sources.
func strongest(a, b term.GateSource) term.GateSource {
	for _, e := range term.GateSources() {
		if e.Word == a || e.Word == b {
			return e.Word
		}
	}
	return ""
}

// guards returns the gates that a field is behind, in a release that publishes it: what the
// server publishes as data, then the source, then what the description says.
func (c *comparison) guards(r *release, at property, field *spec.Schema) []Gate {
	if all, known := r.guards[at]; known {
		return all
	}
	all := c.findGuards(r, at, field)
	r.guards[at] = all
	return all
}

// valueGuards returns the gates that one value of a field is behind: those that the source names,
// then those that the description does.
func (c *comparison) valueGuards(r *release, at property, field *spec.Schema, value string) (all []Gate) {
	for _, name := range r.facts.Fields[at.holder][at.field].Values[value] {
		all = append(all, c.gate(name, term.FromTag))
	}
	if field == nil {
		return all
	}
	for _, g := range schema.GuardsOfValues(at.field, field)[value] {
		if !slices.ContainsFunc(all, func(known Gate) bool { return known.Name == g.Gate }) {
			all = append(all, c.gate(g.Gate, g.Source))
		}
	}
	return all
}

func (c *comparison) findGuards(r *release, at property, field *spec.Schema) (all []Gate) {
	add := func(name string, from term.GateSource) {
		if !slices.ContainsFunc(all, func(g Gate) bool { return g.Name == name }) {
			all = append(all, c.gate(name, from))
		}
	}
	published := schema.GuardsOf(at.field, field)
	for _, g := range published {
		if g.Source == term.FromLifecycle {
			add(g.Gate, g.Source)
		}
	}
	for _, name := range r.facts.Fields[at.holder][at.field].Gates {
		add(name, term.FromTag)
	}
	for _, g := range published {
		add(g.Gate, g.Source)
	}
	ofParts := schema.GatesOfParts(at.field, field)
	for _, name := range c.words(field) {
		if !slices.Contains(ofParts, name) {
			add(name, term.FromDescription)
		}
	}
	return all
}

// guardsOfMembers returns the gates that the members of a new struct are behind; none if one of them is behind no
// gate, since the struct has a use without any.
func (c *comparison) guardsOfMembers(field *spec.Schema) (all []Gate) {
	chain, name := c.new.definitions.resolve(field)
	if len(chain) == 0 || name == "" {
		return nil
	}
	of := chain[len(chain)-1]
	for _, member := range slices.Sorted(maps.Keys(of.Properties)) {
		schema := of.Properties[member]
		gates := c.guards(&c.new, property{name, member}, &schema)
		if len(gates) == 0 {
			return nil
		}
		all = append(all, gates...)
	}
	return all
}

// words returns the gates that the releases state differently and that a description has among its
// words.
func (c *comparison) words(field *spec.Schema) (names []string) {
	for _, name := range gateWord.FindAllString(field.Description, -1) {
		if has(c.behind, name) {
			names = append(names, name)
		}
	}
	return names
}

// mentions returns the gates that either release names of a field: those that it is behind, those
// that only a part of it is behind, and those of its rules.
func (c *comparison) mentions(at property, old, new *spec.Schema) []Gate {
	all := slices.Concat(c.guards(&c.new, at, new), c.guards(&c.old, at, old))
	for _, name := range slices.Concat(c.words(new), c.words(old)) {
		all = append(all, c.gate(name, term.FromDescription))
	}
	for _, r := range []release{c.old, c.new} {
		for _, rule := range r.facts.Fields[at.holder][at.field].Rules {
			for _, name := range rule.Gates() {
				all = append(all, c.gate(name, term.FromTag))
			}
		}
	}
	return all
}

// gateWord matches words that may be the name of a gate.
var gateWord = regexp.MustCompile(`\b[A-Z][a-z]+(?:[A-Z][A-Za-z0-9]*)+\b`)
