package oracle_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Who carries one member of a related group back as it was, and cannot carry the
// other, has not cleared that: a server that knows both keeps it. Near misses are a
// client that carries no member of the group or another value of it, and a server
// that does not know the field.
func TestRelatedCarriedBack(t *testing.T) {
	red := object{"colour": "red"}
	cases := map[string]struct {
		related   [][]string
		sent      object
		read, via string
		want      string
	}{
		"carried":                 {[][]string{{".spec.colour", ".spec.shine"}}, red, "a", "a", "violation rule-5 lost client-omitted"},
		"carried, in turn":        {[][]string{{".spec.shine.level", ".spec.colour"}}, red, "a", "a", "violation rule-5 lost client-omitted"},
		"carried, and read below": {[][]string{{".spec.colour", ".spec.shine"}}, red, "b", "a", "violation rule-5 lost read-hidden"},
		"changed":                 {[][]string{{".spec.colour", ".spec.shine"}}, object{"colour": "blue"}, "a", "a", "impact rule-6 lost client-omitted"},
		"not carried":             {[][]string{{".spec.colour", ".spec.shine"}}, object{"size": "1"}, "a", "a", "impact rule-6 lost client-omitted"},
		"of another group":        {[][]string{{".spec.colour", ".spec.size"}, {".spec.grain", ".spec.shine"}}, red, "a", "a", "impact rule-6 lost client-omitted"},
		"through the old release": {[][]string{{".spec.colour", ".spec.shine"}}, red, "a", "b", "impact rule-6 lost unknown-field"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.h.Header.Plan.Related = c.related
			s.create("treated-1", onlyShine)
			s.does(term.Put, "treated-1", spec(c.sent), []edit{with(".spec.shine", nil)}, via(c.via), read(c.read), by(term.OldTyped))
			s.finds(fmt.Sprintf("nothing-lost %s treated-1 .spec.shine in step 4 (upgrading 1/2)", c.want))
		})
	}
}

// A manager that applies one member of a group as it was has given the other up
// in name alone. Who applies neither gives up both.
func TestRelatedApplied(t *testing.T) {
	for want, body := range map[string]object{"violation rule-5": {"colour": "red"}, "impact rule-6": {"tags": []any{}}} {
		s := mixed(t)
		s.h.Header.Plan.Related = [][]string{{".spec.colour", ".spec.shine"}}
		s.create("treated-1", onlyShine)
		s.applied("treated-1", "skewsim", object{"f:spec": object{"f:shine": object{"f:level": object{}}}})
		s.edge()
		s.does(term.Apply, "treated-1", spec(body), []edit{with(".spec.shine", nil), with(".spec.tags", []any{})}, via("a"), by(term.OldApply))
		s.finds(fmt.Sprintf("nothing-lost %s lost apply-released treated-1 .spec.shine in step 5 (upgrading 1/2)", want))
	}
}
