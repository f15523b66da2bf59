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
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// quiet is a journey in which nothing goes wrong.
func quiet(t *testing.T) *story {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.create("untouched-1", `{"colour": "red"}`)
	s.put("bystander-1", read("b"), via("a"))
	s.edge()
	s.stage("new", term.New, term.New)
	s.edge()
	return s
}

func TestPass(t *testing.T) {
	res := quiet(t).finds()
	if res.Verdict != term.Pass || res.Reason != "no finding, and none was expected" {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
	for _, c := range applicable(res) {
		verdict(t, c, term.Pass, "")
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
	for name, told := range map[string]func(*story){
		"no operation": func(*story) {},
		"a create that nothing looked at": func(s *story) {
			s.blind = true
			s.create("untouched-1", `{"colour": "red"}`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			told(s)
			res := s.finds()
			verdict(t, check(t, res, term.CheckNothingLost), term.Unknown, "it saw nothing to judge")
			verdict(t, check(t, res, term.CheckEverythingDecodes), term.Unknown, "it saw nothing to judge")
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
			s := quiet(t)
			s.h.End = c.end
			res := s.finds()
			if res.Verdict != term.Unknown || res.Reason != c.reason {
				t.Errorf("%s: %s", res.Verdict, res.Reason)
			}
			for _, check := range applicable(res) {
				verdict(t, check, term.Unknown, "the run did not finish")
			}
			s.store("bystander-1", ".spec.colour", nil)
			s.edge()
			res = s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
			if want := "nothing-lost: 1 findings not expected, 0 expectations not met; and " + c.reason; res.Verdict != term.Fail || res.Reason != want {
				t.Errorf("with a finding: %s: %s", res.Verdict, res.Reason)
			}
			s.h.Header.Plan.Expect = []scenarios.Expectation{{Check: term.CheckNothingLost}, {Check: term.CheckRule6, Line: 9}}
			if res, _ = s.judge(); res.Verdict != term.Unknown || res.Reason != c.reason {
				t.Errorf("with a finding that was expected, and one that is missing yet: %s: %s", res.Verdict, res.Reason)
			}
		})
	}
}

// Requests that the interruption cut off are no findings; the same silence in
// a run that finished is one.
func TestCutOffRequests(t *testing.T) {
	s := quiet(t)
	touched := s.patch("bystander-1", refused(0, "context canceled"))
	fails(s.recorded(touched, history.Look, "a"), 0, "context canceled")
	fails(&s.listed(s.edge(), "b").Exchange, 0, "context canceled")
	s.finds(
		`answers violation rule-1 failed unattributed bystander-1  in step 9 (new)`,
		`everything-decodes violation storage failed unattributed bystander-1  in step 9 (new)`,
		`everything-decodes violation storage failed unattributed   in step 10 (new)`)
	s.h.End = &history.End{Outcome: history.Interrupted}
	res := s.finds()
	if answers, decodes := check(t, res, term.CheckAnswers).Indeterminate, check(t, res, term.CheckEverythingDecodes).Indeterminate; answers != 1 || decodes != 2 {
		t.Errorf("indeterminate: answers %d, everything-decodes %d; want 1 and 2", answers, decodes)
	}
}

// lines is the story as a run would have written it.
func (s *story) lines() []string {
	records := []history.Record{{Header: &s.h.Header}}
	for _, digest := range slices.Sorted(maps.Keys(s.h.Blobs)) {
		blob := s.h.Blobs[digest]
		records = append(records, history.Record{Blob: &blob})
	}
	for _, role := range []term.Role{term.Old, term.New} {
		release := s.h.Releases[role]
		records = append(records, history.Record{Release: &release})
	}
	for i := range s.h.Servers {
		records = append(records, history.Record{Server: &s.h.Servers[i]})
	}
	for i := range s.h.Skips {
		records = append(records, history.Record{Skip: &s.h.Skips[i]})
	}
	for i := range s.h.Operations {
		records = append(records, history.Record{Operation: &s.h.Operations[i]})
	}
	for i := range s.h.Listings {
		records = append(records, history.Record{Listing: &s.h.Listings[i]})
	}
	for i := range s.h.Watches {
		records = append(records, history.Record{Watch: &s.h.Watches[i]})
	}
	for i := range s.h.Trials {
		records = append(records, history.Record{Trial: &s.h.Trials[i]})
	}
	for i := range s.h.Changes {
		records = append(records, history.Record{Change: &s.h.Changes[i]})
	}
	var all []string
	for i, r := range append(records, history.Record{End: s.h.End}) {
		r.N = i + 1
		raw, err := json.Marshal(r)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, string(raw)+"\n")
	}
	return all
}

// A history of which lines cannot be read is judged as far as it goes, and
// never passes.
func TestDamagedHistory(t *testing.T) {
	s := quiet(t)
	s.h.Header.SchemaVersion = history.SchemaVersion
	whole := s.lines()
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
			res, _ := oracle.Judge(h, s.schemas)
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
	s := quiet(t)
	s.h.Changes = s.h.Changes[:len(s.h.Changes)-1]
	res := s.finds()
	verdict(t, check(t, res, term.CheckNothingLost), term.Unknown,
		"1 facts are indeterminate: the record of the store lacks revision 13, which an answer about bystander-1 carries")

	s = mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"))
	s.h.Changes = nil
	res = s.finds(`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	if got := check(t, res, term.CheckNothingLost).Indeterminate; got != 2 {
		t.Errorf("indeterminate %d, want 2", got)
	}
}

// Equal evidence gives equal results, in whatever order it was written down.
func TestOrderOfLinesChangesNothing(t *testing.T) {
	s := rolledBack(t, "untouched-1")
	s.create("treated-1", `{"colour": "red", "tags": ["p", "q"]}`, via("a"))
	s.store("treated-1", ".spec.tags", nil)
	s.patch("treated-1", via("b"))
	put := s.put("treated-1", read("b"), via("a"), set(".spec.colour", "blue"))
	s.edge()
	s.reUpgraded()
	fails(s.recorded(put, history.Look, "b"), 500, "unable to decode")
	fails(s.recorded(put, history.Read, "b"), 500, "another time")
	want := judgedAs(t, s)
	if n := strings.Count(want, `"check":`); n < 3 {
		t.Fatalf("the story tells too little: %d findings", n)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		shuffle(random, s.h.Operations)
		shuffle(random, s.h.Listings)
		shuffle(random, s.h.Changes)
		if got := judgedAs(t, s); got != want {
			t.Fatalf("shuffled:\n%s\nin order:\n%s", got, want)
		}
	}
}

func shuffle[E any](random *rand.Rand, all []E) {
	random.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
}

func judgedAs(t *testing.T, s *story) string {
	t.Helper()
	res, ledger := s.judge()
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
	s := mixed(t)
	s.create("bystander-1", `{"password": "`+before+`", "user": "`+before+`"}`, of("secret"))
	wants := scenarios.Respond{Fields: map[string]any{".data.password": after}}
	s.patch("bystander-1", respond(wants))
	s.store("bystander-1", ".data.password", after)
	s.store("bystander-1", ".data.user", nil)
	s.patch("bystander-1")
	res, _ := s.judge()
	states := ""
	for _, f := range res.Findings {
		states += string(f.State) + " "
		for _, v := range []any{f.Before, f.After} {
			if v != nil && !redact.IsFingerprint(v) {
				t.Errorf("%s %s shows %v", f.State, f.Path, v)
			}
		}
	}
	if states != "not-accepted changed lost " {
		t.Errorf("findings: %s", states)
	}
	all := judgedAs(t, s)
	for _, text := range []string{before, after, "hunter2", "swordfish"} {
		if strings.Contains(all, text) {
			t.Errorf("%s is shown", text)
		}
	}
}
