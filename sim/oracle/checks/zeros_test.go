package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A zero that is answered with another value was not accepted, where answers
// distinguish zeros from nothing: a release keeps this zero, or leaves nothing alone.
// Many a server takes a zero for nothing, and fills in what it does for nothing.
func TestZeroAnsweredWithAnotherValue(t *testing.T) {
	const one = `{"size": "1"}`
	for name, c := range map[string]struct {
		other string // what another copy is made of, through the other release
		via   string
		at    string
		sent  string
		got   any
		want  string // its class, cause and path; "": nothing is reported
	}{
		"kept elsewhere":                     {`{"grain": ""}`, "b", ".spec.grain", `{"grain": ""}`, "fine", "defaulted"},
		"nothing is left alone":              {one, "a", ".spec.colour", `{"colour": ""}`, "red", "unattributed"},
		"a number":                           {one, "a", ".spec.lustre", `{"lustre": 0}`, int64(7), "unattributed"},
		"nothing is left alone elsewhere":    {one, "b", ".spec.colour", `{"colour": ""}`, "red", ""},
		"nothing is known":                   {`{"colour": "red"}`, "a", ".spec.colour", `{"colour": ""}`, "red", ""},
		"what would hold it was not there":   {one, "a", ".spec.finish.tone", `{"finish": {"tone": ""}}`, "dark", ""},
		"no other value":                     {one, "a", ".spec.colour", `{"colour": ""}`, nil, ""},
		"an empty map that gets a member":    {one, "a", ".spec.raw", `{"raw": {}}`, oracletest.Object{"k": "v"}, ""},
		"another zero, in another's clothes": {one, "a", ".spec.either", `{"either": 0}`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", c.other, oracletest.Via(c.via))
			run.EditAnswer(run.Create("bystander-2", c.sent), oracletest.With(c.at, c.got))
			if c.want == "" {
				run.ExpectLosses()
				return
			}
			run.ExpectLosses(`nothing-lost violation rule-2 dropped ` + c.want + ` bystander-2 ` + c.at + ` in step 4 (upgrading 1/2)`)
		})
	}
}

// A zero that the answer does not show is as good as absent, but not where a
// default comes in place of nothing, nor where the release is known to keep it.
func TestZeroThatIsDropped(t *testing.T) {
	for at, want := range map[string][]string{
		".spec.colour": nil,
		".spec.grain":  {`nothing-lost violation rule-2 dropped unattributed bystander-1 .spec.grain in step 3 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		created := run.Create("bystander-1", `{"size": "1", "colour": "", "grain": ""}`)
		run.EditAnswer(created, oracletest.With(at, nil))
		run.ExpectFindings(want...)
	}

	for kept, want := range map[bool][]string{
		true:  {`nothing-lost impact rule-3 dropped unknown-field treated-2 .spec.shine in step 4 (upgrading 1/2)`},
		false: nil,
	} {
		run := oracletest.NewMixed(t)
		first := run.Create("treated-1", `{"colour": "red", "shine": {"level": 0}}`)
		run.Create("treated-2", `{"colour": "red", "shine": {"level": 0}}`, oracletest.Via("b"))
		if !kept { // the new release's types leave a zero out as well
			run.EditAnswer(first, oracletest.With(".spec.shine", nil))
		}
		run.ExpectFindings(want...)
	}
}
