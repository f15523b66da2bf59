package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A write that changes nothing answers with the revision of the one before
// it, and is not to blame for that.
func TestWriteThatChangesNothing(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	run.Patch("treated-1", oracletest.Via("b"), oracletest.Set(".spec.colour", "red"))
	run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// One revision in which the store's record has another object does not make
// that object's key the copy's.
func TestRevisionOfAnotherObject(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Observe()
	run.Patch("bystander-1")
	run.History.Changes[1].Key = "/example/other"
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown,
		"1 fact is indeterminate: the record of the store lacks revision 12, which an answer about bystander-1 carries")
}

// lostUnseen takes away what the old release does not know, with no answer that
// shows it until the edge.
func lostUnseen(run *oracletest.Run, name string) {
	run.Change(name, ".spec.shine", nil)
	run.Observe()
}

const (
	lostByNobody = `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 0 ()`
	lostByStep4  = `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`
)

// A version that no answer shows is the one write's whose answer is unclear.
// Where none is, more than one, or another write between, it is nobody's.
func TestVersionThatNoAnswerTellsOf(t *testing.T) {
	busy, silent := oracletest.Refused(504, "timeout"), oracletest.Refused(0, "reset")
	declared := oracletest.Respond(oracletest.Code(504))
	cases := map[string]struct {
		play func(run *oracletest.Run)
		want string
	}{
		"a 504": {func(run *oracletest.Run) { run.Patch("treated-1", oracletest.Via("b"), busy, declared) }, lostByStep4},
		"two of them": {func(run *oracletest.Run) {
			run.Patch("treated-1", oracletest.Via("b"), busy, declared)
			run.Patch("treated-1", oracletest.Via("b"), busy, declared)
		}, lostByNobody},
		"a write after it": {func(run *oracletest.Run) {
			run.Patch("treated-1", oracletest.Via("b"), busy, declared)
			run.Patch("treated-1", oracletest.Via("a"))
		}, lostByNobody},
		"a refusal": {func(run *oracletest.Run) {
			run.Patch("treated-1", oracletest.Via("b"), oracletest.Refused(409, "conflict"), oracletest.Respond(oracletest.Code(409)))
		}, lostByNobody},
		"a GET": {func(run *oracletest.Run) { run.Get("treated-1", oracletest.Via("b"), busy, declared) }, lostByNobody},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Unobserved = true
			run.Create("treated-1", oracletest.ShineSpec)
			c.play(run)
			lostUnseen(run, "treated-1")
			run.ExpectFindings(c.want)
		})
	}

	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"), silent)
	lostUnseen(run, "treated-1")
	run.ExpectFindings(`answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`, lostByStep4)
}

// A write before the version and one after it leave it to the unclear one between.
func TestUnclearWriteBetweenTwoOthers(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"), oracletest.Refused(504, "timeout"), oracletest.Respond(oracletest.Code(504)))
	lostUnseen(run, "treated-1")
	run.Patch("treated-1", oracletest.Via("a"))
	run.ExpectFindings(lostByStep4)
}

// A write that changes nothing answers with a revision that was seen before,
// and did not make it. Where nothing had seen it, the write may have made it.
func TestWriteThatAnswersWithAnOldRevision(t *testing.T) {
	lost := func(step string) string {
		return `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step ` + step
	}
	idle := oracletest.Set(".spec.size", "1")
	cases := map[string]struct {
		play func(run *oracletest.Run)
		want string
	}{
		"an edge had shown it":    {func(run *oracletest.Run) { run.Observe(); run.Patch("bystander-1", idle) }, lost("0 ()")},
		"its own read shows it":   {func(run *oracletest.Run) { run.Put("bystander-1", idle) }, lost("0 ()")},
		"nothing had shown it":    {func(run *oracletest.Run) { run.Patch("bystander-1", idle) }, lost("4 (upgrading 1/2)")},
		"a copy beside it is new": {func(run *oracletest.Run) { run.Create("bystander-2", `{"size": "1"}`); run.Patch("bystander-1", idle) }, lost("5 (upgrading 1/2)")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
			run.Change("bystander-1", ".spec.colour", nil)
			c.play(run)
			run.ExpectFindings(c.want)
		})
	}
}

// listedLate makes a LIST one that came after a step of a higher number.
func listedLate(run *oracletest.Run, list, step int, replica string) {
	x := run.Exchange(step, history.Look, replica)
	run.Listing(list, replica).Items = []history.Item{{Copy: "treated-1", Revision: x.Revision, Answer: x.Answer}}
}

// A LIST among the operations of a stage overlaps them: what it shows of a
// write of a higher number is that write's all the same.
func TestListBesideAWrite(t *testing.T) {
	for name, c := range map[string]struct {
		options []oracletest.Option
		want    []string
	}{
		"the write names the value": {[]oracletest.Option{oracletest.Via("a"), oracletest.Set(".spec.shine", nil)}, nil},
		"the write loses it":        {[]oracletest.Option{oracletest.Via("b")}, []string{`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			list := run.List("a")
			listedLate(run, list, run.Patch("treated-1", c.options...), "a")
			run.ExpectFindings(c.want...)
			_, ledger := run.Judge()
			want := term.Kept // withdrawn, as nothing is there to keep
			if c.want != nil {
				want = term.Lost
			}
			if got := oracletest.OutcomeSeen(t, oracletest.Ledger(t, ledger, "treated-1"), list, "a", ".spec.shine.level"); got != want {
				t.Errorf("in the LIST: %s, want %s", got, want)
			}
		})
	}
}

// A LIST that came before a write of a lower number shows the version before
// it, in which the value was not withdrawn yet.
func TestRowOfAListThatCameBefore(t *testing.T) {
	for came, want := range map[string]term.Outcome{"before": term.Hidden, "after": term.Kept} {
		run := oracletest.NewMixed(t)
		created := run.Create("treated-1", oracletest.ShineSpec)
		run.Patch("treated-1", oracletest.Via("a"), oracletest.Set(".spec.shine", nil))
		list := run.List("b")
		if came == "before" {
			listedLate(run, list, created, "b")
		}
		run.ExpectFindings()
		_, ledger := run.Judge()
		if got := oracletest.OutcomeSeen(t, oracletest.Ledger(t, ledger, "treated-1"), list, "b", ".spec.shine.level"); got != want {
			t.Errorf("a LIST that came %s: %s, want %s", came, got, want)
		}
	}
}
