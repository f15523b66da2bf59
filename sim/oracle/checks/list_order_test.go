package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A plain list whose elements changed places has lost none of them: it is reported
// once, of the list. Where an element is another one, each is reported.
func TestReordered(t *testing.T) {
	for name, c := range map[string]struct {
		stored []any
		want   []string
	}{
		"another order": {[]any{"y", "x"}, []string{`nothing-lost violation rule-2 changed unattributed control-1 .spec.args in step 0 ()`}},
		"another value": {[]any{"y", "z"}, []string{
			`nothing-lost violation rule-2 changed unattributed control-1 .spec.args[0] in step 0 ()`,
			`nothing-lost violation rule-2 changed unattributed control-1 .spec.args[1] in step 0 ()`,
		}},
		"the same": {[]any{"x", "y"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewRun(t, term.Upgrade)
			run.Create("control-1", `{"args": ["x", "y"]}`)
			run.Change("control-1", ".spec.args", c.stored)
			run.Observe()
			run.ExpectFindings(c.want...)
		})
	}
}

// What client-side apply records is a client's value like any other, until the
// next such apply records anew.
func TestLastApplied(t *testing.T) {
	const at = `.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`
	begin := func() *oracletest.Run {
		run := oracletest.NewMixed(t)
		run.Unobserved = true // what its looks would show is not what its answer is made to
		created := run.Create("bystander-1", `{"colour": "red"}`)
		run.Unobserved = false
		run.CreateBy(created, term.ClientSideApply, 201, true)
		run.EditAnswer(created, oracletest.With(at, "one"))
		x := run.Exchange(created, history.Act, "a")
		x.Sent = run.Edited(x.Sent, at, "one")
		return run
	}
	run := begin()
	run.Change("bystander-1", at, "two")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 ` + at + ` in step 0 ()`)

	run = begin()
	run.Change("bystander-1", at, "one")
	run.Do(term.ClientSideApply, "bystander-1", oracletest.Object{"spec": oracletest.Object{}}, []oracletest.Edit{oracletest.With(at, "two")}, oracletest.Via("a"), oracletest.ReadVia("a"))
	run.Observe()
	run.ExpectFindings()
}
