package lint_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/schema"
)

type object = map[string]any

// document publishes one definition, a.Widget, with these fields.
func document(t *testing.T, fields object) []byte {
	t.Helper()
	raw, err := json.Marshal(object{"components": object{"schemas": object{"a.Widget": object{"properties": fields}}}})
	require.NoError(t, err)
	return raw
}

// server is a v1.20 that publishes these fields.
func server(t *testing.T, fields object) lint.Server {
	t.Helper()
	return lint.Server{Name: "widgets@1.20", Version: "v1.20.0", Component: "widgets",
		Stages:    map[string]string{"Two": "ALPHA", "Three": "BETA", "Old": "", "Going": "DEPRECATED"},
		Documents: map[string][]byte{"apis/a": document(t, fields)}}
}

func field(lifecycle any) object { return object{"type": "string", schema.LifecycleKey: lifecycle} }

// says is a lifecycle with these texts, in pairs.
func says(pairs ...string) object {
	of := object{}
	for i := 0; i < len(pairs); i += 2 {
		of[pairs[i]] = pairs[i+1]
	}
	return object{"widgets": of}
}

func alpha() object { return says("minVersion", "v1.20", "status", "alpha", "featureGate", "Two") }

// told are the findings as text.
func told(t *testing.T, s lint.Server, since *lint.Server, exceptions ...string) (all []string) {
	t.Helper()
	report, err := lint.Check(s, since, exceptions)
	require.NoError(t, err)
	for _, f := range report.Findings {
		all = append(all, f.String())
	}
	return all
}

// TestRules: for each rule a defect that it catches, and similar cases without a defect.
func TestRules(t *testing.T) {
	right := map[string]any{
		"alpha": alpha(),
		"beta":  says("minVersion", "v1.19", "status", "beta", "featureGate", "Three"),
		"one that is deprecated, whatever its gate is": says("minVersion", "v1.0", "status", "deprecated", "featureGate", "Old"),
		"an alpha without a gate":                      says("minVersion", "v1.20", "status", "alpha"),
	}
	for name, lifecycle := range right {
		assert.Empty(t, told(t, server(t, object{"x": field(lifecycle), "plain": object{}}), nil), name)
	}
	for name, c := range map[string]struct {
		lifecycle any
		want      string
	}{
		"a text":          {"alpha", `form: must be an object with the component's name, as {"widgets": {"minVersion": "v1.2", "status": "alpha"}}`},
		"nothing":         {object{}, `form: must be an object with the component's name, as {"widgets": {"minVersion": "v1.2", "status": "alpha"}}`},
		"flat":            {object{"widgets": "alpha"}, `form: "widgets" must be an object with minVersion, status and perhaps featureGate`},
		"another key":     {says("minVersion", "v1.20", "status", "alpha", "gate", "Two"), `form: unknown key "gate": there are minVersion, status and featureGate`},
		"a number":        {object{"widgets": object{"minVersion": 1.2, "status": "alpha"}}, `form: minVersion must be a text that is not empty`},
		"null":            {nil, `form: must be an object with the component's name, as {"widgets": {"minVersion": "v1.2", "status": "alpha"}}`},
		"an empty gate":   {says("minVersion", "v1.20", "status", "alpha", "featureGate", ""), `form: featureGate must be a text that is not empty`},
		"no version":      {says("status", "alpha"), `form: has no minVersion`},
		"no status":       {says("minVersion", "v1.20"), `form: has no status`},
		"somebody else's": {object{"gadgets": alpha()["widgets"]}, `component: names "gadgets", and everything is of "widgets"`},
		"a patch release": {says("minVersion", "v1.20.0", "status", "alpha"), `minVersion: "v1.20.0" is not of the form v1.20`},
		"no v":            {says("minVersion", "1.20", "status", "alpha"), `minVersion: "1.20" is not of the form v1.20`},
		"a leading zero":  {says("minVersion", "v1.02", "status", "alpha"), `minVersion: "v1.02" is not of the form v1.20`},
		"the next one":    {says("minVersion", "v1.21", "status", "alpha"), `release: v1.21 is no release that there was when v1.20.0 was made`},
		"another major":   {says("minVersion", "v2.0", "status", "alpha"), `release: v2.0 is no release that there was when v1.20.0 was made`},
		"a stable one":    {says("minVersion", "v1.20", "status", "stable"), `status: "stable" is not one of alpha, beta, deprecated: a stable field has no lifecycle`},
		"capitals":        {says("minVersion", "v1.20", "status", "Alpha"), `status: "Alpha" is not one of alpha, beta, deprecated: a stable field has no lifecycle`},
		"no such gate":    {says("minVersion", "v1.20", "status", "alpha", "featureGate", "Tow"), `gate: widgets@1.20 has no feature gate Tow`},
		"gone at GA":      {says("minVersion", "v1.20", "status", "beta", "featureGate", "Old"), `stage: is beta, and its gate Old is stable: the lifecycle goes when the gate does`},
		"late":            {says("minVersion", "v1.20", "status", "alpha", "featureGate", "Three"), `stage: is alpha, and its gate Three is beta: both change in one release`},
		"on its way out":  {says("minVersion", "v1.20", "status", "alpha", "featureGate", "Going"), `stage: is alpha, and its gate Going is deprecated: both change in one release`},
	} {
		assert.Equal(t, []string{"a.Widget.x: " + c.want}, told(t, server(t, object{"x": field(c.lifecycle)}), nil), name)
	}
}

// TestSince: what a release adds has to say how far it has come.
func TestSince(t *testing.T) {
	was := object{"was": field(alpha()), "plain": object{}, "free": field(says("minVersion", "v1.19", "status", "alpha")),
		"beta": field(says("minVersion", "v1.19", "status", "beta", "featureGate", "Three")), "leaving": field(says("minVersion", "v1.19", "status", "deprecated")),
		"whole": object{"type": "object", "properties": object{"in": object{}}}}
	before := server(t, was)
	before.Name, before.Version = "widgets@1.19", "v1.19.0"
	structure := func(of object) object { return object{"type": "object", "properties": of} }
	list := func(of object) object { return object{"type": "array", "items": of} }
	const unmarked = "new since widgets@1.19, and without a lifecycle: publish one, or list it among the exceptions if it is stable from the start"
	for name, c := range map[string]struct {
		fields     object
		exceptions []string
		want       []string
	}{
		"nothing new":                       {object{"was": field(alpha()), "plain": object{}}, nil, nil},
		"marked":                            {object{"new": field(alpha())}, nil, nil},
		"unmarked":                          {object{"new": object{}}, nil, []string{"a.Widget.new: unmarked: " + unmarked}},
		"an exception":                      {object{"new": object{}}, []string{"a.Widget.new"}, nil},
		"a pattern":                         {object{"new": object{}}, []string{"*.Widget.new"}, nil},
		"another exception":                 {object{"new": object{}}, []string{"a.Widget.ne"}, []string{"a.Widget.new: unmarked: " + unmarked}},
		"a struct, told once":               {object{"new": structure(object{"in": object{}})}, nil, []string{"a.Widget.new: unmarked: " + unmarked}},
		"a list, told once":                 {object{"new": list(structure(object{"in": object{}}))}, nil, []string{"a.Widget.new: unmarked: " + unmarked}},
		"below a marked one":                {object{"new": object{"properties": object{"in": object{}}, schema.LifecycleKey: alpha()}}, nil, nil},
		"in what was there":                 {object{"plain": structure(object{"in": object{}})}, nil, []string{"a.Widget.plain.in: unmarked: " + unmarked}},
		"a name that begins so":             {object{"new": field(alpha()), "newer": object{}}, nil, []string{"a.Widget.newer: unmarked: " + unmarked}},
		"dropped too early":                 {object{"was": object{}}, nil, []string{"a.Widget.was: dropped: was alpha in widgets@1.19, and carries no lifecycle, while its gate Two is alpha still"}},
		"older than it can be":              {object{"new": field(says("minVersion", "v1.19", "status", "alpha"))}, nil, []string{"a.Widget.new: early: is alpha since v1.19, and widgets@1.19 does not have it"}},
		"a field that is there":             {object{"plain": field(says("minVersion", "v1.19", "status", "deprecated"))}, nil, nil},
		"an alpha without a gate is stable": {object{"free": object{}}, nil, []string{"a.Widget.free: dropped: was alpha in widgets@1.19, without a gate, and carries no lifecycle: it has to be beta before it is stable"}},
		"a gated alpha has gone":            {object{"was": nil}, nil, nil},
		"a deprecated field has gone":       {object{"leaving": nil}, nil, nil},
		"an alpha without a gate has gone":  {object{"free": nil}, nil, []string{"a.Widget.free: gone: was alpha in widgets@1.19, and is not there any more: only an alpha behind a gate may go at once; call it deprecated for a release before"}},
		"a beta has gone":                   {object{"beta": nil}, nil, []string{"a.Widget.beta: gone: was beta in widgets@1.19, and is not there any more: only an alpha behind a gate may go at once; call it deprecated for a release before"}},
		"a stable struct, told once":        {object{"whole": nil}, nil, []string{"a.Widget.whole: gone: carried no lifecycle in widgets@1.19, and is not there any more: only an alpha behind a gate may go at once; call it deprecated for a release before"}},
		"one that had to go":                {object{"plain": nil}, []string{"*.plain"}, nil},
	} {
		assert.Equal(t, c.want, told(t, server(t, since(was, c.fields)), &before, c.exceptions...), name)
	}
	later := server(t, since(was, object{"free": object{}}))
	later.Version = "v1.21.0"
	assert.Empty(t, told(t, later, &before), "it may have been beta in between")
	alphas := lint.Server{Name: "widgets@1.19", Documents: map[string][]byte{"a": []byte(strings.ReplaceAll(string(document(t, was)), "a.Widget", "a.v1alpha1.Widget"))}}
	none := lint.Server{Name: "widgets@1.20", Documents: map[string][]byte{"a": []byte(strings.ReplaceAll(string(document(t, object{"x": object{}})), "a.Widget", "a.v1alpha1.Widget"))}}
	assert.Equal(t, 1, len(told(t, none, &alphas)), "of an alpha version all may go: the new field x is reported")
	stable := server(t, since(was, object{"beta": object{}}))
	stable.Stages["Three"] = ""
	assert.Empty(t, told(t, stable, &before), "a lifecycle goes when the gate is stable")
	other := lint.Server{Name: "widgets@1.19", Documents: map[string][]byte{"a": []byte(`{"components":{"schemas":{}}}`)}}
	assert.Empty(t, told(t, stable, &other), "a new kind says it by its version")
}

// TestNotAtOnce: from alpha, field and gate do not become stable in one release,
// whether the gate is stable then or gone.
func TestNotAtOnce(t *testing.T) {
	const dropped = "a.Widget.x: dropped: was alpha in widgets@1.19, and carries no lifecycle, while its gate %s: both have to be beta before they are stable"
	for _, c := range []struct {
		status, gate string
		want         []string
	}{
		{"alpha", "Four", []string{fmt.Sprintf(dropped, "Four is gone as well")}},
		{"beta", "Four", nil},
		{"alpha", "Old", []string{fmt.Sprintf(dropped, "Old is stable at once")}},
		{"beta", "Old", nil},
	} {
		before, now := server(t, object{"x": field(says("minVersion", "v1.19", "status", c.status, "featureGate", c.gate))}), server(t, object{"x": object{}})
		before.Name, before.Version = "widgets@1.19", "v1.19.0"
		assert.Equal(t, c.want, told(t, now, &before), "%s behind %s", c.status, c.gate)
		now.Version = "v1.21.0"
		assert.Empty(t, told(t, now, &before), "it may have been beta in between")
		now.Version, now.Stages = "v1.20.0", nil
		assert.Empty(t, told(t, now, &before), "nobody says which gates there are")
	}
}

// since are the fields that were there, but for those that are others now, and those
// that are nil, which have gone.
func since(was, now object) object {
	all := object{}
	for name, f := range was {
		all[name] = f
	}
	for name, f := range now {
		if all[name] = f; f == nil {
			delete(all, name)
		}
	}
	return all
}

// TestReport: what was counted, and what nobody could tell.
func TestReport(t *testing.T) {
	s := server(t, object{"x": field(alpha()), "y": object{}})
	s.Documents["apis/b"] = s.Documents["apis/a"] // which refers to the same
	report, err := lint.Check(s, &s, nil)
	require.NoError(t, err)
	assert.Equal(t, lint.Report{Fields: 2, Marked: 1, Unused: []string{}, Unchecked: []string{}, Findings: []lint.Finding{}}, report)
	empty := server(t, object{})
	report, err = lint.Check(s, &empty, lint.Exceptions{"*"})
	require.NoError(t, err)
	assert.Equal(t, 0, report.Excused, "a definition without fields does not count as present")
	before := server(t, object{"x": object{}})
	report, err = lint.Check(s, &before, lint.Exceptions{"*", "a.Widget.y", "a.Widget.x"})
	require.NoError(t, err)
	assert.Equal(t, 1, report.Excused)
	assert.Equal(t, []string{"a.Widget.x"}, report.Unused, "it is not new")

	files := lint.Server{Name: "out", Documents: map[string][]byte{"a.json": document(t, object{"x": field(object{"gadgets": alpha()["widgets"]}), "y": field(object{"gadgets": alpha()["widgets"]}), "z": field(alpha())})}}
	report, err = lint.Check(files, nil, nil)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"gate, stage, dropped behind a gate: out does not say which feature gates it has", "release: out does not say which release it is",
		"unmarked, dropped, gone, early: no release to compare with; name one with --since",
	}, report.Unchecked)
	assert.Equal(t, []lint.Finding{{Field: "a.Widget.z", Rule: "component", Problem: `names "widgets", and everything is of "gadgets"`}}, report.Findings)

	_, err = lint.Check(lint.Server{Name: "out", Documents: map[string][]byte{"a.json": []byte("{}")}}, nil, nil)
	assert.EqualError(t, err, "out: a.json: openapi: the document has no components")
	_, err = lint.Check(files, &lint.Server{Name: "was", Documents: map[string][]byte{"b.json": []byte("[]")}}, nil)
	assert.ErrorContains(t, err, "was: b.json: openapi: ")
}

func TestExceptions(t *testing.T) {
	all, err := lint.ParseExceptions("list", "# why\n\n a.Widget.x  it was stable at once\na.*.y so was this\n")
	require.NoError(t, err)
	assert.Equal(t, lint.Exceptions{"a.Widget.x", "a.*.y"}, all)
	all, err = lint.ParseExceptions("list", "a.x\tafter a tab\na.*\twith a pattern\n")
	require.NoError(t, err)
	assert.Equal(t, lint.Exceptions{"a.x", "a.*"}, all)
	_, err = lint.ParseExceptions("list", "a.Widget.x\n* all of them\n*.* too\n")
	assert.EqualError(t, err, "list:1: a.Widget.x: has no reason: say why after the field\nlist:2: *: excuses every field there is: name some\nlist:3: *.*: excuses every field there is: name some")
}

// TestExceptionsAreLiteral: what a finding names can be copied as it stands.
func TestExceptionsAreLiteral(t *testing.T) {
	before := server(t, object{"list": object{"type": "array", "items": object{"type": "object", "properties": object{}}}})
	now := server(t, object{"list": object{"type": "array", "items": object{"type": "object", "properties": object{"a?b\\c": object{}}}}})
	report, err := lint.Check(now, &before, nil)
	require.NoError(t, err)
	require.Len(t, report.Findings, 1)
	field := report.Findings[0].Field
	assert.Equal(t, `a.Widget.list[].a?b\c`, field)
	for pattern, excused := range map[string]bool{
		field: true, "*[].a?b*": true, "a.*.list[]*c": true, "*list*b*c": true, "*.Widget.*": true,
		"a.Widget.list[].a?c": false, "a.Widget.list[a-z]*": false, "a.Widget.list*list[].a?b\\c": false, "*c*b": false, "a.Widget.list": false,
	} {
		report, err := lint.Check(now, &before, lint.Exceptions{pattern})
		require.NoError(t, err)
		assert.Equal(t, excused, len(report.Findings) == 0, pattern)
		assert.Equal(t, !excused, len(report.Unused) == 1, pattern)
	}
}

// TestStableWords: an error of the parser reads the same in every process.
func TestStableWords(t *testing.T) {
	_, err := lint.Check(lint.Server{Name: "out", Documents: map[string][]byte{"a.json": []byte(`{"components":{"schemas":[]}}`)}}, nil, nil)
	assert.ErrorContains(t, err, "openapi: json: cannot unmarshal JSON array")
}

// TestRulesAreDocumented: the document has a row for each.
func TestRulesAreDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/how-to/check-field-lifecycles.md")
	require.NoError(t, err)
	for _, rule := range lint.Rules() {
		assert.Equal(t, 1, strings.Count(string(text), "\n| `"+rule+"` |"), rule)
	}
}
