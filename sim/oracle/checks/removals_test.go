package checks_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// restores puts back what an update takes out of a member of .spec.
func restores(t *testing.T, name string) oracletest.Behaviour {
	at := oracletest.Path(t, ".spec."+name)
	return oracletest.Behaviour{Clear: func(now, was oracletest.Object) {
		if _, has := path.Get(now, at); was != nil && !has {
			if v, had := path.Get(was, at); had {
				assert.NoError(t, path.Set(now, at, v))
			}
		}
	}}
}

// bare records the create, as a dry run, of a copy without what a step was to remove.
func bare(run *oracletest.Run, step int, code int, spec string) {
	x := history.Exchange{Method: "POST", Code: code}
	if x.Succeeded() {
		x.Answer = run.Blob(oracletest.Object{"apiVersion": "example.dev/v1", "kind": "Widget", "metadata": oracletest.Object{"name": "bare"}, "spec": oracletest.Parse(run.T, spec)})
	}
	run.History.Operations = append(run.History.Operations, history.Operation{Step: step, Purpose: history.Bare, Replica: "a", Role: run.Serving["a"], Exchange: x})
}

// resize patches a copy through a subresource that is neither its status nor its scale.
func resize(run *oracletest.Run, name string, all ...oracletest.Option) int {
	step := run.Patch(name, all...)
	run.PlannedStep(step).Subresource = "resize"
	return step
}

const removable = `{"colour": "red", "size": "1", "grain": "fine"}`

// TestRemovalIsOwed: an operation that names a path, takes the value away and is answered
// with success must not leave it where it was; a default may take its place.
func TestRemovalIsOwed(t *testing.T) {
	const kept = `nothing-lost violation rule-2 dropped unattributed treated-1 .spec.size in step 4 (upgrading 1/2)`
	for name, c := range map[string]struct {
		field         string
		code          int // of the create without the value; 0: no such create
		bare          string
		prepare       func(*oracletest.Run)
		want          []string
		indeterminate int
	}{
		"restored from the object":          {field: "size", code: 201, bare: `{"colour": "red"}`, want: []string{kept}},
		"required, and restored":            {field: "size", code: 422, want: []string{kept}},
		"a default that nothing publishes":  {field: "size", code: 201, bare: `{"colour": "red", "size": "1"}`},
		"the published default":             {field: "grain"},
		"nobody asked whether it is filled": {field: "size"},
		"the create met something else":     {field: "size", code: 409, indeterminate: 1},
		"related, and not all named": {field: "size", code: 201, bare: `{"colour": "red"}`, prepare: func(run *oracletest.Run) {
			run.History.Header.Plan.Related = [][]string{{".spec.size", ".spec.colour"}}
		}},
	} {
		for verb, play := range map[string]func(*oracletest.Run, string, ...oracletest.Option) int{
			"put": (*oracletest.Run).Put, "merge patch": (*oracletest.Run).Patch, "merge patch of a subresource": resize,
		} {
			t.Run(name+", "+verb, func(t *testing.T) {
				run := oracletest.NewMixed(t)
				run.Behave(term.New, restores(t, c.field))
				run.Create("treated-1", removable)
				if c.prepare != nil {
					c.prepare(run)
				}
				step := play(run, "treated-1", oracletest.Set(".spec."+c.field, nil))
				if c.code > 0 {
					bare(run, step, c.code, c.bare)
				}
				run.Observe()
				res := run.ExpectFindings(c.want...)
				assert.Equal(t, c.indeterminate, oracletest.Check(t, res, term.CheckNothingLost).Indeterminate)
			})
		}
	}
}

// TestRemovalIsDone: what is taken away is gone, or another value is filled in.
func TestRemovalIsDone(t *testing.T) {
	for name, m := range map[string]oracletest.Behaviour{
		"gone":                       {},
		"another value is filled in": {Default: oracletest.Fill(t, "size", "7")},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Behave(term.New, m)
			run.Create("treated-1", removable)
			bare(run, run.Patch("treated-1", oracletest.Set(".spec.size", nil)), 201, `{"colour": "red"}`)
			run.Observe()
			run.ExpectFindings()
		})
	}
}

// TestRemovalOfTheChange: a value of the change that cannot be taken away breaks rule-4.
func TestRemovalOfTheChange(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Behave(term.New, restores(t, "shine"))
	run.Create("treated-1", oracletest.ShineSpec)
	bare(run, run.Patch("treated-1", oracletest.Set(".spec.shine", nil)), 201, `{}`)
	run.Observe()
	res := run.ExpectFindings(`nothing-lost violation rule-4 dropped unattributed treated-1 .spec.shine in step 4 (upgrading 1/2)`)
	assert.Equal(t, res.Findings[0].Before, res.Findings[0].After)
}
