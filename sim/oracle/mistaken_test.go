package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

// A tag that was another field's, and is used again by a release which does not
// know that any more: whatever is stored under it shows as the new field, without
// an error, though nobody sent it. Near misses are a release that has another tag;
// text, which knows fields by name; a default; an equal value that was sent; and a
// value that shows on what never held the other field.
func TestTagOfTheAbandoned(t *testing.T) {
	const glows, plain = `{"colour": "Red", "breadth": 7}`, `{"colour": "Red"}`
	play := func(tag string, bend func(*story)) *story {
		s := tell(t, term.Upgrade)
		s.publish(term.Old, object{"spec.properties.breadth": integer(nil)})
		s.publish(term.New, object{"spec.properties.tilt": integer(nil)})
		old, new := tagged(t, map[string]string{"t3": "breadth"}), tagged(t, map[string]string{tag: "tilt"})
		old.fills, new.fills = nil, nil
		s.thinks(term.Old, old)
		s.thinks(term.New, new)
		bend(s)
		s.create("treated-1", glows, via("b"))
		s.create("bystander-1", plain, via("b"))
		s.stage("upgrading 1/2", term.New, term.Old)
		s.edge() // step 5
		return s
	}
	as := func(*story) {}
	const told = `nothing-lost violation storage changed encoding treated-1 .spec.tilt in step 5 (upgrading 1/2)`
	play("t3", as).asProtobuf().finds(told)
	play("t4", as).asProtobuf().finds()
	play("t3", as).finds()
	play("t4", func(s *story) {
		s.publish(term.New, object{"spec.properties.tilt": integer(7)})
		new := s.minds[term.New]
		new.fills = fill(t, "tilt", 7)
		s.thinks(term.New, new)
	}).asProtobuf().finds()
	play("t4", func(s *story) {
		new := s.minds[term.New]
		new.shows = func(o object) { with(".spec.tilt", 7)(t, o) } // on the bystander as well
		s.thinks(term.New, new)
	}).asProtobuf().finds()

	// What is sent afterwards is the client's own, whatever it equals.
	sent := play("t4", as)
	sent.patch("treated-1", set(".spec.tilt", 7))
	sent.edge()
	sent.asProtobuf().finds(`nothing-lost violation rule-2 lost unknown-field treated-1 .spec.breadth in step 6 (upgrading 1/2)`)
}
