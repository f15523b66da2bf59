package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// A server that cannot answer just now says nothing of what is stored, so that
// what else goes wrong has no cause in it.
func TestServerThatIsGoing(t *testing.T) {
	story := func(code int) []result.Finding {
		s := oneStored(t)
		s.changeOf("bystander-1").Encoding = "encrypted"
		fails(s.recorded(3, history.Look, "b"), code, "sorry")
		l := s.listed(s.edge(), "b")
		l.Items = nil
		fails(&l.Exchange, 500, "oops")
		res, _ := s.judge()
		return res.Findings
	}
	for code, want := range map[int]term.Cause{500: term.KeyMissing, 503: term.Unattributed} {
		found := story(code)
		if len(found) != 2 || found[1].Cause != want {
			t.Errorf("%d: %+v", code, found)
		}
	}
}

const misread = "old-typed cannot decode the answer: json: cannot unmarshal string into Go struct field"

// A client that cannot read a success has not been served: the first rule that
// the call breaks tells it, and no other.
func TestAnswerThatTheClientCannotRead(t *testing.T) {
	s := controlled(t)
	s.create("bystander-1", plainSpec)
	step := s.patch("bystander-1", by(term.OldTyped))
	s.finds()
	s.operation(step, history.Act).Undecoded = misread
	message(t, s.finds(`rule-1 violation rule-1 failed client-misread bystander-1  in step 7 (upgrading 1/2)`),
		`Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) was answered 200, which the client's types could not read: `+misread+
			`; the same call succeeded in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); violation under rule-1`)

	s = controlled(t)
	s.create("treated-1", onlyShine)
	s.operation(s.patch("treated-1", by(term.OldTyped)), history.Act).Undecoded = misread
	s.finds(`rule-5 violation rule-5 failed client-misread treated-1  in step 7 (upgrading 1/2)`)

	s = mixed(t)
	s.create("treated-1", onlyShine)
	s.operation(s.get("treated-1", by(term.OldTyped)), history.Act).Undecoded = misread
	message(t, s.finds(`answers violation rule-5 failed client-misread treated-1  in step 4 (upgrading 1/2)`),
		`Widget treated-1: step 4 (upgrading 1/2: get by old-typed, via a (v2.0.0)): answered 200, which the client's types could not read: `+misread+`; a success was expected`)
}

// Declared, or of an earlier version's history, it is no success either; and what
// failed so before the upgrade may go on failing.
func TestUnreadableAnswersAlike(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.operation(s.get("treated-1", by(term.OldTyped), respond(scenarios.Respond{Code: 200})), history.Act).Exchange.Error = misread
	s.finds(`answers violation rule-5 failed client-misread treated-1  in step 4 (upgrading 1/2)`)

	s = controlled(t)
	s.operation(4, history.Act).Undecoded = misread
	s.create("control-3", plainSpec, by(term.OldTyped))
	s.operation(s.patch("control-3", by(term.OldTyped)), history.Act).Undecoded = misread
	s.finds()
}

// A read that its client cannot decode is all that its step came to.
func TestReadThatTheClientCannotDecode(t *testing.T) {
	s := tell(t)
	s.create("control-1", plainSpec, by(term.OldTyped))
	s.put("control-1", by(term.OldTyped))
	s.stage("upgrading 1/2", term.New, term.Old)
	s.create("bystander-1", plainSpec)
	step := s.put("bystander-1", by(term.OldTyped))
	read := *s.operation(step, history.Read)
	read.Undecoded, read.Exchange.Answer = misread, s.blob("bytes")
	all := s.h.Operations[:0]
	for _, op := range s.h.Operations {
		if op.Step != step {
			all = append(all, op)
		}
	}
	s.h.Operations = append(all, read)
	s.h.Changes = s.h.Changes[:len(s.h.Changes)-1]
	s.finds(`rule-1 violation rule-1 failed client-misread bystander-1  in step 6 (upgrading 1/2)`)
}

// What a Secret's client could not read is not quoted.
func TestSecretThatTheClientCannotRead(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"password": "aHVudGVyMg=="}`, of("secret"))
	s.operation(s.get("bystander-1", by(term.OldTyped)), history.Act).Undecoded = "cannot decode aHVudGVyMg=="
	message(t, s.finds(`answers violation rule-1 failed client-misread bystander-1  in step 4 (upgrading 1/2)`),
		`Secret bystander-1: step 4 (upgrading 1/2: get by old-typed, via a (v2.0.0)): answered 200, which the client's types could not read: withheld: confidential; a success was expected`)
}

// What a scenario marks is hidden as a Secret's values are; without the mark it is shown.
func TestMarkedPathsAreNotShown(t *testing.T) {
	for _, marked := range []bool{true, false} {
		s := mixed(t)
		if marked {
			s.h.Header.Plan.Confidential = map[string][]string{"Widget": {".spec.size"}}
		}
		s.create("bystander-1", `{}`, of("widget"))
		s.patch("bystander-1", of("widget"), refused(422, "Invalid value: hunter2"))
		told := s.finds(`answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)`).Findings[0].Message
		assert.Equal(t, !marked, strings.Contains(told, "hunter2"), told)
	}
}

// Where words about Secrets are left out, a note says where they are.
func TestNoteOfWhatIsWithheld(t *testing.T) {
	for kind, noted := range map[string]bool{"secret": true, "widget": false} {
		s := mixed(t)
		s.create("bystander-1", `{}`, of(kind))
		s.patch("bystander-1", of(kind), refused(422, "withdrawn: aHVudGVyMg=="))
		res := s.finds(`answers violation rule-1 refused unattributed bystander-1  in step 4 (upgrading 1/2)`)
		if is := slices.ContainsFunc(res.Notes, func(note string) bool { return strings.Contains(note, "history.jsonl") }); is != noted {
			t.Errorf("%s: notes: %q", kind, res.Notes)
		}
	}
}

// operation is a request of a step, for a test to bend.
func (s *story) operation(step int, purpose history.Purpose) *history.Operation {
	s.t.Helper()
	for i := range s.h.Operations {
		if op := &s.h.Operations[i]; op.Step == step && op.Purpose == purpose {
			return op
		}
	}
	s.t.Fatalf("step %d has no %s", step, purpose)
	return nil
}

// A LIST line that fails is reported once: where the server cannot read what it
// holds by everything-decodes; else by rule-1, where the same LIST succeeded at
// stage old; else by answers.
func TestLineThatListsIsReportedOnce(t *testing.T) {
	for code, want := range map[int]string{
		500: `everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`,
		403: `answers violation rule-1 refused unattributed   in step 4 (upgrading 1/2)`,
		503: `answers violation rule-1 failed unattributed   in step 4 (upgrading 1/2)`,
	} {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		s.list("b", refused(code, "oops"))
		s.finds(want)

		s = mixed(t)
		s.create("bystander-1", plainSpec)
		s.list("b", refused(code, "oops"), respond(scenarios.Respond{Code: code}))
		s.finds()
	}

	s := tell(t)
	s.create("control-1", plainSpec)
	s.list("a")
	s.stage("upgrading 1/2", term.New, term.Old)
	s.list("b")
	if c := check(t, s.finds(), term.CheckRule1); c.Judged != 1 {
		t.Errorf("the control: %+v", c)
	}
	s.list("b", refused(403, "not you"))
	message(t, s.finds(`rule-1 violation rule-1 refused unattributed   in step 6 (upgrading 1/2)`),
		`Widget widget: step 6 (upgrading 1/2: list by dynamic, via b (v1.0.0)) was answered 403: not you; the same call succeeded in step 3 (old: list by dynamic, via a (v1.0.0), on widget); violation under rule-1`)
}
