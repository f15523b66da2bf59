package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// Of an answer in protobuf the record has what the client's types made of it.
// That these leave a field out says nothing of the server.
func TestWhatTypesMadeOfAnAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		client term.Client
		bytes  string
		want   []string
	}{
		"the client's types lack it":       {term.OldTyped, "digest", []string{`nothing-lost impact rule-6 lost client-omitted treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
		"the server did not show it":       {term.OldTyped, "", []string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`, `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
		"the client's types would have it": {term.NewTyped, "digest", []string{`nothing-lost impact rule-6 hidden unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`, `nothing-lost impact rule-6 lost unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`}},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("treated-1", oracletest.ShineSpec)
			put := run.Do(term.Put, "treated-1", oracletest.Spec(oracletest.Object{"colour": "red"}), []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via("a"), oracletest.ReadVia("a"), oracletest.By(c.client))
			run.DecodeAs(run.Exchange(put, history.Read, "a"), term.Old, c.bytes)
			run.ExpectFindings(c.want...)
		})
	}
}

// A server that hides the field comes first: the client could not have had it.
func TestHiddenFromTypes(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("treated-1", oracletest.ShineSpec)
	put := run.Do(term.Put, "treated-1", oracletest.Spec(oracletest.Object{"colour": "red"}), []oracletest.Edit{oracletest.With(".spec.shine", nil)}, oracletest.Via("a"), oracletest.ReadVia("b"), oracletest.By(term.OldTyped))
	run.DecodeAs(run.Exchange(put, history.Read, "b"), term.Old, "digest")
	run.ExpectFindings(`nothing-lost impact rule-6 lost read-hidden treated-1 .spec.shine in step 4 (upgrading 1/2)`)
}

// Where such an answer is all that there is, what is stored is unknown.
func TestOnlyTypesLooked(t *testing.T) {
	for bytes, indeterminate := range map[string]int{"digest": 1, "": 0} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", oracletest.ShineSpec)
		run.Unobserved = true
		patched := run.Patch("treated-1", oracletest.Via("a"), oracletest.By(term.OldTyped))
		run.DecodeAs(run.Exchange(patched, history.Act, "a"), term.Old, bytes)
		res, _ := run.Judge()
		if got := oracletest.Check(t, res, term.CheckNothingLost).Indeterminate; got != indeterminate {
			t.Errorf("%q: indeterminate %d, want %d", bytes, got, indeterminate)
		}
	}
}
