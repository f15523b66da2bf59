package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

var fine = oracletest.Object{"conditions": []any{oracletest.Object{"type": "Fine", "status": "True"}}}

// createWithStatus creates a copy with a status, which the answer shows or not.
func createWithStatus(run *oracletest.Run, name, replica string, kept bool) int {
	n := run.Create(name, `{"size": "1"}`, oracletest.Via(replica))
	x := run.Exchange(n, history.Act, replica)
	x.Sent = run.Edited(x.Sent, ".status", fine)
	if kept {
		run.Change(name, ".status", fine)
		run.EditAnswer(n, oracletest.With(".status", fine))
	}
	return n
}

// TestStatusInCreate: of a kind with a status subresource, a status in a create is offered if one of the
// releases takes it. Near twins: neither takes it, or servers fill it in for everybody.
func TestStatusInCreate(t *testing.T) {
	for name, c := range map[string]struct {
		old, new, filled bool
		want             []string
	}{
		"the new one drops it": {old: true, want: []string{`nothing-lost violation rule-2 dropped unattributed bystander-2 .status in step 4 (upgrading 1/2)`}},
		"the old one drops it": {new: true, want: []string{`nothing-lost impact rule-3 dropped unattributed bystander-1 .status in step 3 (upgrading 1/2)`}},
		"both take it":         {old: true, new: true},
		"neither takes it":     {},
		"the old one fills it": {old: true, filled: true},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			createWithStatus(run, "bystander-1", "b", c.old)
			createWithStatus(run, "bystander-2", "a", c.new)
			if c.filled {
				run.EditAnswer(run.Create("bystander-3", `{"size": "1"}`, oracletest.Via("b")), oracletest.With(".status", fine))
			}
			run.ExpectFindings(c.want...)
		})
	}
}

// TestRestInStatusWrite: a field beside the status is offered in a write of the status if the old release
// takes it. Near twin: neither does.
func TestRestInStatusWrite(t *testing.T) {
	for _, taken := range []bool{true, false} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red"}`)
		run.Create("bystander-2", `{"colour": "red"}`)
		set := []oracletest.Option{oracletest.Set(`.status.conditions[type="Fine"].status`, "True"), oracletest.Set(".spec.colour", "blue")}
		old := run.StatusPatch("bystander-1", append(set, oracletest.Via("b"))...)
		if !taken {
			run.Change("bystander-1", ".spec.colour", "red")
			run.EditAnswer(old, oracletest.With(".spec.colour", "red"))
		}
		n := run.StatusPatch("bystander-2", set...)
		run.Change("bystander-2", ".spec.colour", "red")
		run.EditAnswer(n, oracletest.With(".spec.colour", "red"))
		var want []string
		if taken {
			want = []string{`nothing-lost violation rule-2 dropped unattributed bystander-2 .spec.colour in step 6 (upgrading 1/2)`}
		}
		run.ExpectFindings(want...)
	}
}

// TestStatusOfControllers: what controllers make of a status that a create sent is theirs.
func TestStatusOfControllers(t *testing.T) {
	run := oracletest.NewMixed(t)
	createWithStatus(run, "bystander-1", "b", true)
	run.Change("bystander-1", ".status", oracletest.Object{"conditions": []any{oracletest.Object{"type": "Fine", "status": "False"}}})
	run.Observe()
	run.ExpectFindings()
}
