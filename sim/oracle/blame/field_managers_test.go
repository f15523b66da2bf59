package blame_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// What a manager had applied, and applies no more, it gave up: shown by the
// object's own managedFields, and by them alone.
func TestApplyReleased(t *testing.T) {
	field := func(name string) oracletest.Object {
		return oracletest.Object{"f:spec": oracletest.Object{"f:" + name: oracletest.Object{}}}
	}
	element := oracletest.Object{"f:spec": oracletest.Object{"f:parts": oracletest.Object{`k:{"name":"y"}`: oracletest.Object{".": oracletest.Object{}, "f:count": oracletest.Object{}, "f:name": oracletest.Object{}}}}}
	cases := []struct {
		name, by, lost string
		owned          oracletest.Object
		body           oracletest.Object
		want           term.Cause
	}{
		{"its own field", "m", ".spec.colour", field("colour"), oracletest.Spec(oracletest.Object{}), term.ApplyReleased},
		{"its own element", "m", oracletest.PartY, element, parts(part("x", 1)), term.ApplyReleased},
		{"another's field", "other", ".spec.colour", field("colour"), oracletest.Spec(oracletest.Object{}), term.Unattributed},
		{"another field", "m", ".spec.colour", field("grain"), oracletest.Spec(oracletest.Object{}), term.Unattributed},
		{"a field that it applies again", "m", ".spec.colour", field("colour"), oracletest.Spec(oracletest.Object{"colour": "red"}), term.Unattributed},
		{"its own atomic list, not sent", "m", ".spec.args[1]", field("args"), oracletest.Spec(oracletest.Object{}), term.ApplyReleased},
		{"its own atomic list, sent shorter", "m", ".spec.args[1]", field("args"), oracletest.Spec(oracletest.Object{"args": []any{"one"}}), term.ListReplaced},
		{"another's atomic list, sent shorter", "other", ".spec.args[1]", field("args"), oracletest.Spec(oracletest.Object{"args": []any{"one"}}), term.ListReplaced},
		{"a struct that is owned empty", "m", ".spec.finish.tone", field("finish"), oracletest.Spec(oracletest.Object{}), term.Unattributed},
	}
	for _, c := range cases {
		for _, verb := range []term.Verb{term.Apply, term.ExtractApply} {
			t.Run(fmt.Sprint(c.name, " ", verb), func(t *testing.T) {
				run := oracletest.NewMixed(t)
				run.Create("bystander-1", oracletest.TwoPartsSpec)
				applied(run, "bystander-1", c.by, c.owned)
				run.Observe()
				run.Do(verb, "bystander-1", c.body, []oracletest.Edit{oracletest.With(c.lost, nil)}, oracletest.Via("a"), oracletest.ReadVia("a"), oracletest.ManagedBy("m"))
				run.ExpectFindings(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 %s in step 5 (upgrading 1/2)`, c.want, strings.TrimSuffix(c.lost, ".count")))
			})
		}
	}
}

// Nothing shows an owner that no answer has shown, that has updated and not
// applied, or that owns a part.
func TestApplyReleasedNeedsEvidence(t *testing.T) {
	fields := oracletest.Object{"f:spec": oracletest.Object{"f:colour": oracletest.Object{}}}
	entry := func(operation, part string, v any) []any {
		return []any{oracletest.Object{"manager": "m", "operation": operation, "subresource": part, "fieldsV1": v}}
	}
	for name, c := range map[string]struct {
		managed any
		want    term.Cause
	}{
		"none":         {nil, term.Unattributed},
		"an update":    {entry("Update", "", fields), term.Unattributed},
		"of a status":  {entry("Apply", "status", fields), term.Unattributed},
		"unreadable":   {entry("Apply", "", oracletest.Object{"odd": 1}), term.Unattributed},
		"no list":      {"m", term.Unattributed},
		"as it should": {entry("Apply", "", fields), term.ApplyReleased},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.TwoPartsSpec)
			if c.managed != nil {
				run.Change("bystander-1", ".metadata.managedFields", c.managed)
			}
			number := run.Observe()
			run.Do(term.Apply, "bystander-1", oracletest.Spec(oracletest.Object{}), []oracletest.Edit{oracletest.With(".spec.colour", nil)}, oracletest.Via("a"), oracletest.ManagedBy("m"))
			run.ExpectFindings(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 .spec.colour in step %d (upgrading 1/2)`, c.want, number+1))
		})
	}
}

// A manager that was not shown a value which the release publishes has given it up all the
// same: only a release that has no place for the value hides it.
func TestApplyThatWasNotShownTheValue(t *testing.T) {
	owned := oracletest.Object{"f:spec": oracletest.Object{"f:shine": oracletest.Object{"f:level": oracletest.Object{}}}}
	for through, want := range map[string]string{"a": "apply-released", "b": "read-hidden"} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		applied(run, "treated-1", plan.DefaultManager, owned)
		run.Observe()
		step := run.Do(term.ExtractApply, "treated-1", oracletest.Spec(oracletest.Object{"colour": "red"}), []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via("a"), oracletest.ReadVia(through))
		all := []string{`nothing-lost impact rule-6 lost ` + want + ` treated-1 .spec.shine in step 5 (upgrading 1/2)`}
		if through == "a" {
			x := run.Exchange(step, history.Read, through)
			x.Answer = run.Edited(x.Answer, ".spec.shine", nil)
			all = append([]string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 5 (upgrading 1/2)`}, all...)
		}
		run.ExpectFindings(all...)
	}
}

// applied makes a stored object say that a manager has applied these fields.
func applied(run *oracletest.Run, name, manager string, fields oracletest.Object) {
	run.Change(name, ".metadata.managedFields", []any{oracletest.Object{"manager": manager, "operation": "Apply", "apiVersion": "example.dev/v1", "fieldsType": "FieldsV1", "fieldsV1": fields}})
}

func parts(elements ...any) oracletest.Object {
	return oracletest.Spec(oracletest.Object{"parts": elements})
}

func part(name string, count int) oracletest.Object {
	return oracletest.Object{"name": name, "count": count}
}

// A map that the release of the write publishes as atomic is replaced whole by whoever applies it. Of a map
// whose entries have owners of their own, the entries that an apply does not send stay.
func TestApplyOfAtomicMap(t *testing.T) {
	for atomic, want := range map[bool]term.Cause{true: term.ListReplaced, false: term.Unattributed} {
		run := oracletest.NewRun(t)
		notes := oracletest.Map(oracletest.Scalar("string"))
		if atomic {
			notes["x-kubernetes-map-type"] = "atomic"
		}
		run.Publish(term.New, oracletest.Object{"spec.properties.notes": notes})
		run.Create("bystander-1", `{"notes": {"a": "x", "b": "y"}}`)
		run.Stage("new", term.New, term.New)
		run.Do(term.Apply, "bystander-1", oracletest.Spec(oracletest.Object{"notes": oracletest.Object{"a": "x"}}), []oracletest.Edit{oracletest.With(".spec.notes.b", nil)}, oracletest.ManagedBy("m"))
		run.ExpectFindings(fmt.Sprintf(`nothing-lost violation rule-6 lost %s bystander-1 .spec.notes.b in step 4 (new)`, want))
	}
}
