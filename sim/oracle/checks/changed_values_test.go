package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A stored value is spelled anew, or changed. Only the second is reported.
func TestSpellingIsNoChange(t *testing.T) {
	const base = `{"size": "1", "since": "2020-01-02T03:04:05Z", "parts": [{"name": "x", "count": 1}, {"name": "y", "count": 2}],
		"tags": ["p", "q"], "args": ["one", "two"], "notes": {"k": "v"}, "colour": "red"}`
	cases := []struct {
		name, at string
		value    any
		finding  string // state and path; "" for no finding
		after    string
	}{
		{"a quantity in other words", ".spec.size", "1000m", "", ""},
		{"another quantity", ".spec.size", "2", "changed unattributed bystander-1 .spec.size", `"2"`},
		{"a time in another zone", ".spec.since", "2020-01-02T04:04:05+01:00", "", ""},
		{"another time", ".spec.since", "2020-01-02T03:04:06Z", "changed unattributed bystander-1 .spec.since", `"2020-01-02T03:04:06Z"`},
		{"a list-map in another order", ".spec.parts", []any{oracletest.Object{"name": "y", "count": 2}, oracletest.Object{"name": "x", "count": 1}}, "", ""},
		{"a list-map's element changed", ".spec.parts", []any{oracletest.Object{"name": "y", "count": 2}, oracletest.Object{"name": "x", "count": 9}},
			`changed unattributed bystander-1 .spec.parts[name="x"].count`, "9"},
		{"a list-map's element gone", ".spec.parts", []any{oracletest.Object{"name": "y", "count": 2}}, `lost unattributed bystander-1 .spec.parts[name="x"]`, "null"},
		{"a set in another order", ".spec.tags", []any{"q", "p"}, "", ""},
		{"a set's element gone", ".spec.tags", []any{"q"}, `lost unattributed bystander-1 .spec.tags[="p"]`, "null"},
		{"a plain list longer", ".spec.args", []any{"one", "two", "three"}, "", ""},
		{"a plain list shorter", ".spec.args", []any{"one"}, `lost unattributed bystander-1 .spec.args[1]`, "null"},
		{"a map's other key", ".spec.notes", oracletest.Object{"k": "v", "l": "w"}, "", ""},
		{"a map's key gone", ".spec.notes", oracletest.Object{}, `lost unattributed bystander-1 .spec.notes.k`, "null"},
		{"the map gone", ".spec.notes", nil, `lost unattributed bystander-1 .spec.notes`, "null"},
		{"a text changed", ".spec.colour", "blue", "changed unattributed bystander-1 .spec.colour", `"blue"`},
		{"what servers own", ".metadata.uid", "u-1", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", base)
			run.Change("bystander-1", c.at, c.value)
			run.Observe()
			if c.finding == "" {
				run.ExpectFindings()
				return
			}
			res := run.ExpectFindings("nothing-lost violation rule-6 " + c.finding + " in step 0 ()")
			if len(res.Findings) == 1 && oracletest.JSON(t, res.Findings[0].After) != c.after {
				t.Errorf("after: %s, want %s", oracletest.JSON(t, res.Findings[0].After), c.after)
			}
		})
	}
}

// A changed value's message says what it became.
func TestChangedMessage(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"size": "1"}`)
	run.Change("bystander-1", ".spec.size", "2")
	run.Observe()
	res, _ := run.Judge()
	want := `Widget bystander-1: .spec.size = "1", acknowledged in step 3 (v2.0.0), became "2" after step 3 (upgrading 1/2) and before step 4 (upgrading 1/2): a write that no step asked for (the servers' own); unattributed: the evidence does not say why; violation under rule-6`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// Null and absent are one: a null that was sent is no value, and one that is
// served is not one either.
func TestNullIsAbsent(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": null, "size": "1"}`)
	run.Change("bystander-1", ".spec", oracletest.Object{"size": "1"})
	run.Observe()
	run.ExpectFindings()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != "" {
		t.Errorf("a null was offered: %s", got)
	}

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Change("bystander-1", ".spec", oracletest.Object{"size": "1", "colour": nil})
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// A value that a later operation sets is judged from there on; the one before
// it is withdrawn. One that only goes away and comes back ends as kept.
func TestSetAgain(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
	run.Patch("bystander-1", oracletest.Via("a"), oracletest.Set(".spec.colour", "blue"))
	run.ExpectFindings()
	run.Change("bystander-1", ".spec.colour", "red")
	run.Observe()
	run.ExpectFindings(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)

	run.Change("bystander-1", ".spec.colour", "blue")
	run.Observe()
	_, ledger := run.Judge()
	if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, "bystander-1"), ".spec.colour"); got != term.Kept {
		t.Errorf("came back, and ends as %s; want kept", got)
	}
}

// An operation that only removes, or whose body holds no object, offers
// nothing; the ledger has no value without a path.
func TestNothingOffered(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Patch("bystander-1", oracletest.Via("a"), oracletest.Set(".spec.colour", nil))
	run.ExpectFindings()
	_, ledger := run.Judge()
	for _, f := range oracletest.Ledger(t, ledger, "bystander-1").Fields {
		if f.Path == "" || f.Path == ".spec.colour" && f.Outcome != term.Withdrawn {
			t.Errorf("field: %+v", f)
		}
	}
}

// A body is read by the kind it was sent to, even when two kinds were sent the
// same one: a quantity here is a text there.
func TestSameBodyForTwoKinds(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"size": "1"}`)
	run.Create("bystander-2", `{"size": "1"}`, oracletest.Of("gadget"))
	same := oracletest.Object{"spec": oracletest.Object{"size": "2"}}
	for _, name := range []string{"bystander-2", "bystander-1"} {
		step := run.Patch(name, oracletest.Via("a"), oracletest.Set(".spec.size", "2"))
		run.Exchange(step, "act", "a").Sent = run.Blob(same)
		run.SetBody(step, same)
	}
	run.Change("bystander-1", ".spec.size", "2000m")
	run.Observe()
	run.ExpectFindings()
	_, ledger := run.Judge()
	for _, name := range []string{"bystander-1", "bystander-2"} {
		if got := oracletest.LastOutcome(oracletest.Ledger(t, ledger, name), ".spec.size"); got != term.Kept {
			t.Errorf("%s: %s, want kept", name, got)
		}
	}
}
