package oracle_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// What a manager had applied, and applies no more, it gave up: told by the
// object's own managedFields, and by them alone.
func TestApplyReleased(t *testing.T) {
	field := func(name string) object { return object{"f:spec": object{"f:" + name: object{}}} }
	element := object{"f:spec": object{"f:parts": object{`k:{"name":"y"}`: object{".": object{}, "f:count": object{}, "f:name": object{}}}}}
	cases := []struct {
		name, by, lost string
		owned          object
		body           object
		want           term.Cause
	}{
		{"its own field", "m", ".spec.colour", field("colour"), spec(object{}), term.ApplyReleased},
		{"its own element", "m", partY, element, parts(part("x", 1)), term.ApplyReleased},
		{"another's field", "other", ".spec.colour", field("colour"), spec(object{}), term.Unattributed},
		{"another field", "m", ".spec.colour", field("grain"), spec(object{}), term.Unattributed},
		{"a field that it applies again", "m", ".spec.colour", field("colour"), spec(object{"colour": "red"}), term.Unattributed},
		{"its own atomic list, not sent", "m", ".spec.args[1]", field("args"), spec(object{}), term.ApplyReleased},
		{"its own atomic list, sent shorter", "m", ".spec.args[1]", field("args"), spec(object{"args": []any{"one"}}), term.ListReplaced},
		{"another's atomic list, sent shorter", "other", ".spec.args[1]", field("args"), spec(object{"args": []any{"one"}}), term.ListReplaced},
		{"a struct that is owned empty", "m", ".spec.finish.tone", field("finish"), spec(object{}), term.Unattributed},
	}
	for _, c := range cases {
		for _, verb := range []term.Verb{term.Apply, term.ExtractApply} {
			t.Run(fmt.Sprint(c.name, " ", verb), func(t *testing.T) {
				s := mixed(t)
				s.create("bystander-1", twoParts)
				s.applied("bystander-1", c.by, c.owned)
				s.edge()
				s.does(verb, "bystander-1", c.body, []edit{with(c.lost, nil)}, via("a"), read("a"), manager("m"))
				s.finds(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 %s in step 5 (upgrading 1/2)`, c.want, strings.TrimSuffix(c.lost, ".count")))
			})
		}
	}
}

// Nothing shows an owner that no answer has shown, that has updated and not
// applied, or that owns a part.
func TestApplyReleasedNeedsEvidence(t *testing.T) {
	fields := object{"f:spec": object{"f:colour": object{}}}
	entry := func(operation, part string, v any) []any {
		return []any{object{"manager": "m", "operation": operation, "subresource": part, "fieldsV1": v}}
	}
	for name, c := range map[string]struct {
		managed any
		want    term.Cause
	}{
		"none":         {nil, term.Unattributed},
		"an update":    {entry("Update", "", fields), term.Unattributed},
		"of a status":  {entry("Apply", "status", fields), term.Unattributed},
		"unreadable":   {entry("Apply", "", object{"odd": 1}), term.Unattributed},
		"no list":      {"m", term.Unattributed},
		"as it should": {entry("Apply", "", fields), term.ApplyReleased},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", twoParts)
			if c.managed != nil {
				s.store("bystander-1", ".metadata.managedFields", c.managed)
			}
			number := s.edge()
			s.does(term.Apply, "bystander-1", spec(object{}), []edit{with(".spec.colour", nil)}, via("a"), manager("m"))
			s.finds(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 .spec.colour in step %d (upgrading 1/2)`, c.want, number+1))
		})
	}
}

// A value whose place a default took was lost first, where that is known.
func TestDefaulted(t *testing.T) {
	changed := `nothing-lost violation rule-6 changed %s bystander-1 .spec.grain in step 4 (upgrading 1/2)`
	lost := `nothing-lost violation rule-6 lost %s bystander-1 .spec.grain in step 4 (upgrading 1/2)`
	for name, c := range map[string]struct {
		body  object
		after string
		want  []string
	}{
		"to the default, by a client that left it out": {spec(object{"colour": "red"}), "fine", []string{fmt.Sprintf(changed, "defaulted"), fmt.Sprintf(lost, "client-omitted")}},
		"to the default, though it was sent":           {spec(object{"grain": "rough"}), "fine", []string{fmt.Sprintf(changed, "defaulted")}},
		"to another value":                             {spec(object{"grain": "rough"}), "coarse", []string{fmt.Sprintf(changed, "unattributed")}},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", twoParts)
			s.does(term.Put, "bystander-1", c.body, []edit{with(".spec.grain", c.after)}, via("a"), read("a"), by(term.OldTyped))
			if len(c.want) > 1 {
				s.withoutGrain(term.Old)
			}
			s.finds(c.want...)
		})
	}
}

// withoutGrain makes a release one that does not publish the field. What it
// served is left as it was.
func (s *story) withoutGrain(role term.Role) {
	definitions := published(role)
	spec := definitions["dev.example.v1.Widget"].(object)["properties"].(object)["spec"].(object)
	delete(spec["properties"].(object), "grain")
	s.schemas[role] = schemaOf(s.t, documentOf(s.t, definitions))
}

// An old server drops a value, and the new one shows a default in its place.
func TestDefaultedAfterALoss(t *testing.T) {
	s := mixed(t)
	s.withoutGrain(term.Old)
	s.create("treated-1", `{"colour": "red", "grain": "rough"}`)
	touched := s.patch("treated-1", via("b"))
	look := s.recorded(touched, history.Look, "a")
	look.Answer = s.bend(look.Answer, ".spec.grain", "fine")
	res := s.finds(
		`nothing-lost impact rule-6 changed defaulted treated-1 .spec.grain in step 4 (upgrading 1/2)`,
		`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.grain in step 4 (upgrading 1/2)`)
	if res.Findings[0].After != "fine" {
		t.Errorf("after: %v", res.Findings[0].After)
	}
}

// What another form of the object did not carry, a conversion lost: the form
// that the step wrote, or that it is stored in since. Rule-4 tells the first.
func TestConverted(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", twoParts)
	s.does(term.MergePatch, "bystander-1", object{}, []edit{with(".spec.colour", nil)}, via("a"))
	finding := `nothing-lost violation rule-6 lost %s bystander-1 .spec.colour in step 4 (upgrading 1/2)`
	for _, c := range []struct {
		was, now string
		want     term.Cause
	}{{"example.dev/v1", "example.dev/v1", term.Unattributed}, {"example.dev/v1", "example.dev/v2", term.Converted},
		{"", "example.dev/v2", term.Unattributed}, {"example.dev/v1", "", term.Unattributed}} {
		s.h.Changes[0].APIVersion, s.h.Changes[1].APIVersion = c.was, c.now
		s.finds(fmt.Sprintf(finding, c.want))
	}
}

// A write that no step asked for is a conversion's where it stored another form.
func TestConvertedByNobody(t *testing.T) {
	for form, want := range map[string]string{"example.dev/v1": "unattributed", "example.dev/v2": "converted"} {
		s := mixed(t)
		s.create("bystander-1", twoParts)
		s.store("bystander-1", ".spec.colour", nil)
		s.edge()
		s.h.Changes[0].APIVersion, s.h.Changes[1].APIVersion = "example.dev/v1", form
		s.finds(`nothing-lost violation rule-6 lost ` + want + ` bystander-1 .spec.colour in step 0 ()`)
	}
}

// What a custom resource's definition does not declare is pruned. That a kind is
// one, the plan's own definition of it tells.
func TestPruned(t *testing.T) {
	for name, want := range map[string]string{"widgets.example.dev": "pruned", "gadgets.example.dev": "unknown-field", "": "unknown-field"} {
		s := mixed(t)
		s.plurals()
		s.h.Header.Plan.Manifests["definition"] = plan.Manifest{
			APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Body: object{"metadata": object{"name": name}},
		}
		s.create("treated-1", onlyShine)
		s.patch("treated-1", via("b"))
		s.create("treated-2", onlyShine, via("b"))
		s.finds(
			`nothing-lost impact rule-6 lost `+want+` treated-1 .spec.shine in step 4 (upgrading 1/2)`,
			`nothing-lost impact rule-3 not-accepted `+want+` treated-2 .spec.shine in step 5 (upgrading 1/2)`)
	}
}
