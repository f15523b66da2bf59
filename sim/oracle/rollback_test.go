package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// back takes a copy through an upgrade and a roll-back; its server fills in
// .spec.notes.by, which no client sent.
func back(t *testing.T, name string, after func(s *story)) *story {
	s := tell(t)
	s.create(name, plainSpec)
	s.store(name, ".spec.notes.by", "a server")
	s.edge()
	s.stage("upgrading 1/2", term.New, term.Old)
	s.stage("new", term.New, term.New)
	s.edge()
	s.stage("rolling-back 1/2", term.Old, term.New)
	after(s)
	s.stage("rolled-back", term.Old, term.Old)
	s.edge()
	return s
}

func TestRule6(t *testing.T) {
	if c := check(t, back(t, "bystander-1", func(*story) {}).finds(), term.CheckRule6); c.Judged != 2 || c.Verdict != term.Pass {
		t.Errorf("the control: %+v", c)
	}

	s := back(t, "bystander-1", func(s *story) { s.store("bystander-1", ".spec.notes.by", "another") })
	message(t, s.finds(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 9 (rolled-back)`),
		`Widget bystander-1: v1.0.0 served .spec.notes.by = "a server" in step 3 (old), before the rollback; a (v1.0.0) serves "another" in step 9 (rolled-back), and no operation wrote it, but for a write that no step asked for (the servers' own); violation under rule-6`)

	s = back(t, "control-1", func(s *story) { s.store("control-1", ".spec.notes", nil) })
	s.finds(`rule-6 violation rule-6 lost unattributed control-1 .spec.notes.by in step 9 (rolled-back)`)

	s = back(t, "bystander-1", func(s *story) { s.store("bystander-1", ".spec.args", []any{"x"}) })
	s.finds(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.args[0] in step 9 (rolled-back)`)
}

// What a client sent is nothing-lost's, what an operation wrote is meant, what
// uses the change is impacted, and a lagging cache shows what was.
func TestRule6Mutants(t *testing.T) {
	s := back(t, "bystander-1", func(s *story) { s.store("bystander-1", ".spec.size", "2") })
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.size in step 0 ()`)

	s = back(t, "bystander-1", func(s *story) {
		s.patch("bystander-1", set(".spec.notes.by", "a client"), set(".spec.args", []any{"x"}))
	})
	s.finds()

	s = back(t, "treated-1", func(s *story) { s.store("treated-1", ".spec.notes.by", "another") })
	absent(t, s.finds(), term.CheckRule6)

	s = back(t, "bystander-1", func(*story) {})
	s.patch("bystander-1", set(".spec.notes.by", "a client"))
	s.finds()

	s = back(t, "bystander-1", func(*story) {})
	l := s.listed(9, "b")
	l.Items[0].Answer = s.bend(l.Items[0].Answer, ".spec.notes.by", "before")
	l.Items[0].Revision--
	s.finds()
}

// rule-2: the same call on the same kind of object does the same.
func TestRule2(t *testing.T) {
	begin := func(t *testing.T, bend func(*story, *history.Exchange)) *story {
		s := controlled(t)
		s.create("bystander-1", plainSpec)
		step := s.patch("bystander-1", by(term.OldTyped))
		bend(s, s.recorded(step, history.Act, "a"))
		return s
	}
	answers := func(at string, v any) func(*story, *history.Exchange) {
		return func(s *story, x *history.Exchange) { x.Answer = s.bend(x.Answer, at, v) }
	}
	c := check(t, begin(t, func(*story, *history.Exchange) {}).finds(), term.CheckRule2)
	if c.Judged != 4 || c.Verdict != term.Pass { // two copies as each release serves them, the birth, and the patch
		t.Errorf("the control: %+v", c)
	}
	begin(t, answers(".spec.shine.level", 3)).finds() // new to the old release: none of its behaviour
	begin(t, answers(".metadata.generation", 3)).finds()

	message(t, begin(t, answers(".spec.notes.by", "a default")).finds(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 7 (upgrading 1/2)`),
		`Widget bystander-1: step 7 (upgrading 1/2: merge-patch by old-typed, via a (v2.0.0)) set .spec.notes.by = "a default"; the same call left it unchanged in step 4 (old: merge-patch by old-typed, via a (v1.0.0), on control-1); defaulted: a default took the place of the value, or of its absence; violation under rule-2`)
	begin(t, answers(".spec.colour", "blue")).finds(`rule-2 violation rule-2 changed unattributed bystander-1 .spec.colour in step 7 (upgrading 1/2)`)
	begin(t, answers(".spec.size", nil)).finds(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.size in step 7 (upgrading 1/2)`)
}

// What a server makes of the copy's own name, or of the time, differs by nature.
func TestRule2KnowsNames(t *testing.T) {
	story := func(t *testing.T, before, after string, at string) *story {
		s := controlled(t)
		act := s.recorded(4, history.Act, "a")
		act.Answer = s.bend(act.Answer, at, before)
		s.create("bystander-1", plainSpec)
		act = s.recorded(s.patch("bystander-1", by(term.OldTyped)), history.Act, "a")
		act.Answer = s.bend(act.Answer, at, after)
		return s
	}
	story(t, "of control-1, step-4", "of bystander-1, step-7", ".metadata.annotations.last").finds()
	story(t, "2020-01-02T03:04:05Z", "2021-01-02T03:04:05Z", ".spec.since").finds()
	story(t, "30001", "30002", ".spec.notes.port").finds() // drawn anew, it may be
}

// Births of equal bodies are answered alike, where two before the upgrade were.
func TestRule2Births(t *testing.T) {
	begin := func(t *testing.T, one, two, now any) *story {
		s := controlled(t)
		created := s.create("bystander-1", plainSpec, by(term.NewTyped))
		for step, v := range map[int]any{2: one, 3: two, created: now} {
			replica := map[int]string{2: "a", 3: "b", created: "a"}[step]
			if x := s.recorded(step, history.Act, replica); v != nil {
				x.Answer = s.bend(x.Answer, ".spec.notes.by", v)
			}
		}
		return s
	}
	const changed = `rule-2 violation rule-2 changed unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`
	begin(t, nil, nil, nil).finds()
	begin(t, "x", "x", "x").finds()
	begin(t, "10.0.0.1", "10.0.0.2", "10.0.0.3").finds()
	begin(t, "of control-1", "of control-2", "of bystander-1").finds()
	message(t, begin(t, "x", "x", nil).finds(`rule-2 violation rule-2 lost unattributed bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`),
		`Widget bystander-1: step 6 (upgrading 1/2: create by new-typed, via a (v2.0.0)) was answered with nothing there at .spec.notes.by; the same body was answered with "x" in step 2 (old: create by old-typed, via a (v1.0.0), on control-1); unattributed: the evidence does not say why; violation under rule-2`)
	begin(t, nil, nil, "x").finds(`rule-2 violation rule-2 changed defaulted bystander-1 .spec.notes.by in step 6 (upgrading 1/2)`)
	if res, _ := begin(t, "x", "x", "y").judge(); len(res.Findings) != 1 || brief(res.Findings[0]) != changed && res.Findings[0].Cause != term.Defaulted {
		t.Errorf("findings: %+v", res.Findings)
	}
}

// What was made after the rollback had begun is not judged by rule-6.
func TestRule6OfWhatWasThereBefore(t *testing.T) {
	for _, before := range []bool{true, false} {
		s := mixed(t)
		s.stage("new", term.New, term.New)
		if before {
			s.create("bystander-1", plainSpec)
		}
		s.stage("rolling-back 1/2", term.Old, term.New)
		s.stage("rolled-back", term.Old, term.Old)
		if before {
			s.edge()
			check(t, s.result(), term.CheckRule6)
		} else {
			s.create("bystander-1", plainSpec)
			absent(t, s.result(), term.CheckRule6)
		}
	}
}

// A write that was refused does not explain another value; one that succeeded does.
func TestRule6BesideARefusedWrite(t *testing.T) {
	for _, written := range []bool{true, false} {
		s := back(t, "bystander-1", func(s *story) {
			s.store("bystander-1", ".spec.notes.by", "another")
			s.patch("bystander-1", map[bool]option{true: func(*act) {}, false: refused(422, "no")}[written], respond(code(map[bool]int{true: 200, false: 422}[written])))
		})
		if written {
			s.finds()
		} else {
			s.finds(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 10 (rolled-back)`)
		}
	}
}
