package oracle_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

func TestPass(t *testing.T) {
	res := oracletest.NewQuiet(t).ExpectFindings()
	if res.Verdict != term.Pass || res.Reason != "no finding, and none was expected" {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	for _, c := range applicable(res) {
		oracletest.ExpectVerdict(t, c, term.Pass, "")
		if c.Judged == 0 || c.Guarantee != term.Checks().Meaning(c.Name) {
			t.Errorf("check: %+v", c)
		}
	}
}

// applicable are the checks of a result that its run has a subject for.
func applicable(res result.Result) []result.Check {
	return slices.DeleteFunc(slices.Clone(res.Checks), func(c result.Check) bool { return c.Verdict == term.NotApplicable })
}

// A check that saw nothing to judge is unknown, and so is the run.
func TestNothingToJudge(t *testing.T) {
	for name, reported := range map[string]func(*oracletest.Run){
		"no operation": func(*oracletest.Run) {},
		"a create that nothing looked at": func(run *oracletest.Run) {
			run.Unobserved = true
			run.Create("untouched-1", `{"colour": "red"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			reported(run)
			res := run.ExpectFindings()
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown, "it saw nothing to judge")
			oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckEverythingDecodes), term.Unknown, "it saw nothing to judge")
			if res.Verdict != term.Unknown || res.Reason != "nothing-lost: it saw nothing to judge" {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
		})
	}
}

// A run that did not finish is unknown, unless what it found by then
// was not expected.
func TestIncomplete(t *testing.T) {
	cases := []struct {
		name   string
		end    *history.End
		reason string
	}{
		{"interrupted", &history.End{Outcome: history.Interrupted}, "the run was interrupted before its end; what it had seen by then is judged"},
		{"killed", nil, "the run was killed before its end; what it had seen by then is judged"},
		{"failed", &history.End{Outcome: history.Failed, Message: "step 9: no room"}, "the run could not continue: step 9: no room"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewQuiet(t)
			run.History.End = c.end
			res := run.ExpectFindings()
			if res.Verdict != term.Unknown || res.Reason != c.reason {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			for _, check := range applicable(res) {
				oracletest.ExpectVerdict(t, check, term.Unknown, "the run did not finish")
			}
			run.Change("bystander-1", ".spec.colour", nil)
			run.Observe()
			res = run.ExpectFindings(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
			if want := "nothing-lost: 1 finding not expected, 0 expectations not met; and " + c.reason; res.Verdict != term.Fail || res.Reason != want {
				t.Errorf("with a finding: %s: %s", res.Verdict, res.Reason)
			}
			run.History.Header.Plan.Expect = []scenarios.Expectation{{Check: term.CheckNothingLost}, {Check: term.CheckRule6, Line: 9}}
			if res, _ = run.Judge(); res.Verdict != term.Unknown || res.Reason != c.reason {
				t.Errorf("with a finding that was expected, and one that is missing yet: %s: %s", res.Verdict, res.Reason)
			}
		})
	}
}

// Requests that the interruption cut off are no findings; the same silence in
// a run that finished is one.
func TestCutOffRequests(t *testing.T) {
	run := oracletest.NewQuiet(t)
	touched := run.Patch("bystander-1", oracletest.Refused(0, "context canceled"))
	oracletest.Fail(run.Exchange(touched, history.Look, "a"), 0, "context canceled")
	oracletest.Fail(&run.Listing(run.Observe(), "b").Exchange, 0, "context canceled")
	run.ExpectFindings(
		`answers violation rule-1 failed unattributed bystander-1  in step 9 (new)`,
		`everything-decodes violation storage failed unattributed bystander-1  in step 9 (new)`,
		`everything-decodes violation storage failed unattributed   in step 10 (new)`)
	run.History.End = &history.End{Outcome: history.Interrupted}
	res := run.ExpectFindings()
	if answers, decodes := oracletest.Check(t, res, term.CheckAnswers).Indeterminate, oracletest.Check(t, res, term.CheckEverythingDecodes).Indeterminate; answers != 1 || decodes != 2 {
		t.Errorf("indeterminate: answers %d, everything-decodes %d; want 1 and 2", answers, decodes)
	}
}

// lines is the run as a run would have written it.
func lines(run *oracletest.Run) []string {
	records := []history.Record{{Header: &run.History.Header}}
	for _, digest := range slices.Sorted(maps.Keys(run.History.Blobs)) {
		blob := run.History.Blobs[digest]
		records = append(records, history.Record{Blob: &blob})
	}
	for _, role := range []term.Role{term.Old, term.New} {
		release := run.History.Releases[role]
		records = append(records, history.Record{Release: &release})
	}
	for i := range run.History.Servers {
		records = append(records, history.Record{Server: &run.History.Servers[i]})
	}
	for i := range run.History.Skips {
		records = append(records, history.Record{Skip: &run.History.Skips[i]})
	}
	for i := range run.History.Operations {
		records = append(records, history.Record{Operation: &run.History.Operations[i]})
	}
	for i := range run.History.Listings {
		records = append(records, history.Record{Listing: &run.History.Listings[i]})
	}
	for i := range run.History.Watches {
		records = append(records, history.Record{Watch: &run.History.Watches[i]})
	}
	for i := range run.History.Trials {
		records = append(records, history.Record{Trial: &run.History.Trials[i]})
	}
	for i := range run.History.Changes {
		records = append(records, history.Record{Change: &run.History.Changes[i]})
	}
	var all []string
	for i, r := range append(records, history.Record{End: run.History.End}) {
		r.N = i + 1
		raw, err := json.Marshal(r)
		if err != nil {
			run.T.Fatal(err)
		}
		all = append(all, string(raw)+"\n")
	}
	return all
}

// A history of which lines cannot be read is judged as far as it goes, and
// never passes.
func TestDamagedHistory(t *testing.T) {
	run := oracletest.NewQuiet(t)
	run.History.Header.SchemaVersion = history.SchemaVersion
	whole := lines(run)
	last := len(whole) - 1
	cases := []struct {
		name  string
		lines []string
		says  string
	}{
		{"whole", whole, "no finding, and none was expected"},
		{"the last line cut", append(append([]string{}, whole[:last]...), whole[last][:10]), fmt.Sprintf("the history is damaged: line %d: cut short", last+1)},
		{"the last line missing", whole[:last], "the run was killed before its end; what it had seen by then is judged"},
		{"a line in the middle damaged", append(append(append([]string{}, whole[:last-1]...), "no record\n"), whole[last]), fmt.Sprintf("the history is damaged: line %d: damaged: invalid character", last)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h, err := history.Decode(strings.NewReader(strings.Join(c.lines, "")))
			if err != nil {
				t.Fatal(err)
			}
			res, _ := oracle.Judge(h, run.Schemas)
			want := term.Unknown
			if c.name == "whole" {
				want = term.Pass
			}
			if res.Verdict != want || !strings.HasPrefix(res.Reason, c.says) || len(res.Findings) > 0 {
				t.Errorf("%s: %s; findings %v; want %s: %s", res.Verdict, res.Reason, res.Findings, want, c.says)
			}
		})
	}
}

// Answers show versions that the record of the store lacks. They are judged
// all the same, and the check is unknown: what lacks one may lack more.
func TestStoreRecordWithAHole(t *testing.T) {
	run := oracletest.NewQuiet(t)
	run.History.Changes = run.History.Changes[:len(run.History.Changes)-1]
	res := run.ExpectFindings()
	oracletest.ExpectVerdict(t, oracletest.Check(t, res, term.CheckNothingLost), term.Unknown,
		"1 fact is indeterminate: the record of the store lacks revision 13, which an answer about bystander-1 carries")

	run = oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	run.Patch("treated-1", oracletest.Via("b"))
	run.History.Changes = nil
	res = run.ExpectFindings(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if got := oracletest.Check(t, res, term.CheckNothingLost).Indeterminate; got != 2 {
		t.Errorf("indeterminate %d, want 2", got)
	}
}

// Equal evidence gives equal results, in whatever order it was written down.
func TestOrderOfLinesChangesNothing(t *testing.T) {
	run := oracletest.NewRolledBack(t, "untouched-1")
	run.Create("treated-1", `{"colour": "red", "tags": ["p", "q"]}`, oracletest.Via("a"))
	run.Change("treated-1", ".spec.tags", nil)
	run.Patch("treated-1", oracletest.Via("b"))
	put := run.Put("treated-1", oracletest.ReadVia("b"), oracletest.Via("a"), oracletest.Set(".spec.colour", "blue"))
	run.Observe()
	run.Reupgrade()
	oracletest.Fail(run.Exchange(put, history.Look, "b"), 500, "unable to decode")
	oracletest.Fail(run.Exchange(put, history.Read, "b"), 500, "another time")
	want := judgedAs(t, run)
	if n := strings.Count(want, `"check":`); n < 3 {
		t.Fatalf("the story tells too little: %d findings", n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		shuffle(random, run.History.Operations)
		shuffle(random, run.History.Listings)
		shuffle(random, run.History.Changes)
		if got := judgedAs(t, run); got != want {
			t.Fatalf("shuffled:\n%s\nin order:\n%s", got, want)
		}
	}
}

func shuffle[E any](random *rand.Rand, all []E) {
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

func judgedAs(t *testing.T, run *oracletest.Run) string {
	t.Helper()
	res, ledger := run.Judge()
	return written(t, res, ledger)
}

func written(t *testing.T, res result.Result, ledger result.Ledger) string {
	t.Helper()
	var b bytes.Buffer
	for _, v := range []any{res, ledger} {
		raw, err := json.MarshalIndent(v, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
	}
	return b.String()
}

// What a Secret holds is shown nowhere: not in findings, not in messages, not
// in the ledger.
func TestSecrets(t *testing.T) {
	const before, after = "aHVudGVyMg==", "c3dvcmRmaXNo"
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"password": "`+before+`", "user": "`+before+`"}`, oracletest.Of("secret"))
	wants := scenarios.Respond{Fields: map[string]any{".data.password": after}}
	run.Patch("bystander-1", oracletest.Respond(wants))
	run.Change("bystander-1", ".data.password", after)
	run.Change("bystander-1", ".data.user", nil)
	run.Patch("bystander-1")
	res, _ := run.Judge()
	states := ""
	for _, f := range res.Findings {
		states += string(f.Outcome) + " "
		for _, v := range []any{f.Before, f.After} {
			if v != nil && !redact.IsFingerprint(v) {
				t.Errorf("%s %s shows %v", f.Outcome, f.Path, v)
			}
		}
	}
	if states != "dropped changed lost " {
		t.Errorf("findings: %s", states)
	}
	all := judgedAs(t, run)
	for _, text := range []string{before, after, "hunter2", "swordfish"} {
		if strings.Contains(all, text) {
			t.Errorf("%s is shown", text)
		}
	}
}
