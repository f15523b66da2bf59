package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// lostUnseen takes away what the old release does not know, with no answer that
// shows it until the edge.
func (s *story) lostUnseen(name string) {
	s.store(name, ".spec.shine", nil)
	s.edge()
}

const (
	lostByNobody = `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 0 ()`
	lostByStep4  = `nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`
)

// A version that no answer shows is the one write's whose answer is unclear.
// Where none is, more than one, or another write between, it is nobody's.
func TestVersionThatNoAnswerTellsOf(t *testing.T) {
	busy, silent := refused(504, "timeout"), refused(0, "reset")
	declared := respond(code(504))
	cases := map[string]struct {
		play func(s *story)
		want string
	}{
		"a 504": {func(s *story) { s.patch("treated-1", via("b"), busy, declared) }, lostByStep4},
		"two of them": {func(s *story) {
			s.patch("treated-1", via("b"), busy, declared)
			s.patch("treated-1", via("b"), busy, declared)
		}, lostByNobody},
		"a write after it": {func(s *story) {
			s.patch("treated-1", via("b"), busy, declared)
			s.patch("treated-1", via("a"))
		}, lostByNobody},
		"a refusal": {func(s *story) { s.patch("treated-1", via("b"), refused(409, "conflict"), respond(code(409))) }, lostByNobody},
		"a GET":     {func(s *story) { s.get("treated-1", via("b"), busy, declared) }, lostByNobody},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.blind = true
			s.create("treated-1", onlyShine)
			c.play(s)
			s.lostUnseen("treated-1")
			s.finds(c.want)
		})
	}

	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"), silent)
	s.lostUnseen("treated-1")
	s.finds(`answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`, lostByStep4)
}

// A write before the version and one after it leave it to the unclear one between.
func TestUnclearWriteBetweenTwoOthers(t *testing.T) {
	s := mixed(t)
	s.create("treated-1", onlyShine)
	s.patch("treated-1", via("b"), refused(504, "timeout"), respond(code(504)))
	s.lostUnseen("treated-1")
	s.patch("treated-1", via("a"))
	s.finds(lostByStep4)
}

// A write that changes nothing answers with a revision that was seen before,
// and did not make it. Where nothing had seen it, the write may have made it.
func TestWriteThatAnswersWithAnOldRevision(t *testing.T) {
	lost := func(step string) string {
		return `nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step ` + step
	}
	idle := set(".spec.size", "1")
	cases := map[string]struct {
		play func(s *story)
		want string
	}{
		"an edge had shown it":    {func(s *story) { s.edge(); s.patch("bystander-1", idle) }, lost("0 ()")},
		"its own read shows it":   {func(s *story) { s.put("bystander-1", idle) }, lost("0 ()")},
		"nothing had shown it":    {func(s *story) { s.patch("bystander-1", idle) }, lost("4 (upgrading 1/2)")},
		"a copy beside it is new": {func(s *story) { s.create("bystander-2", `{"size": "1"}`); s.patch("bystander-1", idle) }, lost("5 (upgrading 1/2)")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", `{"colour": "red", "size": "1"}`)
			s.store("bystander-1", ".spec.colour", nil)
			c.play(s)
			s.finds(c.want)
		})
	}
}

// listedLate makes a LIST one that came after a step of a higher number.
func (s *story) listedLate(list, step int, replica string) {
	x := s.recorded(step, history.Look, replica)
	s.listed(list, replica).Items = []history.Item{{Copy: "treated-1", Revision: x.Revision, Answer: x.Answer}}
}

// A LIST among the operations of a stage overlaps them: what it shows of a
// write of a higher number is that write's all the same.
func TestListBesideAWrite(t *testing.T) {
	for name, c := range map[string]struct {
		options []option
		want    []string
	}{
		"the write names the value": {[]option{via("a"), set(".spec.shine", nil)}, nil},
		"the write loses it":        {[]option{via("b")}, []string{`nothing-lost impact rule-6 lost unknown-field treated-1 .spec.shine in step 5 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("treated-1", onlyShine)
			list := s.list("a")
			s.listedLate(list, s.patch("treated-1", c.options...), "a")
			s.finds(c.want...)
			_, ledger := s.judge()
			want := term.Kept // withdrawn, as nothing is there to keep
			if c.want != nil {
				want = term.Lost
			}
			if got := stateSeen(t, copyOf(t, ledger, "treated-1"), list, "a", ".spec.shine.level"); got != want {
				t.Errorf("in the LIST: %s, want %s", got, want)
			}
		})
	}
}

// A LIST that came before a write of a lower number shows the version before
// it, in which the value was not withdrawn yet.
func TestRowOfAListThatCameBefore(t *testing.T) {
	for came, want := range map[string]term.State{"before": term.Hidden, "after": term.Kept} {
		s := mixed(t)
		created := s.create("treated-1", onlyShine)
		s.patch("treated-1", via("a"), set(".spec.shine", nil))
		list := s.list("b")
		if came == "before" {
			s.listedLate(list, created, "b")
		}
		s.finds()
		_, ledger := s.judge()
		if got := stateSeen(t, copyOf(t, ledger, "treated-1"), list, "b", ".spec.shine.level"); got != want {
			t.Errorf("a LIST that came %s: %s, want %s", came, got, want)
		}
	}
}
