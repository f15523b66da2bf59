package checks_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// What a call fills in is held where two calls before the upgrade filled in the
// same; where they differ, or there is but one, it may be drawn anew each time.
func TestRule2HoldsWhatTwoCallsFilledIn(t *testing.T) {
	begin := func(t *testing.T, one, two, now any) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("control-1", oracletest.PlainSpec, oracletest.By(term.OldTyped))
		run.Create("control-2", oracletest.PlainSpec, oracletest.By(term.OldTyped), oracletest.Via("b"))
		filled := map[int]any{run.Patch("control-1", oracletest.By(term.OldTyped)): one, run.Patch("control-2", oracletest.By(term.OldTyped)): two}
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("bystander-1", oracletest.PlainSpec)
		filled[run.Patch("bystander-1", oracletest.By(term.OldTyped))] = now
		for step, v := range filled {
			if x := run.Operation(step, history.Act); v != nil {
				x.Exchange.Answer = run.Edited(x.Exchange.Answer, ".spec.notes.by", v)
			}
		}
		return run
	}
	const changed = `rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 8 (upgrading 1/2)`
	begin(t, "A", "A", "A").ExpectFindings()
	begin(t, "A", "A", "B").ExpectFindings(changed)
	begin(t, "of control-1", "of control-2", "of another").ExpectFindings(changed)
	begin(t, "of control-1", "of control-2", "of bystander-1").ExpectFindings()
	begin(t, "30001", "30002", "30003").ExpectFindings()
	begin(t, "A", nil, "B").ExpectFindings()
}

// What a call did is known from what the release that it called had shown before:
// where that is nothing, nothing is known.
func TestRule2OfAnEffectThatNothingShows(t *testing.T) {
	run := oracletest.NewControlled(t)
	run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
	run.Patch("bystander-1", oracletest.By(term.OldTyped))
	if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule2); c.Indeterminate != 0 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	run = oracletest.NewControlled(t)
	run.Unobserved = true
	run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
	run.Patch("bystander-1", oracletest.By(term.OldTyped))
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckRule2), term.Unknown,
		"1 fact is indeterminate: the release that was called has not shown the object both before the call and after it")
}

// A LIST of an earlier step overlaps the call, and may show what that has done.
func TestRule2BesideAList(t *testing.T) {
	for _, late := range []bool{false, true} {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
		n := run.List("b")
		touched := run.Patch("bystander-1", oracletest.By(term.OldTyped))
		if late {
			l := run.Listing(n, "b")
			for i := range l.Items {
				if l.Items[i].Copy == "bystander-1" {
					l.Items[i].Revision, l.Items[i].Answer = run.Revisions["bystander-1"], run.Blob(run.Served("bystander-1", term.Old))
				}
			}
		}
		if c := oracletest.Check(t, run.ExpectFindings(), term.CheckRule2); c.Indeterminate != 0 || c.Verdict != term.Pass {
			t.Errorf("late %t: %+v", late, c)
		}
		x := run.Operation(touched, history.Act)
		x.Exchange.Answer = run.Edited(x.Exchange.Answer, ".spec.notes.by", "a default")
		run.ExpectFindings(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 8 (upgrading 1/2)`)
	}
}

// What a call would do to a value is not shown by one that found none there.
func TestRule2OfAValueThatWasNotThere(t *testing.T) {
	const noted = `{"colour": "red", "size": "1", "notes": {"by": "A"}}`
	begin := func(t *testing.T, now string) *oracletest.Run {
		run := oracletest.NewRun(t)
		run.Create("control-1", noted, oracletest.By(term.OldTyped))
		taken := run.Patch("control-1", oracletest.By(term.OldTyped))
		run.Stage("upgrading 1/2", term.New, term.Old)
		run.Create("bystander-1", now)
		run.Patch("bystander-1", oracletest.By(term.OldTyped))
		x := run.Operation(taken, history.Act)
		x.Exchange.Answer = run.Edited(x.Exchange.Answer, ".spec.notes.by", nil)
		return run
	}
	begin(t, oracletest.PlainSpec).ExpectFindings()
	begin(t, noted).ExpectFindings(`rule-2 violation rule-2 changed unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`)
}

// Where the answer to a call is not as the server sent it, what the server shows next
// says what the call did.
func TestRule2OfWhatIsShownNext(t *testing.T) {
	for _, wrong := range []bool{true, false} {
		run := oracletest.NewControlled(t)
		run.Operation(4, history.Act).Exchange.AnswerBytes = "protobuf"
		run.Create("bystander-1", oracletest.PlainSpec)
		step := run.Patch("bystander-1", oracletest.By(term.OldTyped))
		run.Operation(step, history.Act).Exchange.AnswerBytes = "protobuf"
		if !wrong {
			run.ExpectFindings()
			continue
		}
		look := run.Exchange(step, history.Look, "a")
		look.Answer = run.Edited(look.Answer, ".spec.notes.by", "a default")
		run.ExpectFindings(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`,
			`rule-2 violation rule-2 varies defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`)
	}
}

// What a call did is not shown by what its release had shown of an older version. Near
// miss: the release has shown the newest, which holds what the call did not do.
func TestEffectAfterAWriteThatWasNotShown(t *testing.T) {
	for _, blind := range []bool{true, false} {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
		run.Unobserved = blind
		run.Patch("bystander-1", oracletest.By(term.NewTyped), oracletest.Via("a"), oracletest.Set(".spec.tags", []any{"x"}))
		run.Patch("bystander-1", oracletest.By(term.OldTyped), oracletest.Via("b"))
		res := run.ExpectFindings()
		assert.Equal(t, map[bool]int{true: 1, false: 0}[blind], oracletest.Check(t, res, term.CheckRule2).Indeterminate, "blind %t", blind)
	}
}

// A call that follows another on its copy is no measure for others, and is held
// against the same call where the copy was as that one's.
func TestFollowingEffects(t *testing.T) {
	called := func(colour string) *oracletest.Run {
		run := oracletest.NewControlled(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Patch("bystander-1", oracletest.Set(".spec.colour", colour))
		step := run.Patch("bystander-1", oracletest.By(term.OldTyped))
		run.AddArgument(step, "bystander-1")
		run.PlannedStep(step).Follows = true
		return run
	}
	called("red").ExpectFindings(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.args[0] in step 8 (upgrading 1/2)`)
	called("blue").ExpectFindings()
}

// A copy whose own version the new release serves no more, written through
// another: what that did cannot be seen there, and is no fact; through a release
// that serves it it is.
func TestUnshownEffect(t *testing.T) {
	play := func(serves ...string) *oracletest.Run {
		run := oracletest.NewRun(t, term.Upgrade)
		both := []string{"example.dev/v1", "example.dev/v1beta1"}
		run.Prefer(term.Old, "example.dev/v1beta1", both...)
		run.Prefer(term.New, "example.dev/v1beta1", serves...)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Create("bystander-2", oracletest.PlainSpec)
		run.UseV1beta1(run.Patch("bystander-1"))
		run.Stage("upgrading 1/2", term.New, term.Old)
		if len(serves) > 1 {
			run.Observe()
		}
		number := run.Patch("bystander-2")
		run.UseV1beta1(number)
		if len(serves) == 1 {
			run.Unserve(term.New)
			run.History.Operations = slices.DeleteFunc(run.History.Operations, func(o history.Operation) bool {
				return o.Step == number && o.Replica == "a" && o.Purpose == history.Look
			})
			run.Exchange(number, history.Act, "a").Answer = run.Blob(oracletest.Object{"apiVersion": "example.dev/v1beta1", "kind": "Widget", "metadata": oracletest.Object{"name": "bystander-2"}})
		}
		return run
	}
	reported := func(run *oracletest.Run) [2]int {
		res, _ := run.Judge()
		c := oracletest.Check(t, res, term.CheckRule2)
		return [2]int{c.Judged, c.Indeterminate}
	}
	if got := reported(play("example.dev/v1beta1")); got != [2]int{0, 0} {
		t.Errorf("nobody can see it: judged and indeterminate are %v", got)
	}
	if got := reported(play("example.dev/v1", "example.dev/v1beta1")); got[0] == 0 || got[1] > 0 {
		t.Errorf("it can be seen: judged and indeterminate are %v", got)
	}
}
