package trace_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// What a client sends and a server stores in other words is acknowledged all
// the same; and what is another value is reported.
func TestMeaningAndSpelling(t *testing.T) {
	lost, changed := `lost unattributed bystander-1 `, `changed unattributed bystander-1 `
	cases := []struct {
		name, sent, at string
		stored         any
		finding        string
	}{
		{"a number or text: the number", `{"either": 80}`, ".spec.either", int64(80), ""},
		{"a number or text: as text it is a name", `{"either": 80}`, ".spec.either", "80", changed + ".spec.either"},
		{"a number or text: another text", `{"either": "20%"}`, ".spec.either", "25%", changed + ".spec.either"},
		{"a whole number with a point", `{"parts": [{"name": "x", "count": 1.0}]}`, `.spec.parts[name="x"].count`, int64(1), ""},
		{"free-form: another order", `{"raw": {"a": 1, "b": {"c": [1, 2]}}}`, ".spec.raw", oracletest.Object{"b": oracletest.Object{"c": []any{1, 2}}, "a": 1}, ""},
		{"free-form: another member too", `{"raw": {"a": 1}}`, ".spec.raw", oracletest.Object{"a": 1, "b": 2}, ""},
		{"free-form: a member less", `{"raw": {"a": 1, "b": {"c": 2}}}`, ".spec.raw", oracletest.Object{"a": 1}, lost + ".spec.raw.b"},
		{"free-form: a list in another order", `{"raw": {"c": [1, 2]}}`, ".spec.raw", oracletest.Object{"c": []any{2, 1}}, changed + ".spec.raw.c"},
		{"an empty struct and none", `{"colour": "red", "finish": {}}`, ".spec.notes", oracletest.Object{}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", c.sent)
			run.Change("bystander-1", c.at, c.stored)
			run.Observe()
			var want []string
			for line := range strings.Lines(c.finding) {
				want = append(want, "nothing-lost violation rule-6 "+strings.TrimSuffix(line, "\n")+" in step 0 ()")
			}
			run.ExpectFindings(want...)
		})
	}
}

// What is sent as null is not sent: nothing is offered, and nothing is lost when
// the server leaves it out. A time that no server ever has is one such.
func TestNullIsNotSent(t *testing.T) {
	run := oracletest.NewMixed(t)
	created := run.Create("bystander-1", `{"colour": "red", "finish": null, "notes": {"k": null}}`)
	x := run.Exchange(created, history.Act, "a")
	x.Sent = run.Edited(x.Sent, ".metadata.annotations", oracletest.Object{"a": nil})
	sent := run.History.Object(x.Sent)
	sent["metadata"].(oracletest.Object)["creationTimestamp"] = nil
	x.Sent = run.Blob(sent)
	for _, at := range []string{".spec.finish", ".spec.notes"} {
		run.EditAnswer(created, oracletest.With(at, nil))
	}
	run.ExpectFindings()
	_, ledger := run.Judge()
	for _, f := range oracletest.Ledger(t, ledger, "bystander-1").Fields {
		if f.Path != ".spec.colour" && f.Path != ".spec.notes" {
			t.Errorf("%s is followed", f.Path)
		}
	}
}
