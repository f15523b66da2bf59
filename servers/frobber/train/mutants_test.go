package train_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// probe is a question to a release; tests compare the answers of two releases.
type probe func(testing.TB, *release.Release) string

// probes are the guide's requirements for the train's changes.
func probes() map[string]probe {
	all := map[string]probe{
		"a body without what is new": func(t testing.TB, r *release.Release) string {
			return validate(r, read(t, r, `{"height": 3, "param": "a"}`))
		},
		"what an old object means": func(t testing.TB, r *release.Release) string {
			return fmt.Sprint(read(t, r, `{"height": 3, "param": "a"}`).Status.Area)
		},
		"a 0 that was sent": func(t testing.TB, r *release.Release) string {
			return value(read(t, r, `{"height": 3, "param": "a", "width": 0}`).Spec.Width)
		},
		"an old value": func(t testing.TB, r *release.Release) string {
			return read(t, r, `{"height": 3, "param": "Super"}`).Spec.Param
		},
		"a tall object": func(t testing.TB, r *release.Release) string {
			return validate(r, read(t, r, `{"height": 120, "param": "a", "width": 1}`))
		},
		"a wrong object": func(t testing.TB, r *release.Release) string {
			return validate(r, read(t, r, `{"height": -1, "width": -1, "angle": 360, "parts": [{}, {}]}`))
		},
		"angle on create, gate off": func(t testing.TB, r *release.Release) string { return created(t, r, off) },
		"angle on create, gate on":  func(t testing.TB, r *release.Release) string { return created(t, r, on) },
		"angle on update, gate off": func(t testing.TB, r *release.Release) string { return updated(t, r, 30, off) },
		"new angle, gate off":       func(t testing.TB, r *release.Release) string { return updated(t, r, 0, off) },
		"new angle, gate on":        func(t testing.TB, r *release.Release) string { return updated(t, r, 0, on) },
		"the width's tag": func(t testing.TB, r *release.Release) string {
			all := publishedBy(*v6Of(t, r))
			return all[slices.IndexFunc(all, func(f published) bool { return f.name == "width" })].number
		},
		"what a version forgets": func(t testing.TB, r *release.Release) string { return fmt.Sprint(lossyRoads(t, r, 5)) },
		"what is stored":         func(_ testing.TB, r *release.Release) string { return r.Storage },
		"what is served":         func(_ testing.TB, r *release.Release) string { return fmt.Sprint(served(r)) },
		"gates":                  func(_ testing.TB, r *release.Release) string { return fmt.Sprint(r.Gates) },
	}
	maps.Copy(all, alphaFieldProbes())
	maps.Copy(all, versionProbes())
	maps.Copy(all, representationProbes())
	maps.Copy(all, policyProbes())
	maps.Copy(all, pluralProbes())
	maps.Copy(all, hookProbes())
	return all
}

func served(r *release.Release) (names []string) {
	for _, v := range r.Versions {
		if !v.Disabled {
			names = append(names, v.Name)
		}
	}
	return names
}

// read returns a stored v6 object with this spec as a release reads it.
func read(t testing.TB, r *release.Release, spec string) *api.Frobber {
	t.Helper()
	o := v6Of(t, r).New()
	if err := json.Unmarshal([]byte(`{"spec": `+spec+`}`), o); err != nil { // in a mutant
		return &api.Frobber{Spec: api.Spec{Param: err.Error()}}
	}
	f := internal(r, o)
	for _, rule := range r.Rules {
		if rule.Observe != nil {
			rule.Observe(f)
		}
	}
	return f
}

func value(p *int32) string {
	if p == nil {
		return "none"
	}
	return fmt.Sprint(*p)
}

func on(featuregate.Feature) bool  { return true }
func off(featuregate.Feature) bool { return false }

// validate returns the errors of all rules, as text.
func validate(r *release.Release, f *api.Frobber) string {
	var all field.ErrorList
	for _, rule := range r.Rules {
		if rule.Validate != nil {
			all = append(all, rule.Validate(on, f)...)
		}
	}
	return fmt.Sprint([]*field.Error(all))
}

func created(t testing.TB, r *release.Release, gates release.Gates) string {
	f := read(t, r, `{"height": 3, "angle": 30}`)
	for _, rule := range r.Rules {
		if rule.PrepareForCreate != nil {
			rule.PrepareForCreate(gates, f)
		}
	}
	return value(f.Spec.Angle)
}

// updated returns the angle after an update of an object with an angle, or without (0).
func updated(t testing.TB, r *release.Release, had int32, gates release.Gates) string {
	old := read(t, r, `{"height": 3}`)
	if had > 0 {
		old.Spec.Angle = &had
	}
	f := read(t, r, `{"height": 3, "angle": 30}`)
	for _, rule := range r.Rules {
		if rule.PrepareForUpdate != nil {
			rule.PrepareForUpdate(gates, f, old)
		}
	}
	return value(f.Spec.Angle)
}

// TestMutants: each mutant differs from its correct release in its mistake, and in no other
// probe.
func TestMutants(t *testing.T) {
	mistakes := map[string][]string{
		"1.1+meaning":   {"what an old object means"},
		"1.1+refuses":   {"a tall object"},
		"1.1+null":      {"a width that is not set"},
		"1.1+required":  {"a body without what is new", "a width that is not set"},
		"1.1+rewrites":  {"an old value"},
		"1.1+value":     {"a 0 that was sent", "a width of 0, beside inches"},
		"1.2+clears":    {"angle on update, gate off"},
		"1.2+tag":       {"the width's tag"},
		"1.3+forgets":   {"what a version forgets"},
		"1.3+preferred": {"what is read from the store", "what is served"},
		"1.3+stored":    {"what is stored"},
		"1.3+swaps":     {"what a version forgets"},
		"1.4+removed":   {"what is read from the store", "what is served"},
		"1.4+unserved":  {"what is served"},
		"1.28+stored":   {"what is stored"},
		"1.28+unparked": {"what a version forgets"},
		"1.29+removed":  {"what is read from the store"},
		"1.30+another":  {"what is read from the store", "what is served"},
		"1.17+clears":   {"angle on update, gate off"},
		"1.18+clears":   {"angle on update, gate off"},
		"1.18+early":    {"angle on create, gate off", "new angle, gate off"},
		"1.18+schema": {
			"a wrong object", "angle on create, gate on", "angle on update, gate off", "new angle, gate on", "what a version forgets",
		},
		"1.19+forgotten":   {"angle on create, gate off", "angle on create, gate on", "new angle, gate off", "new angle, gate on"},
		"1.20+create":      {"glow on create, gate off"},
		"1.20+early":       {"glow on create, gate on"},
		"1.20+unmarked":    {"how far fields have come"},
		"1.20+unvalidated": {"a wrong glow, gate off"},
		"1.22+name":        {"a wrong glow, gate off", "what a version forgets", "what glowed in 1.20, in JSON"},
		"1.22+retag":       {"what glowed in 1.20, in protobuf"},
		"1.22+wire":        {"what a version forgets", "what glowed in 1.20, in protobuf"},
		"1.23+status":      {"who sets the annotation"},
		"1.24+drift":       {"the annotation changed", "the field changed"},
		"1.24+guard":       {"a wrong annotation"},
		"1.25+required": { // a body that does not send it, whatever else it holds
			"a body without spin", "a body without what is new", "a height, by its former name", "a manual power", "a material alone", "a power of none", "a tall object", "a width of 0, beside inches", "a wrong glow, gate off", "a wrong object", "the colour of what has none", "the parts of what is painted", "two powers",
		},
		"1.26+atonce": {"how far fields have come", "spins by both", "what strict validation knows"},
		"1.26+both":   {"spins by both"},
		"1.27+silent": {"how far fields have come", "what strict validation knows"},
	}
	maps.Copy(mistakes, policyMistakes())
	maps.Copy(mistakes, representationMistakes())
	maps.Copy(mistakes, pluralMistakes())
	maps.Copy(mistakes, hookMistakes())
	all := probes()
	names := slices.Sorted(maps.Keys(all))
	answers := map[string]string{} // of right releases, some of which have several mutants
	right := func(release, name string) string {
		key := release + " " + name
		if _, known := answers[key]; !known {
			answers[key] = all[name](t, find(t, release))
		}
		return answers[key]
	}
	for _, mutant := range wrong(t) {
		var differs []string
		for _, name := range names {
			if all[name](t, askable(t, mutant)) != right(mutant.Name, name) {
				differs = append(differs, name)
			}
		}
		assert.Equal(t, mistakes[mutant.String()], differs, mutant)
	}
}

// TestRight: the answers of the correct releases, so that no mutant is correct by accident.
func TestRight(t *testing.T) {
	newest := find(t, "1.4")
	for name, want := range map[string]string{
		"a body without what is new": "[]",
		"what an old object means":   "3",
		"a 0 that was sent":          "0",
		"an old value":               "Super",
		"a tall object":              "[]",
		"angle on create, gate off":  "none",
		"angle on create, gate on":   "30",
		"angle on update, gate off":  "30",
		"new angle, gate off":        "none",
		"new angle, gate on":         "30",
		"the width's tag":            "3",
		"what a version forgets":     "[]",
		"what is stored":             "v7beta1",
		"what is served":             "[v6 v5 v7beta1]",
	} {
		assert.Equal(t, want, probes()[name](t, newest), name)
	}
	refused := probes()["a wrong object"](t, newest)
	for _, path := range []string{"spec.height", "spec.width", "spec.angle", "spec.parts[0].name", "spec.parts[1].name"} {
		assert.Contains(t, refused, path)
	}
}
