package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
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
		{"free-form: another order", `{"raw": {"a": 1, "b": {"c": [1, 2]}}}`, ".spec.raw", object{"b": object{"c": []any{1, 2}}, "a": 1}, ""},
		{"free-form: another member too", `{"raw": {"a": 1}}`, ".spec.raw", object{"a": 1, "b": 2}, ""},
		{"free-form: a member less", `{"raw": {"a": 1, "b": {"c": 2}}}`, ".spec.raw", object{"a": 1}, lost + ".spec.raw.b"},
		{"free-form: a list in another order", `{"raw": {"c": [1, 2]}}`, ".spec.raw", object{"c": []any{2, 1}}, changed + ".spec.raw.c"},
		{"an empty struct and none", `{"colour": "red", "finish": {}}`, ".spec.notes", object{}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", c.sent)
			s.store("bystander-1", c.at, c.stored)
			s.edge()
			var want []string
			for line := range strings.Lines(c.finding) {
				want = append(want, "nothing-lost violation rule-6 "+strings.TrimSuffix(line, "\n")+" in step 0 ()")
			}
			s.finds(want...)
		})
	}
}

// What is sent as null is not sent: nothing is offered, and nothing is lost when
// the server leaves it out. A time that no server ever has is one such.
func TestNullIsNotSent(t *testing.T) {
	s := mixed(t)
	created := s.create("bystander-1", `{"colour": "red", "finish": null, "notes": {"k": null}}`)
	x := s.recorded(created, history.Act, "a")
	x.Sent = s.bend(x.Sent, ".metadata.annotations", object{"a": nil})
	sent := s.h.Object(x.Sent)
	sent["metadata"].(object)["creationTimestamp"] = nil
	x.Sent = s.blob(sent)
	for _, at := range []string{".spec.finish", ".spec.notes"} {
		s.answered(created, with(at, nil))
	}
	s.finds()
	_, ledger := s.judge()
	for _, f := range copyOf(t, ledger, "bystander-1").Fields {
		if f.Path != ".spec.colour" && f.Path != ".spec.notes" {
			t.Errorf("%s is followed", f.Path)
		}
	}
}
