package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A GET that is not answered with the object says that the object is gone or
// that it cannot be read.
func TestUnreadable(t *testing.T) {
	cases := []struct {
		code    int
		answer  string
		state   string
		message string
	}{
		{404, "widgets \"bystander-1\" not found", "lost", `404: widgets "bystander-1" not found`},
		{500, "unable to decode", "undecodable", "500: unable to decode"},
		{500, "", "undecodable", "500"},
		{429, "storage is (re)initializing", "undecodable", "429: storage is (re)initializing"},
		{429, "slow down", "failed", "429: slow down"},
		{503, "apiserver is shutting down", "failed", "503: apiserver is shutting down"},
		{422, "not this", "refused", "422: not this"},
		{401, "who are you", "failed", "401: who are you"},
		{403, "not you", "failed", "403: not you"},
		{0, "connection refused", "failed", "not at all: connection refused"},
	}
	for _, c := range cases {
		t.Run(c.message, func(t *testing.T) {
			s := mixed(t)
			created := s.create("bystander-1", `{"colour": "red"}`)
			s.finds()
			fails(s.recorded(created, history.Look, "b"), c.code, c.answer)
			res := s.finds(`everything-decodes violation storage ` + c.state + ` unattributed bystander-1  in step 3 (upgrading 1/2)`)
			f := res.Findings[0]
			want := `Widget bystander-1: GET through b (v1.0.0) after step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)) was answered ` +
				c.message + `; everything stored decodes in every release that may have to read it`
			if f.Message != want || f.Replica != "b" || f.Via != term.Old || f.Release != oldVersion {
				t.Errorf("finding: %+v\nwant message: %s", f, want)
			}
			if check(t, res, term.CheckEverythingDecodes).Verdict != term.Fail {
				t.Errorf("checks: %+v", res.Checks)
			}
		})
	}
}

// A success whose body is no object cannot be read either, and shows nothing of
// values: none of them is lost.
func TestSuccessThatIsNoObject(t *testing.T) {
	for name, body := range map[string]any{"null": nil, "a list": []any{}, "a text": "busy"} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			created := s.create("bystander-1", `{"colour": "red"}`)
			s.recorded(created, history.Look, "b").Answer = s.blob(body)
			res := s.finds(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`)
			want := `Widget bystander-1: GET through b (v1.0.0) after step 3 (upgrading 1/2: create by dynamic, via a (v2.0.0)) was answered 200 with a body that is not an object; everything stored decodes in every release that may have to read it`
			if got := res.Findings[0].Message; got != want {
				t.Errorf("message:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

// No body at all is no object; a body that the record lost may have been one.
func TestBodyThatIsMissing(t *testing.T) {
	s := mixed(t)
	look := s.recorded(s.create("bystander-1", `{"colour": "red"}`), history.Look, "b")
	look.Answer = ""
	s.finds(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`)
	look.Answer = "gone"
	res := s.finds()
	verdict(t, check(t, res, term.CheckEverythingDecodes), term.Unknown, "1 facts are indeterminate: the history lacks the body of an answer")
}

// A LIST that the caller may not make says nothing of what is stored, and one
// that cannot be read breaks the resource though it is a success.
func TestListTurnedAwayOrUnreadable(t *testing.T) {
	for state, x := range map[string]history.Exchange{
		"failed":      {Code: 403, Message: "not you"},
		"undecodable": {Code: 200, Error: "the answer cannot be read: no items"},
	} {
		s := mixed(t)
		s.create("bystander-1", `{"colour": "red"}`)
		l := s.listed(s.edge(), "b")
		l.Exchange, l.Items = x, nil
		s.finds(`everything-decodes violation storage ` + state + ` unattributed   in step 4 (upgrading 1/2)`)
	}
}

// A LIST in another version of the kind says nothing of a copy: neither that it
// is gone nor that its values are.
func TestListInAnotherVersion(t *testing.T) {
	for version, want := range map[string][]string{
		"example.dev/v2": nil,
		"example.dev/v1": {`nothing-lost violation rule-2 hidden unattributed bystander-1 .spec.colour in step 5 (upgrading 1/2)`,
			`everything-decodes violation storage lost unattributed bystander-2  in step 5 (upgrading 1/2)`},
	} {
		s := mixed(t)
		s.create("bystander-1", `{"colour": "red", "size": "1"}`)
		s.create("bystander-2", `{"colour": "red"}`)
		l := s.listed(s.edge(), "a")
		l.APIVersion, l.Items = version, l.Items[:1]
		l.Items[0].Answer = s.bend(l.Items[0].Answer, ".spec.colour", nil)
		s.finds(want...)
	}
}

// The GET of a GET-PUT is judged as any other.
func TestUnreadableForAPut(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	put := s.put("bystander-1", read("b"), via("a"))
	fails(s.recorded(put, history.Read, "b"), 500, "unable to decode")
	s.finds(`everything-decodes violation storage undecodable unattributed bystander-1  in step 4 (upgrading 1/2)`)
}

// What is gone because a step deleted it is not missed.
func TestGoneOrDeleted(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.delete("bystander-1", via("b"))
	s.edge()
	s.finds()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != term.Withdrawn {
		t.Errorf("after the delete: %s, want withdrawn", got)
	}

	s = mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.delete("bystander-1", via("b"), refused(403, "not you"), respond(code(403)))
	s.gone("bystander-1")
	s.edge()
	res := s.finds(
		`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
	want := `Widget bystander-1: LIST through a (v2.0.0) in step 5 (upgrading 1/2) does not show it, and no step deleted it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// One object that cannot be decoded breaks the whole LIST: that is one finding
// about the kind, not one for each copy.
func TestListThatFails(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.create("bystander-2", `{"colour": "red"}`)
	edge := s.edge()
	s.finds()
	l := s.listed(edge, "b")
	l.Items = nil
	fails(&l.Exchange, 500, "unable to decode")
	res := s.finds(`everything-decodes violation storage undecodable unattributed   in step 5 (upgrading 1/2)`)
	f := res.Findings[0]
	want := `Widget: LIST through b (v1.0.0) in step 5 (upgrading 1/2) was answered 500: unable to decode: one object that cannot be decoded breaks the whole resource`
	if f.Message != want || f.Verb != term.ListAll || f.Kind != "Widget" || f.Replica != "b" || f.Via != term.Old {
		t.Errorf("finding: %+v", f)
	}
}

// A LIST that succeeds must show every copy of its kind that was created by
// then, and those alone count.
func TestListWithAnItemMissing(t *testing.T) {
	s := mixed(t)
	first := s.edge()
	s.create("bystander-1", `{"colour": "red"}`)
	s.create("bystander-2", `{"size": "1"}`, of("gadget"))
	edge := s.edge()
	res := s.finds()
	if got, want := check(t, res, term.CheckEverythingDecodes).Judged, 2+2+2; got != want {
		t.Errorf("judged %d, want %d: two GETs of each copy, and the widget in two LISTs", got, want)
	}
	if len(s.listed(first, "a").Items) != 0 {
		t.Fatal("the first LIST is before any copy")
	}
	s.listed(edge, "a").Items = nil
	s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 6 (upgrading 1/2)`)
}

// The operations of a stage overlap, so a LIST among them may come after a
// delete of a higher number. The stage's edge may not.
func TestListBesideADelete(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	listed := s.list("a")
	s.delete("bystander-1")
	s.listed(listed, "a").Items = nil
	s.finds()

	s = mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	listed = s.list("a")
	s.stage("new", term.New, term.New)
	s.delete("bystander-1")
	s.listed(listed, "a").Items = nil
	s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
}

// A copy whose create was refused is nowhere missed.
func TestNeverCreated(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`, refused(422, "no"), respond(code(422)))
	s.edge()
	res := s.finds()
	verdict(t, check(t, res, term.CheckEverythingDecodes), term.Unknown, "it saw nothing to judge")
}
