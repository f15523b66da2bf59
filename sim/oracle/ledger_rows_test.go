package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// managedFields hold names of fields and no values of them: they are no difference.
func TestManagedFieldsAreNoDifference(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Change("bystander-1", ".metadata.managedFields", []any{oracletest.Object{"manager": "m"}})
	run.Observe()
	_, ledger := run.Judge()
	for _, row := range oracletest.Ledger(t, ledger, "bystander-1").Rows {
		for _, v := range row.Views {
			if len(v.Diff) > 0 {
				t.Errorf("step %d through %s: %+v", row.Step, v.Replica, v.Diff)
			}
		}
	}
}

// A conflict that a client went on from is not what its step came to, when what
// it read then failed: the step was not played.
func TestSkippedAfterConflict(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	n := run.Put("bystander-1")
	x := run.Exchange(n, history.Act, "a")
	x.Code, x.Reason = 409, "Conflict"
	if len(briefs(run)) == 0 {
		t.Error("the control: a conflict that stands")
	}
	run.History.Skips = append(run.History.Skips, oracletest.Skip(n, "the read before it was answered 500"))
	if found := briefs(run); len(found) != 0 {
		t.Errorf("found %v", found)
	}
}

func briefs(run *oracletest.Run) (all []string) {
	res, _ := run.Judge()
	for _, f := range res.Findings {
		all = append(all, oracletest.Brief(f))
	}
	return all
}

// Each step and each edge that met a copy is a row: what happened, what each
// replica showed, what was stored.
func TestRows(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Put("treated-1", oracletest.ReadVia("a"), oracletest.Via("b"), oracletest.By(term.OldTyped), oracletest.Warned("careful"))
	run.Observe()
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	var got []string
	for _, r := range c.Rows {
		got = append(got, oracletest.JSON(t, []any{r.Step, r.Stage, r.Title, r.Edge, r.Outcome, len(r.Requests), len(r.Views), r.Stored.Revision}))
	}
	want := []string{
		`[3,"upgrading 1/2","create by dynamic, via a (v2.0.0)",false,"hidden",1,2,11]`,
		`[5,"upgrading 1/2","put by old-typed, read a (v2.0.0), via b (v1.0.0)",false,"lost",2,2,13]`,
		`[6,"upgrading 1/2","LIST at the stage's edge",true,"lost",0,2,13]`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("rows:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	put := c.Rows[1].Requests
	if put[0].Method != "GET" || put[0].Replica != "a" || put[1].Replica != "b" || put[1].Version != oracletest.OldVersion || put[1].Warnings[0] != "careful" || put[1].Sent == "" {
		t.Errorf("requests: %+v", put)
	}
}

// What differs is shown against what was acknowledged, and beyond that against
// what the same release served before.
func TestDifferences(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	step := run.Patch("treated-1", oracletest.Via("b"))
	_, ledger := run.Judge()
	views := oracletest.Ledger(t, ledger, "treated-1").Rows[1].Views
	want := []result.Difference{
		{Path: ".spec.shine.level", Before: int64(3), HadBefore: true},
		{Path: oracletest.TouchLabel, After: "step-4", HasAfter: true},
	}
	for _, v := range views {
		if got := oracletest.JSON(t, v.Diff); got != oracletest.JSON(t, want) {
			t.Errorf("step %d through %s: %s\nwant: %s", step, v.Replica, got, oracletest.JSON(t, want))
		}
	}
}

// An answer that is no object colours its view and row.
func TestUnservedViews(t *testing.T) {
	for code, want := range map[int]term.Outcome{
		404: term.Lost, 500: term.Undecodable, 429: term.Failed, 503: term.Failed, 422: term.Refused, 403: term.Failed, 401: term.Failed,
	} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", `{"colour": "red"}`)
		oracletest.Fail(run.Exchange(created, "look", "b"), code, "sorry")
		_, ledger := run.Judge()
		c := oracletest.Ledger(t, ledger, "bystander-1")
		v := c.Rows[0].Views[1]
		if v.Outcome != want || v.Code != code || v.Message != "sorry" || c.Outcome != want || c.Rows[0].Outcome != want {
			t.Errorf("%d: view %+v, copy %s; want %s", code, v, c.Outcome, want)
		}
	}
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Delete("bystander-1")
	_, ledger := run.Judge()
	rows := oracletest.Ledger(t, ledger, "bystander-1").Rows
	last := rows[len(rows)-1]
	if len(rows) != 2 || last.Views[0].Outcome != term.Withdrawn || last.Views[0].Code != 404 || last.Outcome != term.Withdrawn {
		t.Errorf("rows after the delete: %+v", rows)
	}
}

// A status write touches a condition: it names that element alone, and through
// the old release it rewrites the spec as any write does.
func TestStatusPatch(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.StatusPatch("treated-1", oracletest.Via("b"))
	run.StatusPatch("treated-1", oracletest.Via("b"))
	res := run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if f := res.Findings[0]; f.Verb != term.StatusPatch {
		t.Errorf("verb: %s", f.Verb)
	}
	_, ledger := run.Judge()
	c := oracletest.Ledger(t, ledger, "treated-1")
	at := `.status.conditions[type="` + plan.TouchCondition + `"].message`
	states := map[int]term.Outcome{}
	for _, f := range c.Fields {
		if f.Path == at {
			states[f.Step] = f.Outcome
		}
	}
	if states[4] != term.Withdrawn || states[5] != term.Kept {
		t.Errorf("the first touch ends as %s, the second as %s; want withdrawn, kept", states[4], states[5])
	}
}

// The label that touch writes is what the copy was born with: naming it
// withdraws it, and the value before is not missed.
func TestTouchLabel(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Patch("bystander-1")
	run.Patch("bystander-1")
	run.ExpectFindings()
	run.Change("bystander-1", oracletest.TouchLabel, "stolen")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 ` + oracletest.TouchLabel + ` in step 0 ()`)
}

// What was skipped, and why, is carried over in the order of steps.
func TestSkippedAndNotes(t *testing.T) {
	run := oracletest.NewQuiet(t)
	run.History.Header.Plan.Skipped = []plan.Skip{{Line: 3, Stage: "old", Cell: "put widget", Reason: "no replica runs the new release"}}
	run.History.Skips = append(run.History.Skips, oracletest.Skip(5, "the read before it was answered 500"), oracletest.Skip(3, "no /status"))
	res, _ := run.Judge()
	if got := oracletest.JSON(t, res.Skipped); got != `[{"line":3,"stage":"old","cell":"put widget","reason":"no replica runs the new release"},`+
		`{"step":3,"stage":"upgrading 1/2","cell":"create bystander-1 by dynamic, via a (new)","reason":"no /status"},`+
		`{"step":5,"stage":"upgrading 1/2","cell":"put bystander-1 by dynamic, read b (old), via a (new): a label","reason":"the read before it was answered 500"}]` {
		t.Errorf("skipped: %s", got)
	}
	typed := "old-typed and new-typed are approximated: they drop what their release's published schema does not declare; a schema does not show which empty values the real types omit"
	if len(res.Notes) != 2 || res.Notes[1] != "values that no client sent, such as those that a server fills in, are judged only by rule-2 and rule-6" || !strings.HasPrefix(res.Notes[0], "not judged, since servers own them: .metadata.resourceVersion, ") {
		t.Errorf("notes: %q", res.Notes)
	}
	old := run.History.Releases[term.Old]
	old.Resources = nil
	run.History.Releases[term.Old] = old
	if res, _ = run.Judge(); !slices.Contains(res.Notes, "v1.0.0 does not serve example.dev/v1 Widget: its stored objects are not read through the replicas of this release") {
		t.Errorf("notes about a kind that is not served: %q", res.Notes)
	}
	run.Put("bystander-1", oracletest.By(term.NewTyped))
	if res, _ = run.Judge(); res.Notes[len(res.Notes)-1] != typed {
		t.Errorf("notes with a typed client: %q", res.Notes)
	}
}
