package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// stuck has a copy whose new release fills in a colour as it reads, from before
// the upgrade to after the rollback.
func stuck(t *testing.T, during func(s *story)) *story {
	s := tell(t)
	s.thinks(term.New, mind{fills: func(o object) {
		if !has(t, o, ".spec.colour") {
			with(".spec.colour", "red")(t, o)
		}
	}})
	s.create("bystander-1", `{"size": "1"}`, via("b"))
	s.stage("upgrading 1/2", term.New, term.Old)
	s.edge()
	during(s)
	s.stage("new", term.New, term.New)
	s.edge()
	s.stage("rolling-back 1/2", term.Old, term.New)
	s.stage("rolled-back", term.Old, term.Old)
	s.edge()
	return s
}

// A default that appears when the new release reads is stored by any write through it,
// and stays. Written through the old one it goes; and what a client sent is its own.
func TestSticks(t *testing.T) {
	const tail = "stays after the rollback"
	for name, c := range map[string]struct {
		during func(s *story)
		sticks bool
	}{
		"written through the new release": {func(s *story) { s.patch("bystander-1", via("a")) }, true},
		"written through the old release": {func(s *story) { s.patch("bystander-1", via("b")) }, false},
		"not written":                     {func(*story) {}, false},
		"sent by a client":                {func(s *story) { s.patch("bystander-1", set(".spec.colour", "red"), via("a")) }, false},
		"named by a client": {func(s *story) {
			s.patch("bystander-1", set(".spec.colour", nil), via("a"))
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			res, _ := stuck(t, c.during).judge()
			for _, f := range res.Findings {
				if strings.Contains(f.Message, tail) {
					found++
					if f.Check != term.CheckRule2 || f.State != term.Changed || f.Cause != term.Defaulted || f.Via != term.Old || f.Stage != "rolled-back" || f.Path != ".spec.colour" {
						t.Errorf("%+v", f)
					}
				}
			}
			if (found == 1) != c.sticks {
				t.Errorf("told %d times", found)
			}
		})
	}
}
