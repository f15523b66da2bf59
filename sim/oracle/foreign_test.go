package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/storage"
)

// A name, or a tag, that the new release uses again for a field of another type:
// what the old one stored under it cannot be read, and why is reported. Near misses are
// a value that holds nothing which others do not hold, and one without the field.
func TestReused(t *testing.T) {
	play := func(old string, bad bool, encoded func(*story) *story) []string {
		s := tell(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			s.publish(role, object{"spec.properties.t3": integer(nil), "spec.properties.t4": scalarOf("string"), "spec.properties.t5": integer(nil)})
		}
		s.create("bystander-1", `{"t3": 3}`)
		s.create("bystander-2", old)
		s.stage("new", term.New, term.New)
		s.get("bystander-1")
		s.patch("bystander-1")
		touched := s.patch("bystander-2", refused(500, "unable to decode"))
		for _, replica := range []string{"a", "b"} {
			if bad {
				fails(s.recorded(touched, history.Look, replica), 500, "unable to decode")
			}
		}
		res, _ := encoded(s).judge()
		var got []string
		for _, f := range res.Findings {
			if f.State == term.Undecodable {
				got = append(got, string(f.Check)+" "+string(f.Cause)+" "+f.Copy)
			}
		}
		return got
	}
	asJSON := func(s *story) *story { return s.encoded(storage.JSON) }
	asProtobuf := func(s *story) *story { return s.asProtobuf() }
	for name, c := range map[string]struct {
		old     string
		bad     bool
		encoded func(*story) *story
		want    string
	}{
		"a name":         {`{"t3": 3, "t4": "x"}`, true, asJSON, "everything-decodes encoding bystander-2"},
		"nothing new":    {`{"t3": 4}`, true, asJSON, "everything-decodes unattributed bystander-2"},
		"it is read":     {`{"t3": 3, "t4": "x"}`, false, asJSON, ""},
		"a tag":          {`{"t3": 3, "t5": 5}`, true, asProtobuf, "everything-decodes encoding bystander-2"},
		"no tag is new":  {`{"t3": 4}`, true, asProtobuf, "everything-decodes unattributed bystander-2"},
		"a tag, is read": {`{"t3": 3, "t5": 5}`, false, asProtobuf, ""},
	} {
		if got := strings.Join(play(c.old, c.bad, c.encoded), "; "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
