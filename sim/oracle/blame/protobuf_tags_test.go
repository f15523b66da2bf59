package blame_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// What a client reads of protobuf, its own types make of it: where these take a
// tag for another field's, the server has shown the value all the same.
func TestTagReusedOnTheWire(t *testing.T) {
	const finding = `nothing-lost violation storage hidden encoding control-1 .spec.breadth in step 3 (old)`
	for took, want := range map[string][]string{"breadth": nil, "tilt": {finding}} {
		run := oracletest.NewTags(t, map[string]string{"t3": took, "t6": "width"})
		run.Create("control-1", `{"colour": "Red", "breadth": 5}`)
		put := run.Put("control-1", oracletest.By(term.NewTyped))
		read := run.Exchange(put, history.Read, "a")
		moved := run.Edited(run.Edited(read.Answer, ".spec.breadth", nil), ".spec."+took, 5)
		run.DecodeAs(read, term.New, "digest")
		read.Answer = moved
		run.StoreAsProtobuf()
		if len(want) == 0 {
			run.ExpectFindings()
			continue
		}
		run.ExpectMessage(want[0], `what new-typed reads of the protobuf that a (v1.0.0) answered, whose release publishes it, does not show it in step 3 (old): encoding`)
	}
}
