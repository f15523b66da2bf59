package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// switchedOff is a story at stage upgrading in which a gate that .spec.lustre and .status.gleam are
// behind is off in the old release, as their descriptions say. Its servers drop nothing.
func switchedOff(t *testing.T, on bool) *story {
	s := tell(t)
	for _, role := range []term.Role{term.Old, term.New} {
		s.publish(role, object{"status.properties.gleam": gatedBy("Lustre")})
		release := s.h.Releases[role]
		release.Gates = map[string]bool{"Lustre": on || role == term.New}
		s.h.Releases[role] = release
	}
	s.stage("upgrading 1/2", term.New, term.Old)
	return s
}

const lustrous = `{"colour": "red", "lustre": 5}`

// waysIn are the calls that bring a new value in: each gets a copy that has none.
func waysIn() map[string]struct {
	path string
	play func(*story, option) int
} {
	into := func(verb func(*story, string, ...option) int, at string) func(*story, option) int {
		return func(s *story, through option) int {
			s.create("treated-1", plainSpec)
			return verb(s, "treated-1", set(at, 5), through)
		}
	}
	return map[string]struct {
		path string
		play func(*story, option) int
	}{
		"create": {".spec.lustre", func(s *story, through option) int { return s.create("treated-1", lustrous, through) }},
		"put":    {".spec.lustre", into((*story).put, ".spec.lustre")},
		"patch":  {".spec.lustre", into((*story).patch, ".spec.lustre")},
		"status patch": {".status.gleam", into(func(s *story, name string, all ...option) int {
			return s.patchWith(term.StatusPatch, name, all)
		}, ".status.gleam")},
		"apply": {".spec.lustre", into(func(s *story, name string, all ...option) int {
			return s.patchWith(term.Apply, name, all)
		}, ".spec.lustre")},
		"another API version": {".spec.lustre", into(func(s *story, name string, all ...option) int {
			for _, role := range []term.Role{term.Old, term.New} {
				s.publishV2(role)
			}
			return s.named(s.patch(name, all...), "example.dev/v2")
		}, ".spec.lustre")},
		"another subresource": {".spec.lustre", into(func(s *story, name string, all ...option) int {
			step := s.patch(name, all...)
			s.stepOf(step, func(p *plan.Step) { p.Subresource = "shine" })
			return step
		}, ".spec.lustre")},
	}
}

// TestNewValueWhileTheGateIsOff: each way in by which a server takes a new value of a field
// whose gate is off is a finding; the same where the gate is on is not.
func TestNewValueWhileTheGateIsOff(t *testing.T) {
	for name, way := range waysIn() {
		t.Run(name, func(t *testing.T) {
			s := switchedOff(t, false)
			way.play(s, via("b"))
			s.edge()
			res, _ := s.judge()
			if assert.Len(t, res.Findings, 1) {
				f := res.Findings[0]
				assert.Equal(t, []any{term.CheckNothingLost, term.Violation, term.RuleLifecycle, term.Accepted, way.path, term.Old},
					[]any{f.Check, f.Class, f.Rule, f.State, f.Path, f.Via}, f.Message)
			}
			s = switchedOff(t, true)
			way.play(s, via("b"))
			s.edge()
			s.finds()
			s = switchedOff(t, false)
			way.play(s, via("a"))
			s.edge()
			s.finds()
		})
	}
}

// TestValueThatWasThere: an object that has a value behind the gate may keep it and change it,
// and a server that clears the new one does as the rule says.
func TestValueThatWasThere(t *testing.T) {
	s := switchedOff(t, false)
	s.create("treated-1", lustrous)
	s.put("treated-1", read("b"), via("b"))
	s.put("treated-1", set(".spec.lustre", 6), via("b"))
	s.patch("treated-1", set(".spec.lustre", 7), via("b"))
	s.edge()
	s.finds()

	s = switchedOff(t, false)
	s.thinks(term.Old, mind{drops: func(now, was object) {
		if was == nil || !has(t, was, ".spec.lustre") {
			with(".spec.lustre", nil)(t, now)
		}
	}})
	s.create("treated-1", lustrous, via("b"))
	s.edge()
	s.finds(`nothing-lost impact lifecycle not-accepted gate-disabled treated-1 .spec.lustre in step 3 (upgrading 1/2)`)
}

// TestOneOfSeveralGates: of several gates that one field names, one that is on is enough.
func TestOneOfSeveralGates(t *testing.T) {
	s := switchedOff(t, false)
	either := object{"type": "integer", "description": "requires enabling the Lustre feature gate, or requires enabling the Gloss feature gate."}
	for role, release := range s.h.Releases {
		s.publish(role, object{"spec.properties.lustre": either})
		release.Gates = map[string]bool{"Lustre": false, "Gloss": true}
		s.h.Releases[role] = release
	}
	kind, _ := s.schemas[term.Old].Kind("example.dev/v1", "Widget")
	assert.Len(t, kind.Gating().Guards(parsePath(t, ".spec.lustre")), 2)
	s.create("treated-1", lustrous, via("b"))
	s.edge()
	s.finds()
}
