package oracle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// A write of the servers' own is reported with the manager that made it, where one alone has
// written since; else without.
func TestOwnWritesAreNamed(t *testing.T) {
	entry := func(manager, time string) any { return object{"manager": manager, "operation": "Update", "time": time} }
	for name, c := range map[string]struct {
		after []any
		named bool
	}{
		"by one":            {[]any{entry("skewsim", "1"), entry("shine-controller", "2")}, true},
		"by two":            {[]any{entry("skewsim", "3"), entry("shine-controller", "2")}, false},
		"by nobody":         {[]any{entry("skewsim", "1")}, false},
		"without its books": {nil, false},
	} {
		s := mixed(t, term.Upgrade)
		s.create("bystander-1", `{"colour": "red"}`)
		s.patch("bystander-1", via("b"))
		s.store("bystander-1", ".metadata.managedFields", []any{entry("skewsim", "1")})
		s.edge()
		o := clone(t, s.stored["bystander-1"])
		delete(o["spec"].(object), "colour")
		delete(o["metadata"].(object), "managedFields")
		if c.after != nil {
			o["metadata"].(object)["managedFields"] = c.after
		}
		s.keep("bystander-1", o)
		s.edge()
		res, _ := s.judge()
		told := false
		for _, f := range res.Findings {
			told = told || strings.Contains(f.Message, `(the servers' own, by the manager "shine-controller")`)
			if f.Step != 0 {
				t.Errorf("%s: charged to a step: %+v", name, f)
			}
		}
		if len(res.Findings) == 0 || told != c.named {
			t.Errorf("%s: %+v", name, res.Findings)
		}
	}
}

// byOwner stores a copy anew as a controller of the servers does that leaves its name in
// managedFields.
func (s *story) byOwner(name, manager string, change func(spec object)) {
	o := clone(s.t, s.stored[name])
	change(o["spec"].(object))
	fields, _ := o["metadata"].(object)["managedFields"].([]any)
	o["metadata"].(object)["managedFields"] = append(fields, object{"manager": manager, "operation": "Update", "time": "2"})
	s.keep(name, o)
}

// A list that the servers themselves put in another order, and a value that is another one
// after a rollback, name the manager as well; and no client is charged.
func TestOwnWritesOfOtherFactsAreNamed(t *testing.T) {
	named := func(f result.Finding) bool { return strings.Contains(f.Message, `by the manager "shine-controller"`) }
	for _, owners := range [][]string{{"shine-controller"}, {"shine-controller", "other"}, nil} {
		write := func(s *story, change func(object)) {
			if owners == nil {
				o := clone(t, s.stored["bystander-1"])
				change(o["spec"].(object))
				s.keep("bystander-1", o)
			}
			for _, owner := range owners {
				s.byOwner("bystander-1", owner, change)
			}
		}
		s := mixed(t, term.Upgrade)
		s.create("bystander-1", `{"args": ["x", "y"]}`)
		s.edge()
		write(s, func(spec object) { spec["args"] = []any{"y", "x"} })
		s.edge()
		found := s.finds(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.args in step 0 ()`).Findings
		assert.Equal(t, len(owners) == 1, named(found[0]), "%q: %s", owners, found[0].Message)
		assert.Empty(t, found[0].Client)

		s = tell(t, term.Upgrade, term.Rollback)
		s.create("bystander-1", plainSpec)
		s.edge()
		s.stage("new", term.New, term.New)
		write(s, func(spec object) { spec["notes"] = object{"by": "a server"} })
		s.edge()
		s.stage("rolled-back", term.Old, term.Old)
		s.get("bystander-1", by(term.OldTyped))
		s.edge()
		for _, f := range s.result().Findings {
			assert.Equal(t, term.CheckRule6, f.Check)
			assert.Equal(t, len(owners) == 1, named(f), "%q: %s", owners, f.Message)
			assert.Empty(t, f.Client)
		}
		assert.NotEmpty(t, s.result().Findings)
	}
}
