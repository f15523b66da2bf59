package oracle_test

import (
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/storage"
)

// Mistakes with API versions: one that cannot express what another can, one that
// is stored too early, and one that is served no more.

// through makes steps ones that go through another API version.
func (s *story) through(steps ...int) {
	for _, step := range steps {
		s.stepOf(step, func(p *plan.Step) { p.APIVersion = "example.dev/v1beta1" })
	}
}

// A version that has no place for a field loses it, and what is read afterwards
// is the default.
func TestVersionForgets(t *testing.T) {
	play := func(forgets ...edit) *story {
		s := tell(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			s.publish(role, object{"spec.properties.breadth": integer(1)})
			s.thinks(role, mind{fills: fill(t, "breadth", 1)})
		}
		const plain = `{"colour": "Red", "breadth": 5}`
		s.create("bystander-1", plain)
		s.create("bystander-2", plain)
		s.create("bystander-3", `{"colour": "Red"}`)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		s.through(
			s.does(term.MergePatch, "bystander-1", object{}, forgets, via("a")),
			s.does(term.Put, "bystander-2", object{}, forgets, read("a"), via("a")),
			s.does(term.Put, "bystander-3", object{}, forgets, read("a"), via("a")))
		s.edge()
		return s
	}
	play().finds()
	play(with(".spec.breadth", nil)).finds(
		`rule-4 violation rule-4 changed defaulted bystander-1 .spec.breadth in step 7 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-1 .spec.breadth in step 7 (upgrading 1/2)`,
		`rule-4 violation rule-4 changed defaulted bystander-2 .spec.breadth in step 8 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-2 .spec.breadth in step 8 (upgrading 1/2)`)
}

// A server that puts the default in a value's place does so whatever version a
// write goes through: each time it is one fact, and not rule-4's. Near misses
// are a version that alone does it, and one that makes another value of it.
func TestResetInEveryVersion(t *testing.T) {
	play := func(here, there edit) *story {
		s := tell(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			s.publish(role, object{"spec.properties.breadth": integer(1)})
			s.thinks(role, mind{fills: fill(t, "breadth", 1)})
		}
		const plain = `{"colour": "Red", "breadth": 5}`
		s.create("bystander-1", plain)
		s.create("bystander-2", plain)
		s.stage("upgrading 1/2", term.New, term.Old)
		s.does(term.MergePatch, "bystander-1", object{}, []edit{here}, via("a")) // step 5
		s.through(s.does(term.MergePatch, "bystander-2", object{}, []edit{there}, via("a")))
		s.edge()
		return s
	}
	reset, kept := with(".spec.breadth", nil), with(".spec.breadth", 5)
	const one = `nothing-lost violation rule-2 changed defaulted bystander-1 .spec.breadth in step 5 (upgrading 1/2)`
	play(kept, kept).finds()
	play(reset, reset).finds(one, `nothing-lost violation rule-2 changed defaulted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
	play(kept, reset).finds(
		`rule-4 violation rule-4 changed defaulted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`,
		`rule-4 violation rule-4 lost converted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
	play(reset, with(".spec.breadth", 7)).finds(one,
		`rule-4 violation rule-4 changed converted bystander-2 .spec.breadth in step 6 (upgrading 1/2)`)
}

// A version that is stored by the release that introduces it: the other cannot
// read it. That is reported of each value once, and whatever it breaks says why.
func TestVersionStored(t *testing.T) {
	play := func(version string) *story {
		s := tell(t, term.Upgrade, term.Rollback)
		s.create("control-1", plainSpec)
		s.patch("control-1")
		s.attempt("control-1")
		s.stage("upgrading 1/2", term.New, term.Old)
		unread := func(x *history.Exchange) {
			if version != "example.dev/v1" {
				fails(x, 500, "no kind is registered for version "+version)
			}
		}
		s.get("control-1")
		created := s.create("bystander-1", plainSpec) // step 7
		unread(s.recorded(created, history.Look, "b"))
		code := func(*act) {}
		if version != "example.dev/v1" {
			code = refused(500, "no kind is registered for version "+version)
		}
		touched := s.patch("bystander-1", via("b"), code)
		unread(s.recorded(touched, history.Look, "b"))
		s.stage("rolled-back", term.Old, term.Old)
		tried := s.attempt("control-1", "bystander-1")
		for _, what := range term.Attempts() {
			for _, replica := range []string{"a", "b"} {
				unread(&s.tried(tried, "bystander-1", replica, what.Word).Exchange)
			}
		}
		s.get("control-1")
		s.encoded(storage.JSON)
		for i := range s.h.Changes {
			if s.h.Changes[i].Key == "/example/bystander-1" {
				s.h.Changes[i].APIVersion = version
			}
		}
		return s
	}
	play("example.dev/v1").violates()
	play("example.dev/v2").violates(
		`everything-decodes violation storage undecodable storage-version bystander-1  in step 7 (upgrading 1/2) via old`,
		`rule-1 violation rule-1 failed storage-version bystander-1  in step 8 (upgrading 1/2) via old`,
		`stays-writable violation stays-writable frozen storage-version bystander-1  in step 10 (rolled-back) via old`)
}

// A release that does not serve the version any more answers 404 to what
// succeeded before, also where a client only reads before it writes. It says
// nothing of what is stored, and nothing else is indeterminate for it.
func TestVersionUnserved(t *testing.T) {
	const why = "the server could not find the requested resource"
	play := func() *story {
		s := tell(t, term.Upgrade, term.Rollback)
		s.unserve(term.New)
		code := refused(404, why)
		for _, name := range []string{"control-1", "control-2", "bystander-1", "bystander-2"} {
			s.create(name, plainSpec)
		}
		s.patch("control-1")
		s.put("control-2", read("a"), via("b"))
		s.get("control-1")
		s.list("a")
		s.edge()
		s.attempt("control-1", "bystander-1")
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge() // step 13
		s.patch("bystander-1", code)
		s.get("bystander-1", code)
		s.list("a", code)
		put := s.begin(term.Put, "bystander-2", []option{read("a"), via("b")})
		s.record(put, history.Read, "a", history.Exchange{Method: "GET", Code: 404, Message: why})
		s.h.Skips = append(s.h.Skips, skip(put.step.Number, "the read before it was answered 404"))
		s.patch("bystander-2", via("b"))
		s.stage("new", term.New, term.New)
		s.edge()
		s.attempt("control-1", "bystander-1")
		s.stage("rolled-back", term.Old, term.Old)
		s.edge()
		s.attempt("control-1", "bystander-1")
		return s
	}
	res := play().violates(
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 14 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served bystander-1  in step 15 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served   in step 16 (upgrading 1/2) via new`,
		`rule-1 violation rule-1 refused version-not-served bystander-2  in step 17 (upgrading 1/2) via new`)
	if res.Verdict != term.Fail {
		t.Errorf("%s: %s", res.Verdict, res.Reason)
	}
}

// What a client reads of protobuf, its own types make of it: where these take a
// tag for another field's, the server has shown the value all the same.
func TestTagReusedOnTheWire(t *testing.T) {
	const finding = `nothing-lost violation storage hidden encoding control-1 .spec.breadth in step 3 (old)`
	for took, want := range map[string][]string{"breadth": nil, "tilt": {finding}} {
		s := tags(t, map[string]string{"t3": took, "t6": "width"})
		s.create("control-1", `{"colour": "Red", "breadth": 5}`)
		put := s.put("control-1", by(term.NewTyped))
		read := s.recorded(put, history.Read, "a")
		moved := s.bend(s.bend(read.Answer, ".spec.breadth", nil), ".spec."+took, 5)
		s.asTypes(read, term.New, "digest")
		read.Answer = moved
		s.asProtobuf()
		if len(want) == 0 {
			s.finds()
			continue
		}
		s.says(want[0], `what new-typed reads of the protobuf that a (v1.0.0) answered, whose release publishes it, does not show it in step 3 (old): encoding`)
	}
}

// A version that the release does not serve shows nothing: rule-4 has no subject.
func TestVersionThatNobodyServes(t *testing.T) {
	for published, judged := range map[string]bool{"example.dev/v1": false, "example.dev/v1beta1": true} {
		s := mixed(t)
		release := s.h.Releases[term.New]
		release.Schemas = map[string]string{published: "a file"}
		s.h.Releases[term.New] = release
		s.create("bystander-1", plainSpec)
		s.through(s.patch("bystander-1"))
		if res := s.finds(); !judged {
			absent(t, res, term.CheckRule4)
		} else if c := check(t, res, term.CheckRule4); c.Judged == 0 {
			t.Errorf("%+v", c)
		}
	}
}

// What a call sends is held against the version that it goes through: a change
// of another version is not one that it sends.
func TestChangeOfAnotherVersion(t *testing.T) {
	for through, want := range map[bool]string{
		false: `rule-3 violation rule-3 failed unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`,
		true:  `answers violation rule-5 failed unattributed treated-1  in step 4 (upgrading 1/2)`,
	} {
		s := mixed(t)
		s.create("treated-1", onlyShine)
		put := s.put("treated-1", read("a"), via("b"), refused(500, "no"))
		if through {
			s.through(put)
		}
		s.finds(want)
	}
}

// A version that the new release does not serve any more, met through a line that
// names it: who reads it there is refused what was answered before, which is no
// word about what is stored; a version that it still serves is answered.
func TestVersionUnservedThrough(t *testing.T) {
	play := func(serves ...string) *story {
		s := tell(t, term.Upgrade)
		s.prefers(term.Old, "example.dev/v1", "example.dev/v1", "example.dev/v1beta1")
		s.prefers(term.New, "example.dev/v1", serves...)
		s.create("bystander-1", plainSpec)
		s.create("bystander-2", plainSpec)
		s.create("bystander-3", plainSpec)
		s.create("bystander-4", plainSpec)
		s.through(s.put("bystander-1"), s.get("bystander-4"))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge()
		number := s.put("bystander-2") // step 10
		s.through(number, s.put("bystander-3", via("b")), s.get("bystander-4", via("b")))
		if len(serves) == 1 {
			fails(s.recorded(number, history.Read, "a"), 404, "the server could not find the requested resource")
			s.unmade(number)
		}
		return s
	}
	play("example.dev/v1", "example.dev/v1beta1").finds()
	play("example.dev/v1").finds(`rule-1 violation rule-1 refused version-not-served bystander-2  in step 10 (upgrading 1/2)`)
}

// A copy whose own version the new release serves no more, written through
// another: what that did cannot be seen there, and is no fact; through a release
// that serves it it is.
func TestUnshownEffect(t *testing.T) {
	play := func(serves ...string) *story {
		s := tell(t, term.Upgrade)
		both := []string{"example.dev/v1", "example.dev/v1beta1"}
		s.prefers(term.Old, "example.dev/v1beta1", both...)
		s.prefers(term.New, "example.dev/v1beta1", serves...)
		s.create("bystander-1", plainSpec)
		s.create("bystander-2", plainSpec)
		s.through(s.patch("bystander-1"))
		s.stage("upgrading 1/2", term.New, term.Old)
		if len(serves) > 1 {
			s.edge()
		}
		number := s.patch("bystander-2")
		s.through(number)
		if len(serves) == 1 {
			s.unserve(term.New)
			s.h.Operations = slices.DeleteFunc(s.h.Operations, func(o history.Operation) bool {
				return o.Step == number && o.Replica == "a" && o.Purpose == history.Look
			})
			s.recorded(number, history.Act, "a").Answer = s.blob(object{"apiVersion": "example.dev/v1beta1", "kind": "Widget", "metadata": object{"name": "bystander-2"}})
		}
		return s
	}
	told := func(s *story) [2]int {
		res, _ := s.judge()
		c := check(t, res, term.CheckRule2)
		return [2]int{c.Judged, c.Indeterminate}
	}
	if got := told(play("example.dev/v1beta1")); got != [2]int{0, 0} {
		t.Errorf("nobody can see it: judged and indeterminate are %v", got)
	}
	if got := told(play("example.dev/v1", "example.dev/v1beta1")); got[0] == 0 || got[1] > 0 {
		t.Errorf("it can be seen: judged and indeterminate are %v", got)
	}
}
