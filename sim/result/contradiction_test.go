package result_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// judgedCheck is a check with its verdict and counts.
func judgedCheck(name term.CheckName, v term.VerdictWord, judged, findings int) result.Check {
	return result.Check{Name: name, Verdict: v, Judged: judged, Findings: findings}
}

func resultWith(v term.VerdictWord, findings []result.Finding, checks ...result.Check) result.Result {
	return result.Result{Scenario: "x", Verdict: v, Releases: []string{"v1.0.0", "v1.1.0"}, Findings: findings, Checks: checks}
}

// A finding of each kind that a verdict depends on.
var (
	expectedOne = []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact, Expected: true, Expectation: 1}}
	ofAnOrder   = []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact, Expected: true, Order: 3}}
	oneImpact   = []result.Finding{{Check: term.CheckNothingLost, Class: term.Impact}}
	oneBroken   = []result.Finding{{Check: term.CheckNothingLost, Class: term.Violation}}
)

// TestContradictionsOfNone: a result of each verdict, as the oracle gives them, has none.
func TestContradictionsOfNone(t *testing.T) {
	lost, decodes := term.CheckNothingLost, term.CheckEverythingDecodes
	pass := judgedCheck(decodes, term.Pass, 3, 0)
	missed := resultWith(term.Fail, nil, judgedCheck(lost, term.Fail, 3, 0))
	missed.Missing = []result.Missing{{}}
	missed.Missing[0].Expectation.Check = lost
	notApplicable := resultWith(term.Fail, nil, pass, judgedCheck(lost, term.NotApplicable, 0, 0))
	notApplicable.Expired = []result.Expired{{}}
	notApplicable.Expired[0].Expectation.Check = lost
	caught := resultWith(term.Fail, oneBroken, judgedCheck(lost, term.Fail, 3, 1), pass)
	caught.Mutant = &result.Mutant{Seen: 1, Caught: true}
	indeterminate := judgedCheck(lost, term.Unknown, 3, 1)
	indeterminate.Indeterminate = 2
	early := resultWith(term.Unknown, nil, judgedCheck(lost, term.Unknown, 0, 0))
	early.Releases = nil
	built := resultWith(term.Pass, nil, pass)
	built.Builds = []result.Build{{Role: term.New}, {Role: term.Old}}
	for name, res := range map[string]result.Result{
		"pass, nothing found":           resultWith(term.Pass, nil, judgedCheck(lost, term.Pass, 3, 0)),
		"pass, what was expected":       resultWith(term.Pass, expectedOne, judgedCheck(lost, term.Pass, 3, 1)),
		"pass, an order's impact":       resultWith(term.Pass, ofAnOrder, judgedCheck(lost, term.Pass, 3, 1)),
		"pass, one is not applicable":   resultWith(term.Pass, nil, pass, judgedCheck(lost, term.NotApplicable, 0, 0)),
		"pass, none is applicable":      resultWith(term.Pass, nil, judgedCheck(lost, term.NotApplicable, 0, 0)),
		"unknown, none is applicable":   resultWith(term.Unknown, nil, judgedCheck(lost, term.NotApplicable, 0, 0)),
		"impacts":                       resultWith(term.Impacts, oneImpact, judgedCheck(lost, term.Impacts, 3, 1), pass),
		"fail, a violation":             resultWith(term.Fail, oneBroken, judgedCheck(lost, term.Fail, 3, 1), pass),
		"fail, an impact":               resultWith(term.Fail, oneImpact, judgedCheck(lost, term.Fail, 3, 1), pass),
		"fail, missing":                 missed,
		"fail, expired, not applicable": notApplicable,
		"fail, a mutant":                caught,
		"fail, and one is unknown":      resultWith(term.Fail, oneBroken, judgedCheck(lost, term.Fail, 3, 1), judgedCheck(decodes, term.Unknown, 0, 0)),
		"unknown, judged nothing":       resultWith(term.Unknown, nil, judgedCheck(lost, term.Unknown, 0, 0), pass),
		"unknown, beside impacts":       resultWith(term.Unknown, oneImpact, indeterminate, pass),
		"unknown, no release was ready": early,
		"pass, with both builds":        built,
		"unknown, a damaged history":    resultWith(term.Unknown, oneBroken, judgedCheck(lost, term.Fail, 3, 1)),
	} {
		assert.NoError(t, res.Contradictions(), name)
	}
}

// changed is a result without contradictions, with a change.
func changed(change func(*result.Result)) result.Result {
	r := resultWith(term.Pass, slices.Clone(expectedOne), judgedCheck(term.CheckNothingLost, term.Pass, 3, 1))
	change(&r)
	return r
}

// TestContradictions: a result with a part that another contradicts is refused, and the
// part is named.
func TestContradictions(t *testing.T) {
	lost, decodes := term.CheckNothingLost, term.CheckEverythingDecodes
	pass, failed := judgedCheck(lost, term.Pass, 3, 0), judgedCheck(lost, term.Fail, 3, 1)
	indeterminate, missing, expired, mutant := pass, resultWith(term.Pass, nil, pass), resultWith(term.Pass, nil, pass), resultWith(term.Fail, oneBroken, failed)
	indeterminate.Indeterminate = 1
	missing.Missing, expired.Expired = []result.Missing{{}}, []result.Expired{{}}
	mutant.Mutant = &result.Mutant{Seen: 0, Caught: true}
	for name, c := range map[string]struct {
		res  result.Result
		part string
	}{
		"pass, unexpected":             {resultWith(term.Pass, oneBroken, judgedCheck(lost, term.Pass, 3, 1)), "checks: nothing-lost"},
		"pass, an unexpected impact":   {resultWith(term.Pass, oneImpact, judgedCheck(lost, term.Pass, 3, 1)), "checks: nothing-lost"},
		"pass, a check fails":          {resultWith(term.Pass, oneBroken, failed), "verdict"},
		"pass, a check is unknown":     {resultWith(term.Pass, nil, judgedCheck(lost, term.Unknown, 0, 0)), "verdict"},
		"pass, a check has impacts":    {resultWith(term.Pass, oneImpact, judgedCheck(lost, term.Impacts, 3, 1)), "verdict"},
		"pass, missing":                {missing, "verdict"},
		"pass, expired":                {expired, "verdict"},
		"impacts, none applies":        {resultWith(term.Impacts, nil, judgedCheck(lost, term.NotApplicable, 0, 0)), "verdict"},
		"no checks":                    {resultWith(term.Pass, nil), "checks"},
		"no checks, failed":            {resultWith(term.Fail, oneBroken), "checks"},
		"judged nothing":               {resultWith(term.Pass, nil, judgedCheck(lost, term.Pass, 0, 0)), "checks: nothing-lost"},
		"could not tell":               {resultWith(term.Pass, nil, indeterminate), "checks: nothing-lost"},
		"another count":                {resultWith(term.Pass, expectedOne, pass), "checks: nothing-lost"},
		"a negative count":             {resultWith(term.Unknown, nil, judgedCheck(lost, term.Unknown, -1, 0)), "checks: nothing-lost"},
		"of no check":                  {resultWith(term.Pass, expectedOne, judgedCheck(decodes, term.Pass, 3, 0)), "findings: 1 are of nothing-lost"},
		"expected by nothing":          {resultWith(term.Pass, []result.Finding{{Check: lost, Class: term.Impact, Expected: true}}, judgedCheck(lost, term.Pass, 3, 1)), "findings: 1 are expected"},
		"an order's violation":         {resultWith(term.Pass, []result.Finding{{Check: lost, Class: term.Violation, Expected: true, Order: 3}}, judgedCheck(lost, term.Pass, 3, 1)), "findings: 1 are expected"},
		"twice":                        {resultWith(term.Pass, nil, pass, pass), "checks: nothing-lost"},
		"not applicable, and judged":   {resultWith(term.Pass, nil, judgedCheck(decodes, term.Pass, 3, 0), judgedCheck(lost, term.NotApplicable, 3, 0)), "checks: nothing-lost"},
		"fail, nothing failed":         {resultWith(term.Fail, nil, pass), "verdict"},
		"fail, a check with no reason": {resultWith(term.Fail, nil, judgedCheck(lost, term.Fail, 3, 0)), "checks: nothing-lost"},
		"impacts, a violation":         {resultWith(term.Impacts, oneBroken, judgedCheck(lost, term.Impacts, 3, 1)), "checks: nothing-lost"},
		"impacts, none":                {resultWith(term.Impacts, nil, judgedCheck(lost, term.Impacts, 3, 0)), "checks: nothing-lost"},
		"impacts, nothing has any":     {resultWith(term.Impacts, nil, pass), "verdict"},
		"unknown, a violation":         {resultWith(term.Unknown, oneBroken, judgedCheck(lost, term.Unknown, 3, 1)), "checks: nothing-lost"},
		"unknown, everything passed":   {resultWith(term.Unknown, nil, pass), "verdict"},
		"no verdict":                   {resultWith(term.Pass, nil, judgedCheck(lost, "fine", 3, 0)), "checks: nothing-lost"},
		"a run that does not apply":    {resultWith(term.NotApplicable, nil, pass), "verdict"},
		"a mutant caught by nothing":   {mutant, "mutant"},
		"no releases":                  {changed(func(r *result.Result) { r.Releases = nil }), "releases"},
		"one release":                  {changed(func(r *result.Result) { r.Releases = r.Releases[:1] }), "releases"},
		"one release, unknown":         {changed(func(r *result.Result) { r.Verdict, r.Releases = term.Unknown, r.Releases[:1] }), "releases"},
		"three releases":               {changed(func(r *result.Result) { r.Releases = append(r.Releases, "v1.2.0") }), "releases"},
		"a release of no name":         {changed(func(r *result.Result) { r.Releases[0] = "" }), "releases"},
		"one build":                    {changed(func(r *result.Result) { r.Builds = []result.Build{{Role: term.Old}} }), "builds"},
		"builds of one release":        {changed(func(r *result.Result) { r.Builds = []result.Build{{Role: term.Old}, {Role: term.Old}} }), "builds"},
		"of no scenario":               {changed(func(r *result.Result) { r.Scenario = "" }), "scenario"},
		"a class of its own":           {changed(func(r *result.Result) { r.Findings[0].Class = "nice" }), "findings"},
		"a state of its own":           {changed(func(r *result.Result) { r.Findings[0].Outcome = "fine" }), "findings"},
		"a cause of its own":           {changed(func(r *result.Result) { r.Findings[0].Cause = "bad luck" }), "findings"},
		"a check of its own":           {changed(func(r *result.Result) { r.Checks[0].Name, r.Findings[0].Check = "mine", "mine" }), "checks"},
		"fewer than no requests":       {changed(func(r *result.Result) { r.Counts.Operations = -1 }), "counts"},
		"less than no time":            {changed(func(r *result.Result) { r.Timing.Starts = -0.1 }), "timing"},
		"a step before the first":      {changed(func(r *result.Result) { r.Findings[0].Step = -4 }), "findings"},
		"a line before the first":      {changed(func(r *result.Result) { r.Missing = []result.Missing{{Place: -1}} }), "missing"},
		"skipped before the first":     {changed(func(r *result.Result) { r.Skipped = []result.Skip{{Step: -1}} }), "skipped"},
	} {
		err := c.res.Contradictions()
		if assert.Error(t, err, name) {
			assert.Contains(t, err.Error(), c.part, name)
		}
	}
}
