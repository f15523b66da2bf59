package blame_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// A write of the servers' own is reported with the manager that made it, where one alone has
// written since; else without.
func TestOwnWritesAreNamed(t *testing.T) {
	entry := func(manager, time string) any {
		return oracletest.Object{"manager": manager, "operation": "Update", "time": time}
	}
	for name, c := range map[string]struct {
		after []any
		named bool
	}{
		"by one":            {[]any{entry("skewsim", "1"), entry("shine-controller", "2")}, true},
		"by two":            {[]any{entry("skewsim", "3"), entry("shine-controller", "2")}, false},
		"by nobody":         {[]any{entry("skewsim", "1")}, false},
		"without its books": {nil, false},
	} {
		run := oracletest.NewMixed(t, term.Upgrade)
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Patch("bystander-1", oracletest.Via("b"))
		run.Change("bystander-1", ".metadata.managedFields", []any{entry("skewsim", "1")})
		run.Observe()
		o := oracletest.Clone(t, run.Stored["bystander-1"])
		delete(o["spec"].(oracletest.Object), "colour")
		delete(o["metadata"].(oracletest.Object), "managedFields")
		if c.after != nil {
			o["metadata"].(oracletest.Object)["managedFields"] = c.after
		}
		run.Keep("bystander-1", o)
		run.Observe()
		res, _ := run.Judge()
		reported := false
		for _, f := range res.Findings {
			reported = reported || strings.Contains(f.Message, `(the servers' own, by the manager "shine-controller")`)
			if f.Step != 0 {
				t.Errorf("%s: charged to a step: %+v", name, f)
			}
		}
		if len(res.Findings) == 0 || reported != c.named {
			t.Errorf("%s: %+v", name, res.Findings)
		}
	}
}

// byOwner stores a copy anew as a controller of the servers does that leaves its name in
// managedFields.
func byOwner(run *oracletest.Run, name, manager string, change func(spec oracletest.Object)) {
	o := oracletest.Clone(run.T, run.Stored[name])
	change(o["spec"].(oracletest.Object))
	fields, _ := o["metadata"].(oracletest.Object)["managedFields"].([]any)
	o["metadata"].(oracletest.Object)["managedFields"] = append(fields, oracletest.Object{"manager": manager, "operation": "Update", "time": "2"})
	run.Keep(name, o)
}

// A list that the servers themselves put in another order, and a value that is another one
// after a rollback, name the manager as well; and no client is charged.
func TestOwnWritesOfOtherFactsAreNamed(t *testing.T) {
	named := func(f result.Finding) bool { return strings.Contains(f.Message, `by the manager "shine-controller"`) }
	for _, owners := range [][]string{{"shine-controller"}, {"shine-controller", "other"}, nil} {
		write := func(run *oracletest.Run, change func(oracletest.Object)) {
			if owners == nil {
				o := oracletest.Clone(t, run.Stored["bystander-1"])
				change(o["spec"].(oracletest.Object))
				run.Keep("bystander-1", o)
			}
			for _, owner := range owners {
				byOwner(run, "bystander-1", owner, change)
			}
		}
		run := oracletest.NewMixed(t, term.Upgrade)
		run.Create("bystander-1", `{"args": ["x", "y"]}`)
		run.Observe()
		write(run, func(spec oracletest.Object) { spec["args"] = []any{"y", "x"} })
		run.Observe()
		found := run.ExpectFindings(`nothing-lost violation rule-2 changed unattributed bystander-1 .spec.args in step 0 ()`).Findings
		assert.Equal(t, len(owners) == 1, named(found[0]), "%q: %s", owners, found[0].Message)
		assert.Empty(t, found[0].Client)

		run = oracletest.NewRun(t, term.Upgrade, term.Rollback)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Observe()
		run.Stage("new", term.New, term.New)
		write(run, func(spec oracletest.Object) { spec["notes"] = oracletest.Object{"by": "a server"} })
		run.Observe()
		run.Stage("rolled-back", term.Old, term.Old)
		run.Get("bystander-1", oracletest.By(term.OldTyped))
		run.Observe()
		for _, f := range run.Result().Findings {
			assert.Equal(t, term.CheckRule6, f.Check)
			assert.Equal(t, len(owners) == 1, named(f), "%q: %s", owners, f.Message)
			assert.Empty(t, f.Client)
		}
		assert.NotEmpty(t, run.Result().Findings)
	}
}
