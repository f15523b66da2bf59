package run

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// played runs a plan of one line and returns the requests of its operation, in order.
func played(t *testing.T, line string, answer func(place, method, path string) (int, string)) ([]history.Operation, *history.History) {
	t.Helper()
	w := runtest.NewWorld(t)
	w.Answer = answer
	c := config(t, w, runtest.SmallPlan(t, playing(line)))
	require.NoError(t, Run(runtest.Bounded(t), c), line)
	return ofStep(t, c)
}

func ofStep(t *testing.T, c Config) ([]history.Operation, *history.History) {
	t.Helper()
	h := load(t, c)
	step := operated(t, c.Plan)
	return slices.DeleteFunc(slices.Clone(h.Operations), func(o history.Operation) bool { return o.Step != step }), h
}

// asked formats an operation in a line.
func asked(o history.Operation) string {
	x := o.Exchange
	at := strings.TrimPrefix(x.Path, runtest.Collection)
	return strings.TrimRight(fmt.Sprintf("%s %s %s?%s %s", o.Purpose, x.Method, at, x.Query, x.ContentType), "? ")
}

func allAsked(operations []history.Operation) []string {
	var all []string
	for _, o := range operations {
		all = append(all, asked(o))
	}
	return all
}

// parts answers for status, scale and patches, which the small server lacks.
func parts(_, method, path string) (int, string) {
	switch {
	case path == "/apis/example.dev/v1":
		return 200, `{"resources":[{"name":"gadgets","kind":"Gadget","namespaced":true},{"name":"gadgets/status","kind":"Gadget"},{"name":"gadgets/scale","kind":"Scale"}]}`
	case strings.HasSuffix(path, "/scale"):
		return 200, `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"x-treated-001","resourceVersion":"7"},"spec":{"replicas":1}}`
	case strings.HasSuffix(path, "/status"), method == "DELETE" && path == runtest.Collection:
		return 200, "{}"
	}
	return 0, ""
}

// TestVerbs: the requests of each verb, with their parameters and content types; GETs
// follow every write, and no read.
func TestVerbs(t *testing.T) {
	t.Parallel()
	const (
		one  = "/x-treated-001"
		look = "look GET " + one
		read = "read GET " + one
	)
	for line, want := range map[string][]string{
		"{touch: x, via: old, verb: put}":                                    {read, "act PUT " + one + "? application/json", look},
		"{touch: x, via: old, verb: unchanged-put}":                          {read, "act PUT " + one + "? application/json", look},
		"{touch: x, via: old, verb: put, fieldValidation: Strict}":           {read, "act PUT " + one + "?fieldValidation=Strict application/json", look},
		"{touch: x, via: old, verb: json-patch}":                             {"act PATCH " + one + "? application/json-patch+json", look},
		"{touch: x, via: old, verb: merge-patch}":                            {"act PATCH " + one + "? application/merge-patch+json", look},
		"{touch: x, via: old, verb: strategic-patch}":                        {"act PATCH " + one + "? application/strategic-merge-patch+json", look},
		"{touch: x, via: old, verb: merge-diff}":                             {read, "act PATCH " + one + "? application/merge-patch+json", look},
		"{set: x, via: old, verb: strategic-diff, fields: {.spec.size: 9}}":  {read, "act PATCH " + one + "? application/strategic-merge-patch+json", look},
		"{touch: x, via: old, verb: apply}":                                  {"act PATCH " + one + "?fieldManager=skewsim&force=true application/apply-patch+yaml", look},
		"{touch: x, via: old, verb: apply, manager: m, force: false}":        {"act PATCH " + one + "?fieldManager=m application/apply-patch+yaml", look},
		"{touch: x, via: old, verb: client-side-apply}":                      {read, "act PATCH " + one + "?fieldManager=kubectl-client-side-apply application/merge-patch+json", look},
		"{set: x, via: old, verb: status-put, fields: {.status.ok: true}}":   {read, "act PUT " + one + "/status? application/json", look},
		"{set: x, via: old, verb: status-patch, fields: {.status.ok: true}}": {"act PATCH " + one + "/status? application/merge-patch+json", look},
		"{touch: x, via: old, verb: scale-put}":                              {"read GET " + one + "/scale", "act PUT " + one + "/scale? application/json", look},
		"{touch: x, via: old, verb: scale-patch}":                            {"act PATCH " + one + "/scale? application/merge-patch+json", look},
		"{delete: x, via: old}":                                              {"act DELETE " + one, look},
		"{delete: x, via: old, verb: delete-collection}":                     {"act DELETE ?fieldSelector=metadata.name%3Dx-treated-001", look},
		"{get: x, via: old}":                                                 {"act GET " + one},
		"{list: x, via: old}":                                                {"act GET"}, // and a listing, see below
	} {
		operations, h := played(t, line, parts)
		assert.Empty(t, h.Skips, line)
		assert.Equal(t, want, allAsked(operations), line)
		listed := slices.ContainsFunc(h.Listings, func(l history.Listing) bool { return l.Step == operations[0].Step })
		assert.Equal(t, strings.HasPrefix(line, "{list"), listed, line)
	}
}

// TestAbridged: a LIST's items are recorded one by one, and a second time only if the line
// declares what they show.
func TestAbridged(t *testing.T) {
	for line, whole := range map[string]bool{
		"{list: x, via: old}":                                         false,
		"{list: x, via: old, respond: {code: 200}}":                   false,
		"{list: x, via: old, respond: {fields: {.kind: GadgetList}}}": true,
	} {
		operations, h := played(t, line, nil)
		require.Len(t, operations, 1, line)
		shown := h.Object(operations[0].Exchange.Answer)
		assert.Equal(t, "GadgetList", shown["kind"], line)
		assert.Equal(t, whole, shown["items"] != nil, line)
		assert.NotZero(t, operations[0].Exchange.Revision, line)
	}
}

// TestWritten: the bodies that verbs make of what was read, or of the file.
func TestWritten(t *testing.T) {
	const file = `{"apiVersion":"example.dev/v1","kind":"Gadget","metadata":{"labels":{"skewsim.dev/touch":"untouched"},
		"name":"x-treated-001","namespace":"skewsim-small"},"spec":{"size":%d}}`
	for line, want := range map[string]string{
		"{touch: x, via: old, verb: unchanged-put}":                         fmt.Sprintf(file, 2),
		"{set: x, via: old, fields: {.spec.size: 9}}":                       fmt.Sprintf(file, 9),
		"{set: x, via: old, verb: merge-diff, fields: {.spec.size: 9}}":     `{"spec":{"size":9}}`,
		"{set: x, via: old, verb: strategic-diff, fields: {.spec.size: 9}}": `{"spec":{"size":9}}`,
		"{set: x, via: old, verb: apply, fields: {.spec.size: 9}}":          fmt.Sprintf(file, 9),
		"{touch: x, via: old, verb: scale-put}":                             `{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"x-treated-001"},"spec":{"replicas":STEP}}`,
		"{touch: x, via: old, verb: scale-patch}":                           `{"spec":{"replicas":STEP}}`,
	} {
		operations, h := played(t, line, parts)
		i := slices.IndexFunc(operations, func(o history.Operation) bool { return o.Purpose == history.Act })
		require.GreaterOrEqual(t, i, 0, line)
		sent := h.Object(operations[i].Exchange.Sent)
		if meta, ok := sent["metadata"].(map[string]any); ok {
			assert.Equal(t, operations[0].Purpose == history.Read, meta["resourceVersion"] != nil, "%s: that of what was read", line)
			delete(meta, "resourceVersion")
		}
		got, err := json.Marshal(sent)
		require.NoError(t, err)
		assert.JSONEq(t, strings.ReplaceAll(want, "STEP", fmt.Sprint(operations[i].Step)), string(got), line)
	}
}

// TestBirths: each verb that creates can create an object.
func TestBirths(t *testing.T) {
	for verb, want := range map[string]string{
		"create":            "act POST ? application/json",
		"apply":             "act PATCH /x-untouched-001?fieldManager=skewsim&force=true application/apply-patch+yaml",
		"client-side-apply": "act POST ?fieldManager=kubectl-client-side-apply application/json",
	} {
		w := runtest.NewWorld(t)
		w.Answer = func(_, method, _ string) (int, string) {
			if method == "PATCH" {
				return 201, "{}"
			}
			return 0, ""
		}
		c := config(t, w, runtest.SmallPlan(t, "name: small\nabout: x\nobjects: {x: {treated: bystander.yaml}}\nreplicas: 1\njourney: [upgrade]\n"+
			"play:\n- {create: x, via: old, verb: "+verb+"}\n"))
		require.NoError(t, Run(runtest.Bounded(t), c), verb)
		h := load(t, c)
		i := slices.IndexFunc(h.Operations, func(o history.Operation) bool { return o.Purpose == history.Act })
		assert.Equal(t, want, asked(h.Operations[i]))
		annotations := fmt.Sprint(h.Object(h.Operations[i].Exchange.Sent)["metadata"])
		assert.Equal(t, verb == "client-side-apply", strings.Contains(annotations, "last-applied-configuration"), verb)
	}
}

// refusing answers the first n writes of a copy with a code.
func refusing(n int64, code int, reason string) func(place, method, path string) (int, string) {
	var asked atomic.Int64
	return func(_, method, path string) (int, string) {
		if slices.Contains([]string{"PUT", "PATCH"}, method) && asked.Add(1) <= n {
			return code, fmt.Sprintf(`{"kind":"Status","code":%d,"reason":%q,"message":"m"}`, code, reason)
		}
		return parts("", method, path)
	}
}

// TestTurns: after a conflict a client reads and writes again, as often as client-go does;
// after any other answer it does not.
func TestTurns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		line   string
		answer func(place, method, path string) (int, string)
		turns  int
		last   int
	}{
		"no trouble":       {"{touch: x, via: old}", parts, 1, 200},
		"two conflicts":    {"{touch: x, via: old}", refusing(2, 409, "Conflict"), 3, 200},
		"of a scale":       {"{touch: x, via: old, verb: scale-put}", refusing(1, 409, "Conflict"), 2, 200},
		"unchanged":        {"{touch: x, via: old, verb: unchanged-put}", refusing(1, 409, "Conflict"), 2, 200},
		"conflicts always": {"{touch: x, via: old}", refusing(99, 409, "Conflict"), 5, 409},
		"another 409":      {"{touch: x, via: old}", refusing(1, 409, "AlreadyExists"), 1, 409},
		"too many":         {"{touch: x, via: old}", refusing(1, 429, "TooManyRequests"), 1, 429},
		"a timeout":        {"{touch: x, via: old}", refusing(1, 504, "Timeout"), 1, 504},
		"nothing was read": {"{touch: x, via: old, verb: merge-patch}", refusing(1, 409, "Conflict"), 1, 409},
		"of apply":         {"{touch: x, via: old, verb: apply}", refusing(1, 409, "Conflict"), 1, 409},
	} {
		operations, _ := played(t, c.line, c.answer)
		acts, reads := []int{}, []int{}
		var last history.Operation
		for _, o := range operations {
			switch o.Purpose {
			case history.Act:
				acts, last = append(acts, o.Turn), o
			case history.Read:
				reads = append(reads, o.Turn)
			}
		}
		want := []int{0, 1, 2, 3, 4}[:c.turns]
		assert.Equal(t, want, acts, name)
		assert.Equal(t, c.last, last.Exchange.Code, name)
		if last.Exchange.Method == "PUT" {
			assert.Equal(t, want, reads, name)
		}
	}
}

// TestInventedField: a probe follows a 5xx to a write that uses the change, or sends it, at
// once.
func TestInventedField(t *testing.T) {
	for line, want := range map[string]string{
		"{touch: x, via: old, at: old}": `{"apiVersion":"example.dev/v1","kind":"Gadget","skewsimMadeUp":"x","spec":{"size":2},
			"metadata":{"labels":{"skewsim.dev/touch":"step-%d"},"name":"x-treated-001","namespace":"skewsim-small","resourceVersion":"%s"}}`,
		"{touch: x, via: old, at: old, verb: merge-patch}": `{"skewsimMadeUp":"x","metadata":{"labels":{"skewsim.dev/touch":"step-%d"}}}`,
		"{set: x, via: old, at: old, verb: json-patch, fields: {.spec.later: 3, .spec.size: 4}}": `[
			{"op":"add","path":"/spec/size","value":4},{"op":"add","path":"/skewsimMadeUp","value":"x"}]`,
	} {
		w := runtest.NewWorld(t)
		w.Answer = refusing(99, 500, "InternalError")
		c := config(t, w, runtest.SmallPlan(t, "name: small\nabout: x\nobjects: {x: {treated: treated.yaml, bystander: bystander.yaml}}\n"+
			"replicas: 1\njourney: [upgrade]\nplay:\n- {create: x, via: old}\n- "+line+"\n"))
		require.NoError(t, Run(runtest.Bounded(t), c), line)
		h := load(t, c)
		probes := slices.DeleteFunc(slices.Clone(h.Operations), func(o history.Operation) bool { return o.Purpose != history.Probe })
		copies := []string{"x-treated-001"}
		if strings.Contains(line, ".spec.later") { // which the step itself uses
			copies = []string{"x-bystander-001", "x-treated-001"}
		}
		slices.SortFunc(probes, func(a, b history.Operation) int { return strings.Compare(a.Copy, b.Copy) })
		require.Len(t, probes, len(copies), line)
		for i, name := range copies {
			assert.Equal(t, name, probes[i].Copy, line)
		}
		probes = probes[len(copies)-1:]
		act := h.Operations[slices.IndexFunc(h.Operations, func(o history.Operation) bool {
			return o.Purpose == history.Act && o.Step == probes[0].Step
		})]
		assert.Equal(t, "dryRun=All", probes[0].Exchange.Query)
		assert.Equal(t, act.Exchange.Path, probes[0].Exchange.Path)
		assert.Equal(t, act.Exchange.ContentType, probes[0].Exchange.ContentType)
		if strings.Contains(want, "%s") {
			meta := h.Object(act.Exchange.Sent)["metadata"].(map[string]any)
			want = fmt.Sprintf(want, act.Step, meta["resourceVersion"])
		} else if strings.Contains(want, "%d") {
			want = fmt.Sprintf(want, act.Step)
		}
		assert.JSONEq(t, want, string(h.Body(probes[0].Exchange.Sent).JSON), line)
	}
}

// TestNotProbed: no probe follows a success, a refusal or a DELETE that fails.
func TestNotProbed(t *testing.T) {
	failing := func(_, method, path string) (int, string) {
		if method == "DELETE" {
			return 500, `{"kind":"Status"}`
		}
		return parts("", method, path)
	}
	for line, answer := range map[string]func(place, method, path string) (int, string){
		"{touch: x, via: old}":                        refusing(1, 422, "Invalid"),
		"{set: x, via: old, fields: {.spec.size: 3}}": parts,
		"{delete: x, via: old}":                       failing,
	} {
		operations, _ := played(t, line, answer)
		for _, o := range operations {
			assert.NotEqual(t, history.Probe, o.Purpose, line)
		}
	}
}
