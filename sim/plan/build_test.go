package plan_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestEqualInputsGiveEqualPlans builds often, for the order of a map is another
// each time.
func TestEqualInputsGiveEqualPlans(t *testing.T) {
	for name, text := range texts(t) {
		s := parse(t, name, text)
		for _, seed := range []int64{0, 7} {
			first := asJSON(t, build(t, s, seed))
			for range 50 {
				require.Equal(t, first, asJSON(t, build(t, s, seed)), "%s, seed %d", name, seed)
			}
		}
	}
}

func texts(t testing.TB) map[string]string {
	scenarioTexts, _ := fixtures(t)
	return scenarioTexts
}

func asJSON(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// TestSeedOnlyReorders holds that a seed plays the same steps in each stage, in
// another order.
func TestSeedOnlyReorders(t *testing.T) {
	moved := 0
	for name, text := range texts(t) {
		s := parse(t, name, text)
		plain, seeded := build(t, s, 0), build(t, s, 99)
		require.Len(t, seeded.Stages, len(plain.Stages))
		for i := range plain.Stages {
			before, after := unnumbered(t, plain.Stages[i]), unnumbered(t, seeded.Stages[i])
			assert.ElementsMatch(t, before, after, "%s: %s", name, plain.Stages[i].Name)
			if !slices.Equal(before, after) {
				moved++
			}
		}
		assert.Equal(t, plain.Copies, seeded.Copies)
		assert.Equal(t, int64(99), seeded.Seed)
	}
	assert.NotZero(t, moved, "the seed moved no step of any fixture")
}

func unnumbered(t testing.TB, s plan.Stage) []string {
	var all []string
	for _, step := range s.Steps {
		step.Number = 0
		all = append(all, asJSON(t, step))
	}
	return all
}

// TestSound holds what a run relies on, whatever the seed.
func TestSound(t *testing.T) {
	for name, text := range texts(t) {
		for _, seed := range []int64{0, 1, 2, 3} {
			p := build(t, parse(t, name, text), seed)
			for _, problem := range unsound(p) {
				t.Errorf("%s, seed %d: %s", name, seed, problem)
			}
		}
	}
}

// unsound lists what is wrong with a plan: numbers with a hole, a copy used
// before it is created, or twice by what does not follow, a step through a replica of another release,
// a write that reads through the same replica although there is another.
func unsound(p *plan.Plan) (problems []string) {
	created, used := map[string]bool{}, map[string]bool{}
	number := 0
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if number++; s.Number != number {
				problems = append(problems, "its number has a hole: "+s.String())
			}
			if s.Action != plan.Operate {
				continue
			}
			if problem := misplaced(stage, s); problem != "" {
				problems = append(problems, problem+": "+s.String())
			}
			if s.Birth {
				created[s.Copy] = true
				continue
			}
			if s.Copy != "" && (!created[s.Copy] || used[s.Copy] != s.Follows) {
				problems = append(problems, "uncreated, used twice, or followed by what is no follower: "+s.String())
			}
			used[s.Copy] = true
		}
	}
	return problems
}

// stageRole returns the release that a replica runs during the stage.
func stageRole(stage plan.Stage, replica string) term.Role {
	for _, r := range stage.Replicas {
		if r.Replica == replica {
			return r.Role
		}
	}
	return ""
}

func misplaced(stage plan.Stage, s plan.Step) string {
	if stageRole(stage, s.Via) != s.ViaRole {
		return "via a replica of another release"
	}
	if !s.Verb.Reads() {
		return ""
	}
	if stageRole(stage, s.Read) != s.ReadRole {
		return "reads from a replica of another release"
	}
	return ""
}

// TestUnsoundCanFail shows that unsound sees each mistake it is there for.
func TestUnsoundCanFail(t *testing.T) {
	const text = "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\njourney: [upgrade]\nplay:\n- {create: x, via: old}\n- {touch: x, via: old, at: old}\n"
	steps := func(p *plan.Plan) []plan.Step { return p.Stages[0].Steps }
	for name, damage := range map[string]func(*plan.Plan){
		"number":  func(p *plan.Plan) { steps(p)[4].Number = 40 },
		"via":     func(p *plan.Plan) { steps(p)[6].ViaRole = term.New },
		"read":    func(p *plan.Plan) { steps(p)[6].ReadRole = term.New },
		"replica": func(p *plan.Plan) { steps(p)[6].Via = "z" },
		"copy":    func(p *plan.Plan) { steps(p)[6].Copy = "other" },
	} {
		p := build(t, parse(t, "s", text), 0)
		require.Empty(t, unsound(p))
		damage(p)
		assert.Len(t, unsound(p), 1, name)
	}
}

// TestReadsElsewhere: where the stage has two replicas of the release that is
// read and written through, they are two.
func TestReadsElsewhere(t *testing.T) {
	const head = "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\njourney: [upgrade]\nreplicas: 3\nplay:\n- {create: x, via: old}\n"
	for line, want := range map[string]bool{
		"{touch: x, via: old, at: old}":                true,
		"{touch: x, via: old, read: b, at: old}":       true,
		"{touch: x, via: b, read: old, at: old}":       true,
		"{touch: x, via: new, read: [a, b, c]}":        true,
		"{touch: x, via: [a, b, c], read: new}":        true,
		"{touch: x, via: b, at: old}":                  false, // by default a replica reads what it writes
		"{touch: x, via: new, at: upgrading 1/3}":      false, // there is one only
		"{touch: x, via: a, read: new, at: upgrading}": true,  // in 2/3, not in 1/3
	} {
		elsewhere := false
		for _, stage := range build(t, parse(t, "s", head+"- "+line+"\n"), 0).Stages {
			for _, s := range stage.Steps {
				elsewhere = elsewhere || s.Verb == term.Put && s.Read != s.Via
				if want && s.Verb == term.Put && s.Read == s.Via {
					assert.Equal(t, 1, rolesOf(stage, s.ReadRole), "%s: %s: %s", line, stage.Name, s)
				}
			}
		}
		assert.Equal(t, want, elsewhere, line)
	}
}

func rolesOf(stage plan.Stage, role term.Role) int {
	n := 0
	for _, r := range stage.Replicas {
		if r.Role == role {
			n++
		}
	}
	return n
}

func TestJSONRoundTrip(t *testing.T) {
	for name, text := range texts(t) {
		p := build(t, parse(t, name, text), 5)
		raw := asJSON(t, p)
		var back plan.Plan
		require.NoError(t, json.Unmarshal([]byte(raw), &back))
		assert.Equal(t, p, &back, name)
		assert.Equal(t, raw, asJSON(t, &back), name)
	}
}

// TestIntegersKeepDigits: encoding/json alone would round them.
func TestIntegersKeepDigits(t *testing.T) {
	p := build(t, parse(t, "verbs", texts(t)["verbs"]), 0)
	var back plan.Plan
	require.NoError(t, json.Unmarshal([]byte(asJSON(t, p)), &back))
	size, _ := path.Parse(".spec.size")
	got, _ := path.Get(back.Manifests["treated.yaml"].Body, size)
	assert.Equal(t, int64(9007199254740993), got)
}

func TestNothingToObserve(t *testing.T) {
	const text = "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\njourney: [upgrade]\nplay:\n- {create: x, via: new, at: old}\n"
	p, err := plan.Build(parse(t, "s", text), pair, 0)
	assert.Nil(t, p)
	assert.EqualError(t, err, "s.yaml: play: no stage can create any object: nothing to observe; let a create line go through a release that its stage has")
}

// TestThenSkipped: of the lines that follow another, a combination that the stage cannot play
// is reported like that of any line, once; one that it can play does not hide it.
func TestThenSkipped(t *testing.T) {
	text := "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\nplay:\n- {create: x, via: old}\n- {touch: x, via: old, verb: [put, merge-patch], at: rolled-back, then: [{get: x, via: [old, new]}]}\n"
	p, err := plan.Build(parse(t, "s", text), pair, 0)
	require.NoError(t, err)
	require.Len(t, p.Skipped, 1)
	assert.Equal(t, "rolled-back", p.Skipped[0].Stage)
	assert.Contains(t, p.Skipped[0].Cell, "get x")
	p, err = plan.Build(parse(t, "s", strings.Replace(text, "[old, new]}]", "old}]", 1)), pair, 0)
	require.NoError(t, err)
	assert.Empty(t, p.Skipped)
}

// TestThenLater: a line that follows another is played on the same copy, at the later stage that
// it names; one that names no later stage is skipped with the line.
func TestThenLater(t *testing.T) {
	text := "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\nplay:\n- {create: x, via: old}\n- {touch: x, via: new, verb: put, at: new, then: [{touch: x, via: old, verb: put, at: rolled-back}]}\n"
	p, err := plan.Build(parse(t, "s", text), pair, 0)
	require.NoError(t, err)
	assert.Empty(t, p.Skipped)
	at := map[string]string{} // the stages of each copy's writes
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if s.Verb == term.Put && s.Via != "" && strings.Contains(s.Copy, "treated") {
				at[s.Copy] += stage.Name + ";"
			}
		}
	}
	assert.Equal(t, map[string]string{"x-treated-001": "new;rolled-back;"}, at)
	_, err = plan.Build(parse(t, "s", strings.Replace(text, "at: rolled-back", "at: old", 1)), pair, 0)
	assert.EqualError(t, err, `s.yaml: play[1].then[0].at[0]: "old" can never be played: it names no stage after the line before it`)
}

// TestThenAtStages: each stage that a line names which follows another is played, on copies of their own; one
// that can never be played is refused, by its place, and not left out.
func TestThenAtStages(t *testing.T) {
	text := "name: s\nabout: x\nobjects: {x: {treated: treated.yaml}}\nplay:\n- {create: x, via: old}\n- {touch: x, via: new, verb: put, at: upgrading, then: [{touch: x, via: old, verb: put, at: STAGES}]}\n"
	played := func(stages string) ([]string, error) {
		p, err := plan.Build(parse(t, "s", strings.Replace(text, "STAGES", stages, 1)), pair, 0)
		if err != nil {
			return nil, err
		}
		at := map[string]string{}
		for _, stage := range p.Stages {
			for _, s := range stage.Steps {
				if s.Verb == term.Put && strings.Contains(s.Copy, "treated") {
					at[s.Copy] += stage.Name + ";"
				}
			}
		}
		return slices.Sorted(maps.Values(at)), nil
	}
	got, err := played("[rolling-back, rolled-back]")
	require.NoError(t, err)
	assert.Equal(t, []string{"upgrading 1/2;rolled-back;", "upgrading 1/2;rolling-back 1/2;"}, got)
	_, err = played("[new, rolling-back, rolled-back]")
	assert.EqualError(t, err, `s.yaml: play[1].then[0].at[0]: "new" can never be played: no replica runs the old release`)
}

// TestSurge: each replica keeps its release, joins and leaves, and serves alone between roll-outs.
func TestSurge(t *testing.T) {
	for name, text := range texts(t) {
		if strings.Contains(text, "replicas:") {
			continue
		}
		s := parse(t, name, text)
		plain := build(t, s, 0)
		s.Surge = true
		p := build(t, s, 0)
		require.Len(t, p.Stages, len(plain.Stages))
		for i, stage := range p.Stages {
			assert.Equal(t, plain.Stages[i].Name, stage.Name)
			for _, r := range stage.Replicas {
				assert.Equal(t, map[string]term.Role{"a": p.Stages[0].Replicas[0].Role, "b": p.Stages[0].Replicas[0].Role.Other()}[r.Replica], r.Role)
			}
			assert.Len(t, stage.Replicas, 1+i%2, stage.Name)
		}
	}
}
