package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
)

// TestCompare: what an earlier preflight has is not new, for other Pods of the same owner and other
// patch releases either; a worse class, another path, direction or pair of releases is.
func TestCompare(t *testing.T) {
	hop := func(from, to string, all ...Finding) Hop {
		return Hop{From: Build{Version: from}, To: Build{Version: to}, Findings: all}
	}
	find := func(c term.Outcome, name, owner, path string) Finding {
		return Finding{Outcome: c, Direction: Up, Kind: "Pod", Namespace: "ns", Name: name, Owner: owner, Path: path}
	}
	before := Result{Hops: []Hop{hop("v1.36.2", "v1.37.0",
		find(term.Frozen, "a", "", ".x"), find(term.Lost, "b", "", ".x"), find(term.Frozen, "web-1", "Deployment web", ".x"), find(term.Frozen, "gone", "", ".x"),
	)}}
	elsewhere := find(term.Frozen, "a", "", ".x")
	elsewhere.Direction = Back
	now := Result{Hops: []Hop{
		hop("v1.36.3", "v1.37.2", find(term.Frozen, "a", "", ".x"), find(term.Frozen, "b", "", ".x"), find(term.Frozen, "web-2", "Deployment web", ".x"), find(term.Frozen, "a", "", ".y"), elsewhere),
		hop("v1.37.2", "v1.38.0", find(term.Frozen, "a", "", ".x")),
	}}
	now.Compare("preflight.json", before)
	var earlier []bool
	for _, h := range now.Hops {
		for _, f := range h.Findings {
			earlier = append(earlier, f.Earlier)
			assert.NotEqual(t, f.Earlier, f.Fails())
		}
	}
	assert.Equal(t, []bool{true, false, true, false, false, false}, earlier)
	assert.Equal(t, &Since{File: "preflight.json", New: 4, Gone: 1}, now.Since)
	now.Ended = "interrupted"
	now.Compare("preflight.json", before)
	assert.Equal(t, &Since{File: "preflight.json", New: 4}, now.Since, "what was not played is not gone")
	assert.Len(t, now.Failing(Up), 3)
	assert.Len(t, now.Failing(Back), 1)
}

// TestFails: what blocks fails, unless it is accepted or known.
func TestFails(t *testing.T) {
	for _, c := range Outcomes() {
		assert.Equal(t, GradeOf(c) == Blocked, Finding{Outcome: c}.Fails(), c)
		assert.False(t, Finding{Outcome: c, Accepted: "sig-a"}.Fails(), c)
		assert.False(t, Finding{Outcome: c, Earlier: true}.Fails(), c)
	}
}

// TestUnplayed: what was not played to its end is not played, in any hop; the way up of a rollback is not
// asked for.
func TestUnplayed(t *testing.T) {
	kinds := []Kind{{Kind: "A", Objects: 1}}
	whole, part := Hop{Kinds: kinds, Phases: []Phase{{Name: PhaseAlone}, {Name: PhaseWritten}}}, Hop{Kinds: kinds, Phases: []Phase{{Name: PhaseAlone}}}
	for name, c := range map[string]struct {
		result   Result
		up, back bool
	}{
		"nothing":  {Result{}, true, true},
		"whole":    {Result{Hops: []Hop{whole}}, false, false},
		"part":     {Result{Hops: []Hop{whole, part}}, false, true},
		"ended":    {Result{Hops: []Hop{whole}, Ended: "interrupted"}, true, true},
		"rollback": {Result{Hops: []Hop{{Rollback: true, Kinds: kinds, Phases: whole.Phases}}}, false, false},
	} {
		assert.Equal(t, c.up, c.result.Unplayed(Up), name)
		assert.Equal(t, c.back, c.result.Unplayed(Back), name)
	}
}

// TestSaid: a result that ended before anything was played says nothing; one with a finding, or played to its
// end, does.
func TestSaid(t *testing.T) {
	assert.False(t, Result{Ended: "x", Hops: []Hop{{}}}.Said())
	assert.True(t, Result{Ended: "x", Hops: []Hop{{Baseline: []Finding{{Outcome: term.NotReady}}}}}.Said())
	assert.True(t, Result{Ended: "x", Hops: []Hop{{Phases: []Phase{{Name: PhaseBaseline}}}}}.Said())
	assert.True(t, Result{SchemaVersion: SchemaVersion}.Said())
	assert.False(t, Result{}.Said(), "nothing was begun")
}
