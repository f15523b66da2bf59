package run

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

const oddSize = `{"kind":"Status","message":"Gadget \"x\" is invalid: spec.size: Invalid value: 2: must be odd","reason":"Invalid",
	"details":{"causes":[{"reason":"FieldValueInvalid","message":"Invalid value: 2: must be odd","field":"spec.size"}]}}`

// refusingAt answers creates at places of that name with the code.
func refusingAt(places string, code int, body string) func(place, method, path string) (int, string) {
	return func(place, method, path string) (int, string) {
		if method == "POST" && path == runtest.Collection && strings.HasPrefix(place, places) {
			return code, body
		}
		return 0, ""
	}
}

const bothMake = `name: small
about: x
objects: {x: {bystander: bystander.yaml}}
play:
- {create: x, via: old}
- {create: x, via: new}
`

// TestObjectError: an object that no release accepts is reported before the roll-out, with
// the place of the error.
func TestObjectError(t *testing.T) {
	w := runtest.NewWorld(t)
	c := config(t, w, runtest.SmallPlan(t, bothMake))
	c.Where = func(file, field string) string { return "dir/" + file + " at " + field }
	w.Answer = refusingAt("", 422, oddSize)
	err := Run(runtest.Bounded(t), c)
	var object *precheck.ObjectError
	require.ErrorAs(t, err, &object)
	assert.EqualError(t, err, "dir/bystander.yaml at spec.size: spec.size: Invalid value: 2: must be odd\n"+
		"small.yaml:5: bystander.yaml: v1 and v2 both refuse it with 422: fix the object file, or, if that answer is expected, "+
		"declare it on the line: respond: {code: 422}")
	assert.Empty(t, w.Left())
	assert.Empty(t, w.Seen("on store"), "no server is started for nothing")
	assert.Equal(t, history.Failed, load(t, c).End.Outcome)
}

// TestDeclined: an A/A run leaves out the objects that its release refuses, and reports
// each; in a run of the pair, an object that neither accepts is an error.
func TestDeclined(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, bothMake)
	p.AA = term.New
	c := config(t, w, p)
	w.Answer = refusingAt("", 422, oddSize)
	require.NoError(t, Run(runtest.Bounded(t), c))
	skips := load(t, c).Skips
	require.NotEmpty(t, skips)
	assert.Equal(t, "an A/A run leaves out objects that its release refuses: 422 to bystander.yaml", skips[0].Reason)
}

// TestTakenByOne: an object that one release accepts, and another refuses, is for the run
// to find; so are answers of a server in trouble, and declared ones.
func TestTakenByOne(t *testing.T) {
	t.Parallel()
	declared := strings.ReplaceAll(bothMake, "}\n- ", ", respond: {code: 422}}\n- ")
	for name, k := range map[string]struct {
		text, places string
		code         int
	}{
		"the old one refuses it":                    {bothMake, "scratch-old", 422},
		"the new one refuses it":                    {bothMake, "scratch-new", 422},
		"the new one refuses what it alone creates": {strings.Replace(bothMake, "- {create: x, via: old}\n", "", 1), "scratch-new", 422},
		"declared":                      {strings.Replace(declared, "via: new}", "via: new, respond: {code: 422}}", 1), "", 422},
		"declared of the old one alone": {declared, "scratch-old", 422},
		"in trouble":                    {bothMake, "scratch", 500},
	} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, k.text))
		w.Answer = refusingAt(k.places, k.code, oddSize)
		require.NoError(t, Run(runtest.Bounded(t), c), name)
		assert.NotEmpty(t, w.Seen("on store"), name)
	}
}

// TestTakenWithoutKnowing: the old release's acceptance proves nothing about a field that
// it drops: the file is wrong there.
func TestTakenWithoutKnowing(t *testing.T) {
	t.Parallel()
	for field, wrong := range map[string]bool{"spec.later": true, "spec.later[0].x": true, "spec.latest": false, "spec.size": false, "": false} {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, strings.Replace(bothMake, "bystander: bystander", "treated: treated", 1)))
		w.Answer = refusingAt("scratch-new", 422, strings.ReplaceAll(oddSize, "spec.size", field))
		var object *precheck.ObjectError
		assert.Equal(t, wrong, errors.As(Run(runtest.Bounded(t), c), &object), field)
		if wrong {
			assert.Contains(t, object.Error(), "v2, the only release that knows all its fields, refuses it with 422")
		}
	}
}

// TestAnswersAreKept for exactly the objects and the builds that they are about.
func TestAnswersAreKept(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "probes")
	asked := func(text string) []string {
		w := runtest.NewWorld(t)
		c := config(t, w, runtest.SmallPlan(t, text))
		c.Probes = dir
		require.NoError(t, Run(runtest.Bounded(t), c))
		return w.Seen("start scratch")
	}
	require.Len(t, asked(runtest.Small), 2)
	assert.Empty(t, asked(runtest.Small), "what was kept is read")
	assert.Empty(t, asked(strings.Replace(runtest.Small, "treated: treated.yaml, ", "", 1)), "fewer objects")
	assert.Empty(t, asked(strings.ReplaceAll(strings.ReplaceAll(runtest.Small, "{x:", "{y:"), ": x,", ": y,")), "under other names")
	other := asked(strings.Replace(runtest.Small, "treated.yaml", "other.yaml", 1))
	require.Len(t, other, 1, "what the new release takes, and knows all of, the old one is not asked about")
	assert.Contains(t, other[0], "scratch-new")
}
