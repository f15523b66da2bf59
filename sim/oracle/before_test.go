package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// What a server does of itself while the new release serves everywhere is held
// against what was served before the upgrade, or after the copy's last write.
func TestRule6FromBeforeTheUpgrade(t *testing.T) {
	journey := func(t *testing.T, name string, atNew func(*story)) *story {
		s := tell(t)
		s.create("control-1", plainSpec)
		s.edge()
		s.stage("upgrading 1/2", term.New, term.Old)
		s.create("bystander-1", plainSpec)
		s.edge()
		s.stage("new", term.New, term.New)
		atNew(s)
		s.edge()
		s.stage("rolling-back 1/2", term.Old, term.New)
		s.edge()
		s.stage("rolled-back", term.Old, term.Old)
		s.edge()
		return s
	}
	for _, name := range []string{"control-1", "bystander-1"} {
		journey(t, name, func(*story) {}).finds()
		s := journey(t, name, func(s *story) { s.store(name, ".spec.grain", "fine") })
		s.finds(`rule-6 violation rule-6 changed defaulted ` + name + ` .spec.grain in step 12 (rolled-back)`)
		s = journey(t, name, func(s *story) {
			s.store(name, ".spec.grain", "fine")
			s.patch(name) // it is served so after the last write, too
		})
		s.finds()
		s = journey(t, name, func(s *story) {
			s.patch(name)
			s.store(name, ".spec.grain", "fine")
		})
		s.finds(`rule-6 violation rule-6 changed defaulted ` + name + ` .spec.grain in step 13 (rolled-back)`)
	}
}

// A LIST among operations may show what one of a higher number wrote: the
// revision tells.
func TestRule6BesideAWrite(t *testing.T) {
	story := func(t *testing.T, own bool) *story {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		s.edge()
		s.stage("rolled-back", term.Old, term.Old)
		if own {
			s.store("bystander-1", ".spec.notes.by", "a server")
		}
		n := s.list("a")
		s.patch("bystander-1", set(".spec.args", []any{"x"}))
		if !own {
			l := s.listed(n, "a") // it overlapped
			l.Items[0].Revision = s.revision["bystander-1"]
			l.Items[0].Answer = s.blob(s.served("bystander-1", term.Old))
		}
		s.edge()
		return s
	}
	story(t, false).finds()
	story(t, true).finds(`rule-6 violation rule-6 changed unattributed bystander-1 .spec.notes.by in step 6 (rolled-back)`)
}
