package train_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// pluralProbes are the guide's requirements for a singular and its plural.
func pluralProbes() map[string]probe {
	const two = `{"param": "a", "params": ["a", "x"]}`
	updated := func(sent string) probe {
		return func(t testing.TB, r *release.Release) string {
			return params(r, replaced(t, r, two, sent))
		}
	}
	created := func(sent string) probe {
		return func(t testing.TB, r *release.Release) string {
			f := read(t, r, sent)
			for _, rule := range r.Rules {
				if rule.PrepareForCreate != nil {
					rule.PrepareForCreate(off, f)
				}
			}
			return params(r, f)
		}
	}
	// stored returns what is read of an object with two params after n-1, which drops params,
	// has written it with the given param.
	stored := func(param string) probe {
		return func(t testing.TB, r *release.Release) string {
			f := read(t, r, two)
			for _, rule := range r.Rules {
				if rule.PrepareForCreate != nil {
					rule.PrepareForCreate(off, f)
				}
			}
			f.Spec.Param, f.Spec.Params = param, nil
			for _, rule := range r.Rules {
				if rule.Read != nil {
					rule.Read(f)
				}
			}
			return params(r, f)
		}
	}
	return map[string]probe{
		"n-1 writes it":                     stored("a"),
		"n-1 writes it, with another param": stored("b"),
		"n-1 writes it, without param":      stored(""),
		"params alone, created":             created(`{"params": ["a"]}`),
		"params alone, changed":             updated(`{"params": ["b"]}`),
		"params left out":                   updated(`{"param": "a"}`),
		"another first param":               updated(`{"param": "a", "params": ["x", "a"]}`),
		"param cleared":                     updated(`{"params": ["a", "x"]}`),
		"v6 has param":                      hasField("param"),
		"v6 has params":                     hasField("params"),
	}
}

// pluralMistakes are the probes that the mutants of 1.6 answer differently.
func pluralMistakes() map[string][]string {
	return map[string][]string{
		"1.6+alone": {"params alone, changed", "params alone, created"},
		"1.6+new-only": {
			"another first param", "params alone, changed", "params alone, created", "params left out", "v6 has params", "what a version forgets",
		},
		"1.6+omits":     {"params left out"},
		"1.6+remembers": {"n-1 writes it, with another param", "n-1 writes it, without param"},
		"1.6+replaces": {
			"an old value", "another first param", "n-1 writes it", "n-1 writes it, with another param", "param cleared", "params alone, changed", "params alone, created", "params left out", "v6 has param",
		},
		"1.6+unchecked": {"another first param"},
		"1.6+undoes":    {"param cleared"},
	}
}

// params returns an object's params, and the validation errors.
func params(r *release.Release, f *api.Frobber) string {
	said := fmt.Sprintf("%q %q", f.Spec.Param, f.Spec.Params)
	for _, rule := range r.Rules {
		if rule.Validate == nil {
			continue
		}
		for _, problem := range rule.Validate(on, f) {
			if strings.HasPrefix(problem.Field, "spec.param") {
				said += " " + problem.Field
			}
		}
	}
	return said
}

// hasField reports whether a release publishes a field of v6.
func hasField(name string) probe {
	return func(t testing.TB, r *release.Release) string {
		for _, f := range publishedBy(*v6Of(t, r)) {
			if f.in == ".spec" && f.name == name {
				return "yes"
			}
		}
		return "no"
	}
}

// TestVariants: a variant is as correct as its release.
func TestVariants(t *testing.T) {
	played := 0
	for _, name := range train.Names() {
		for _, variant := range train.Variants(name) {
			r := find(t, name+"+"+variant)
			assert.NotContains(t, train.Mutants(name), variant)
			assert.Empty(t, tagProblems(until(t, r)), r)
			assert.Empty(t, nameProblems(until(t, r)), r)
			assert.Empty(t, lossyRoads(t, r, 10), r)
			played++
		}
	}
	assert.Equal(t, 1, played)
	assert.Equal(t, []string{"extra"}, train.Variants("1.6"))
	f := read(t, find(t, "1.6+extra"), `{"param": "a", "extraParams": ["x", "y"]}`)
	assert.Equal(t, []string{"a", "x", "y"}, f.Spec.Params, "as the internal form has it")
}
