package oracle_test

import (
	"encoding/json"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A stored value is spelled anew, or changed. Only the second is reported.
func TestSpellingIsNoChange(t *testing.T) {
	const base = `{"size": "1", "since": "2020-01-02T03:04:05Z", "parts": [{"name": "x", "count": 1}, {"name": "y", "count": 2}],
		"tags": ["p", "q"], "args": ["one", "two"], "notes": {"k": "v"}, "colour": "red"}`
	cases := []struct {
		name, at string
		value    any
		finding  string // state and path; "" for no finding
		after    string
	}{
		{"a quantity in other words", ".spec.size", "1000m", "", ""},
		{"another quantity", ".spec.size", "2", "changed unattributed bystander-1 .spec.size", `"2"`},
		{"a time in another zone", ".spec.since", "2020-01-02T04:04:05+01:00", "", ""},
		{"another time", ".spec.since", "2020-01-02T03:04:06Z", "changed unattributed bystander-1 .spec.since", `"2020-01-02T03:04:06Z"`},
		{"a list-map in another order", ".spec.parts", []any{object{"name": "y", "count": 2}, object{"name": "x", "count": 1}}, "", ""},
		{"a list-map's element changed", ".spec.parts", []any{object{"name": "y", "count": 2}, object{"name": "x", "count": 9}},
			`changed unattributed bystander-1 .spec.parts[name="x"].count`, "9"},
		{"a list-map's element gone", ".spec.parts", []any{object{"name": "y", "count": 2}}, `lost unattributed bystander-1 .spec.parts[name="x"]`, "null"},
		{"a set in another order", ".spec.tags", []any{"q", "p"}, "", ""},
		{"a set's element gone", ".spec.tags", []any{"q"}, `lost unattributed bystander-1 .spec.tags[="p"]`, "null"},
		{"a plain list longer", ".spec.args", []any{"one", "two", "three"}, "", ""},
		{"a plain list shorter", ".spec.args", []any{"one"}, `lost unattributed bystander-1 .spec.args[1]`, "null"},
		{"a map's other key", ".spec.notes", object{"k": "v", "l": "w"}, "", ""},
		{"a map's key gone", ".spec.notes", object{}, `lost unattributed bystander-1 .spec.notes.k`, "null"},
		{"the map gone", ".spec.notes", nil, `lost unattributed bystander-1 .spec.notes`, "null"},
		{"a text changed", ".spec.colour", "blue", "changed unattributed bystander-1 .spec.colour", `"blue"`},
		{"what servers own", ".metadata.uid", "u-1", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", base)
			s.store("bystander-1", c.at, c.value)
			s.edge()
			if c.finding == "" {
				s.finds()
				return
			}
			res := s.finds("nothing-lost violation rule-6 " + c.finding + " in step 0 ()")
			if len(res.Findings) == 1 && jsonOf(t, res.Findings[0].After) != c.after {
				t.Errorf("after: %s, want %s", jsonOf(t, res.Findings[0].After), c.after)
			}
		})
	}
}

// A changed value's message says what it became.
func TestChangedMessage(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"size": "1"}`)
	s.store("bystander-1", ".spec.size", "2")
	s.edge()
	res, _ := s.judge()
	want := `Widget bystander-1: .spec.size = "1", acknowledged in step 3 (v2.0.0), became "2" after step 3 (upgrading 1/2) and before step 4 (upgrading 1/2): a write that no step asked for (the servers' own); unattributed: the evidence does not say why; violation under rule-6`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// Null and absent are one: a null that was sent is no value, and one that is
// served is not one either.
func TestNullIsAbsent(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": null, "size": "1"}`)
	s.store("bystander-1", ".spec", object{"size": "1"})
	s.edge()
	s.finds()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != "" {
		t.Errorf("a null was offered: %s", got)
	}

	s = mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.store("bystander-1", ".spec", object{"size": "1", "colour": nil})
	s.edge()
	s.finds(`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`)
}

// A value that a later operation sets is judged from there on; the one before
// it is withdrawn. One that only goes away and comes back ends as kept.
func TestSetAgain(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red", "size": "1"}`)
	s.patch("bystander-1", via("a"), set(".spec.colour", "blue"))
	s.finds()
	s.store("bystander-1", ".spec.colour", "red")
	s.edge()
	s.finds(`nothing-lost violation rule-6 changed unattributed bystander-1 .spec.colour in step 0 ()`)

	s.store("bystander-1", ".spec.colour", "blue")
	s.edge()
	_, ledger := s.judge()
	if got := field(copyOf(t, ledger, "bystander-1"), ".spec.colour"); got != term.Kept {
		t.Errorf("came back, and ends as %s; want kept", got)
	}
}

// An operation that only removes, or whose body holds no object, offers
// nothing; the ledger has no value without a path.
func TestNothingOffered(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"colour": "red"}`)
	s.patch("bystander-1", via("a"), set(".spec.colour", nil))
	s.finds()
	_, ledger := s.judge()
	for _, f := range copyOf(t, ledger, "bystander-1").Fields {
		if f.Path == "" || f.Path == ".spec.colour" && f.State != term.Withdrawn {
			t.Errorf("field: %+v", f)
		}
	}
}

// A body is read by the kind it was sent to, even when two kinds were sent the
// same one: a quantity here is a text there.
func TestSameBodyForTwoKinds(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", `{"size": "1"}`)
	s.create("bystander-2", `{"size": "1"}`, of("gadget"))
	same := object{"spec": object{"size": "2"}}
	for _, name := range []string{"bystander-2", "bystander-1"} {
		step := s.patch(name, via("a"), set(".spec.size", "2"))
		s.recorded(step, "act", "a").Sent = s.blob(same)
		s.bodyOf(step, same)
	}
	s.store("bystander-1", ".spec.size", "2000m")
	s.edge()
	s.finds()
	_, ledger := s.judge()
	for _, name := range []string{"bystander-1", "bystander-2"} {
		if got := field(copyOf(t, ledger, name), ".spec.size"); got != term.Kept {
			t.Errorf("%s: %s, want kept", name, got)
		}
	}
}
