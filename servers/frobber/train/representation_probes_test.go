package train_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// representationProbes are the guide's requirements for values with more than one
// representation, and for defaults.
func representationProbes() map[string]probe {
	const named = `{"height": 10, "heightInInches": 10, "width": 5, "widthInInches": 5}`
	const oaken = `{"width": 1, "material": "oak", "materials": [{"name": "oak", "percent": 60}, {"name": "tin", "percent": 40}]}`
	turnedInto := func(was, sent string, what func(*api.Spec) any) probe {
		return func(t testing.TB, r *release.Release) string {
			f := replaced(t, r, was, sent)
			raw, err := json.Marshal(what(&f.Spec))
			require.NoError(t, err)
			return string(raw) + change(r, f, load(t, r, was))
		}
	}
	sizes := func(s *api.Spec) any { return []any{s.Height, s.HeightInInches, s.Width, s.WidthInInches} }
	powers := func(s *api.Spec) any { return s.Power }
	return map[string]probe{
		"a width that is not set": func(t testing.TB, r *release.Release) string {
			raw, err := json.Marshal(v6Of(t, r).New())
			require.NoError(t, err)
			return fmt.Sprint(strings.Contains(string(raw), `"width":null`))
		},
		"a height, by its former name": turnedInto(named, strings.Replace(named, "10", "13", 1), sizes),
		"a width of 0, beside inches":  turnedInto(named, strings.Replace(named, `"width": 5`, `"width": 0`, 1), sizes),
		"a power of none":              turnedInto(`{"width": 1, "power": {}}`, `{"width": 1, "power": {}}`, powers),
		"a manual power":               turnedInto(`{"width": 1}`, `{"width": 1, "power": {"manual": {"hands": 2}}}`, powers),
		"two powers":                   turnedInto(`{"width": 1}`, `{"width": 1, "power": {"manual": {}, "motor": {}}}`, func(*api.Spec) any { return nil }),
		"a material alone":             turnedInto(oaken, strings.Replace(oaken, "oak", "tin", 1), func(s *api.Spec) any { return s.Materials }),
		"the colour of what has none":  turnedInto(`{"width": 1}`, `{"width": 1}`, func(s *api.Spec) any { return s.Colour }),
		"the parts of what is painted": turnedInto(`{"width": 1}`, `{"width": 1, "colour": "red"}`, func(s *api.Spec) any { return s.Parts }),
	}
}

// representationMistakes are the probes that their mutants answer differently.
func representationMistakes() map[string][]string {
	return map[string][]string{
		"1.7+drift":     {"a height, by its former name", "a width of 0, beside inches"},
		"1.7+fails":     {"a height, by its former name", "a width of 0, beside inches"},
		"1.7+new-wins":  {"a height, by its former name", "a width of 0, beside inches"},
		"1.7+zero":      {"a 0 that was sent", "a width of 0, beside inches"},
		"1.13+closed":   {"a power of none"},
		"1.14+both":     {"two powers"},
		"1.14+removed":  {"a manual power", "two powers"},
		"1.16+apart":    {"a material alone"},
		"1.16+new-only": {"what a version forgets"},
		"1.17+another":  {"depth by the annotation", "depth by the field", "spins by both", "the colour of what has none", "what an old object means"},
		"1.17+new-only": {"a body without spin", "a wrong annotation", "a wrong glow, gate off", "the colour of what has none", "what a version forgets"},
		"1.17+unstable": {"the parts of what is painted", "what a version forgets"},
	}
}

// load returns a stored object as a release reads it.
func load(t testing.TB, r *release.Release, spec string) *api.Frobber {
	f := read(t, r, spec)
	for _, rule := range r.Rules {
		if rule.Read != nil {
			rule.Read(f)
		}
	}
	return f
}

// replaced returns an object after an update by one with another spec.
func replaced(t testing.TB, r *release.Release, was, sent string) *api.Frobber {
	old, f := load(t, r, was), read(t, r, sent)
	for _, rule := range r.Rules {
		if rule.PrepareForUpdate != nil {
			rule.PrepareForUpdate(on, f, old)
		}
	}
	return f
}

// change returns the errors of an update, except those for a missing colour: these occur for
// all objects, and the probe of the colour shows why.
func change(r *release.Release, f, old *api.Frobber) string {
	text := validate(r, f)
	for _, rule := range r.Rules {
		if rule.ValidateUpdate != nil {
			text += fmt.Sprint(rule.ValidateUpdate(on, f, old).Filter(func(err error) bool { return strings.Contains(err.Error(), "spec.colour") }))
		}
	}
	return strings.NewReplacer("[]", "", "<nil>", "").Replace(text)
}

// TestRepresentations: the answers of the correct releases, so that no mutant is correct by
// accident.
func TestRepresentations(t *testing.T) {
	newest := find(t, "1.17")
	for name, want := range map[string]string{
		"a width that is not set":      "false",
		"a height, by its former name": "[13,13,5,5]",
		"a width of 0, beside inches":  "[10,10,0,0]",
		"a power of none":              `{"Manual":null,"Motor":null,"Solar":null}`,
		"a manual power":               `{"Manual":{"Hands":2},"Motor":null,"Solar":null}`,
		"two powers":                   "null[spec.power: Forbidden: at most one member may be set]",
		"a material alone":             `[{"Name":"tin","Percent":100}]`,
		"the colour of what has none":  `"plain"`,
		"the parts of what is painted": "null",
	} {
		assert.Equal(t, want, representationProbes()[name](t, newest), name)
	}
}

// TestMaterialsSum: percents cannot overflow to 100.
func TestMaterialsSum(t *testing.T) {
	r := find(t, "1.16")
	for _, last := range []int64{102, 100} { // 102: they are 100 in 32 bits
		spec := fmt.Sprintf(`{"width": 1, "material": "oak", "materials": [{"name": "oak", "percent": 2147483647}, {"name": "tin", "percent": 2147483647}, {"name": "lead", "percent": %d}]}`, last)
		assert.Contains(t, validate(r, read(t, r, spec)), fmt.Sprintf("Invalid value: %d: must make 100 percent", 2*2147483647+last))
	}
	right := `{"width": 1, "material": "oak", "materials": [{"name": "oak", "percent": 60}, {"name": "tin", "percent": 40}]}`
	assert.NotContains(t, validate(r, read(t, r, right)), "materials")
}
