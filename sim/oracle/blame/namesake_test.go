package blame_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/storage"
)

// A name, or a tag, that the new release uses again for a field of another type:
// what the old one stored under it cannot be read, and why is reported. Near misses are
// a value that holds nothing which others do not hold, and one without the field.
func TestReused(t *testing.T) {
	play := func(old string, bad bool, encoded func(*oracletest.Run) *oracletest.Run) []string {
		run := oracletest.NewRun(t, term.Upgrade)
		for _, role := range []term.Role{term.Old, term.New} {
			run.Publish(role, oracletest.Object{"spec.properties.t3": oracletest.Integer(nil), "spec.properties.t4": oracletest.Scalar("string"), "spec.properties.t5": oracletest.Integer(nil)})
		}
		run.Create("bystander-1", `{"t3": 3}`)
		run.Create("bystander-2", old)
		run.Stage("new", term.New, term.New)
		run.Get("bystander-1")
		run.Patch("bystander-1")
		touched := run.Patch("bystander-2", oracletest.Refused(500, "unable to decode"))
		for _, replica := range []string{"a", "b"} {
			if bad {
				oracletest.Fail(run.Exchange(touched, history.Look, replica), 500, "unable to decode")
			}
		}
		res, _ := encoded(run).Judge()
		var got []string
		for _, f := range res.Findings {
			if f.Outcome == term.Undecodable {
				got = append(got, string(f.Check)+" "+string(f.Cause)+" "+f.Copy)
			}
		}
		return got
	}
	asJSON := func(run *oracletest.Run) *oracletest.Run { return run.StoreAs(storage.JSON) }
	asProtobuf := func(run *oracletest.Run) *oracletest.Run { return run.StoreAsProtobuf() }
	for name, c := range map[string]struct {
		old     string
		bad     bool
		encoded func(*oracletest.Run) *oracletest.Run
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
