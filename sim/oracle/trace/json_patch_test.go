package trace_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

type op = map[string]any

func add(at string, value any) op { return op{"op": "add", "path": at, "value": value} }

// A list of operations offers what it sets, whatever the answer shows: another
// form of patch would be reported.
func TestJSONPatchIsNotAccepted(t *testing.T) {
	dropped := `nothing-lost impact rule-3 dropped unknown-field treated-1 .spec.shine in step 4 (upgrading 1/2)`
	for via1, want := range map[string][]string{"a": nil, "b": {dropped}} {
		run := oracletest.NewMixed(t)
		run.Create("treated-1", `{"colour": "red"}`)
		n := run.PatchWith(term.JSONPatch, "treated-1", []oracletest.Option{oracletest.Via(via1), oracletest.Set(".spec.shine", oracletest.Object{"level": int64(3)})})
		body := []any{op{"op": "test", "path": "/spec/colour", "value": "red"}, add("/spec/shine", oracletest.Object{"level": 3})}
		run.SetBody(n, body)
		run.Exchange(n, "act", via1).Sent = run.Blob(body)
		run.ExpectFindings(want...)
	}
}

// What operations set is followed, under the path that it has in the object:
// numbers are places in lists as the operations before left them.
func TestJSONPatchIsFollowed(t *testing.T) {
	const x, y = `.spec.parts[name="x"]`, `.spec.parts[name="y"]`
	for name, c := range map[string]struct {
		body []any
		at   string
		want []string // the paths that are reported when what is there goes
	}{
		"a member":              {[]any{add("/spec/colour", "blue")}, ".spec.colour", []string{".spec.colour"}},
		"a name with a slash":   {[]any{add("/metadata/annotations/a~1b", "c")}, `.metadata.annotations["a/b"]`, []string{`.metadata.annotations["a/b"]`}},
		"in an element":         {[]any{add("/spec/parts/1/count", 9)}, y + ".count", []string{y + ".count"}},
		"after one is gone":     {[]any{op{"op": "remove", "path": "/spec/parts/0"}, add("/spec/parts/0/count", 9)}, y + ".count", []string{y + ".count"}},
		"an element at the end": {[]any{add("/spec/parts/-", oracletest.Object{"name": "z", "count": 9})}, `.spec.parts[name="z"].count`, []string{`.spec.parts[name="z"].count`}},
		"in a plain list":       {[]any{add("/spec/args/1", "two")}, ".spec.args", []string{".spec.args"}},
		"taken back":            {[]any{add("/spec/notes/k", "v"), op{"op": "remove", "path": "/spec/notes/k"}}, ".spec.notes.k", nil},
		"said otherwise later":  {[]any{add("/spec/colour", "green"), add("/spec/colour", "blue")}, ".spec.colour", []string{".spec.colour"}},
		"moved":                 {[]any{op{"op": "move", "from": "/spec/notes/j", "path": "/spec/notes/k"}}, ".spec.notes.k", []string{".spec.notes.k"}},
		"copied":                {[]any{op{"op": "copy", "from": "/spec/parts/0", "path": "/spec/parts/1"}}, x + ".count", nil},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", `{"size": "1"}`)
			run.Change("bystander-1", ".metadata.annotations", oracletest.Object{"n": "o"})
			run.Change("bystander-1", ".spec", oracletest.Parse(t, `{"size": "1", "parts": [{"name": "x", "count": 1}, {"name": "y"}], "args": ["one"], "notes": {"j": "v"}}`))
			run.Observe() // what is not sent is nobody's value
			n := run.SendBody(term.JSONPatch, "bystander-1", c.body, oracletest.Set(c.at, shownAfter(c.at)), oracletest.Set(oracletest.TouchLabel, "t"))
			names(run, n, nil)
			run.SetBody(n, c.body)
			run.Change("bystander-1", c.at, nil)
			run.Observe()
			var want []string
			for _, at := range c.want {
				want = append(want, `nothing-lost violation rule-6 lost unattributed bystander-1 `+at+` in step 0 ()`)
			}
			run.ExpectFindings(want...)
		})
	}
}

// shownAfter is what the answer shows at a path.
func shownAfter(at string) any {
	switch at {
	case ".spec.colour":
		return "blue"
	case ".spec.args":
		return []any{"one", "two"}
	case ".spec.notes.k":
		return "v"
	case `.metadata.annotations["a/b"]`:
		return "c"
	}
	return int64(9)
}

// Operations that do not fit what was seen last offer what the answer shows at
// the paths that the line names.
func TestJSONPatchOfWhatWasNotSeen(t *testing.T) {
	body := []any{op{"op": "replace", "path": "/spec/parts/5/count", "value": 9}, add("/spec/colour", "blue")}
	for at, want := range map[string][]string{
		".spec.colour": {`nothing-lost violation rule-6 lost unattributed bystander-1 .spec.colour in step 0 ()`},
		".spec.args":   nil,
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"size": "1"}`)
		run.SendBody(term.JSONPatch, "bystander-1", body, oracletest.Set(".spec.colour", "blue"))
		names(run, 4, map[string]any{at: nil})
		run.SetBody(4, body)
		run.Change("bystander-1", ".spec.colour", nil)
		run.Observe()
		run.ExpectFindings(want...)
	}
}

// A Secret's text is stored among its data.
func TestJSONPatchOfStringData(t *testing.T) {
	for text, want := range map[string][]string{
		"swordfish": nil,
		"hunter2":   {`nothing-lost violation rule-2 dropped unattributed bystander-1 .data.password in step 4 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"user": "`+hunter2+`"}`, oracletest.Of("secret"))
		run.SendBody(term.JSONPatch, "bystander-1", []any{add("/stringData", oracletest.Object{"password": text})}, oracletest.Of("secret"), oracletest.Set(".data.password", swordfish))
		run.ExpectFindings(want...)
	}
}
