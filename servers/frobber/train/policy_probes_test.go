package train_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// policyProbes are the guide's requirements for an enum and for validation.
func policyProbes() map[string]probe {
	allowed := func(had string, gates release.Gates) probe {
		return func(t testing.TB, r *release.Release) string { return allowedPolicies(t, r, had, gates) }
	}
	params := func(had, sent string) probe {
		return func(t testing.TB, r *release.Release) string {
			return accepts(t, r, "spec.param", param(had), param(sent), on)
		}
	}
	return map[string]probe{
		"policies on create, gate off":           allowed("", off),
		"policies on create, gate on":            allowed("", on),
		"policies on update, gate off":           allowed("Never", off),
		"policies on update of a Tuesday's, off": allowed("OnlyOnTuesday", off),
		"a Tuesday's, written with the gate off": func(t testing.TB, r *release.Release) string {
			return afterUpdate(t, r, policySpec("OnlyOnTuesday"))
		},
		"a policy that is retired": func(t testing.TB, r *release.Release) string {
			return read(t, r, policySpec("Sometimes")).Spec.RestartPolicy
		},
		"a policy that readers do not know": func(t testing.TB, r *release.Release) string {
			return fmt.Sprint(knows(t, r, policySpec("OnSundays")))
		},
		"a wrong param, new":     params("", "not right"),
		"a wrong param, kept":    params("not right", "not right"),
		"a wrong param, changed": params("not right", "wrong again"),
		"a param, changed":       params("a", "b"),
		"a height of -1": func(t testing.TB, r *release.Release) string {
			return accepts(t, r, "spec.height", "", `{"height": -1}`, on)
		},
	}
}

func policySpec(policy string) string {
	return fmt.Sprintf(`{"height": 3, "restartPolicy": %q}`, policy)
}

// param returns a spec with a param, or "" for "".
func param(value string) string {
	if value == "" {
		return ""
	}
	return fmt.Sprintf(`{"height": 3, "param": %q}`, value)
}

// allowedPolicies lists the policies that a create may set, or, if had is not empty, an update.
func allowedPolicies(t testing.TB, r *release.Release, had string, gates release.Gates) string {
	var all []string
	for _, policy := range []string{"Always", "Never", "Sometimes", "OnlyOnTuesday"} {
		old := ""
		if had != "" {
			old = policySpec(had)
		}
		if accepts(t, r, "spec.restartPolicy", old, policySpec(policy), gates) == "accepted" {
			all = append(all, policy)
		}
	}
	if odd := policySpec("OnSundays"); had == "" && knows(t, r, odd) {
		all = append(all, accepts(t, r, "spec.restartPolicy", "", odd, gates))
	}
	return strings.Join(all, " ")
}

// knows reports whether the release's types can decode a spec.
func knows(t testing.TB, r *release.Release, spec string) bool {
	t.Helper()
	return json.Unmarshal([]byte(`{"spec": `+spec+`}`), v6Of(t, r).New()) == nil
}

// accepts reports whether a spec is accepted as a replacement of old ("" for a create), as far
// as one field is concerned.
func accepts(t testing.TB, r *release.Release, name, old, spec string, gates release.Gates) string {
	t.Helper()
	if !knows(t, r, spec) || old != "" && !knows(t, r, old) {
		return "unreadable"
	}
	sent := read(t, r, spec)
	var all field.ErrorList
	for _, rule := range r.Rules {
		if rule.Validate != nil {
			all = append(all, rule.Validate(gates, sent)...)
		}
		if old == "" && rule.ValidateCreate != nil {
			all = append(all, rule.ValidateCreate(gates, sent)...)
		}
		if old != "" && rule.ValidateUpdate != nil {
			all = append(all, rule.ValidateUpdate(gates, sent, read(t, r, old))...)
		}
	}
	if slices.ContainsFunc(all, func(e *field.Error) bool { return e.Field == name }) {
		return "refused"
	}
	return "accepted"
}

// afterUpdate returns the policy after an update that changes nothing.
func afterUpdate(t testing.TB, r *release.Release, spec string) string {
	t.Helper()
	if !knows(t, r, spec) {
		return "unreadable"
	}
	written := read(t, r, spec)
	for _, rule := range r.Rules {
		if rule.PrepareForUpdate != nil {
			rule.PrepareForUpdate(off, written, read(t, r, spec))
		}
	}
	return written.Spec.RestartPolicy
}

// TestRightPolicies: the answers of the correct releases, so that no mutant is correct by
// accident.
func TestRightPolicies(t *testing.T) {
	const old, all = "Always Never Sometimes", "Always Never Sometimes OnlyOnTuesday"
	for name, want := range map[string]map[string]string{
		"policies on create, gate off":           {"1.8": old + " refused", "1.9": old + " refused", "1.10": old + " refused", "1.12": old + " refused"},
		"policies on create, gate on":            {"1.8": old + " refused", "1.9": all + " refused", "1.10": all + " refused", "1.12": all + " refused"},
		"policies on update, gate off":           {"1.8": old, "1.9": old, "1.12": old},
		"policies on update of a Tuesday's, off": {"1.8": old, "1.9": all, "1.10": all, "1.12": all},
		"a Tuesday's, written with the gate off": {"1.9": "OnlyOnTuesday", "1.10": "OnlyOnTuesday"},
		"a policy that is retired":               {"1.8": "Sometimes", "1.11": "Sometimes"},
		"a policy that readers do not know":      {"1.8": "true", "1.11": "true"},
		"a wrong param, new":                     {"1.11": "accepted", "1.12": "refused"},
		"a wrong param, kept":                    {"1.11": "accepted", "1.12": "accepted"},
		"a wrong param, changed":                 {"1.11": "accepted", "1.12": "refused"},
		"a param, changed":                       {"1.11": "accepted", "1.12": "accepted"},
		"a height of -1":                         {"1.0": "refused", "1.12": "refused"},
	} {
		require.NotNil(t, policyProbes()[name], name)
		for number, answer := range want {
			assert.Equal(t, answer, policyProbes()[name](t, find(t, number)), "%s: %s", number, name)
		}
	}
}

// policyMistakes are the probes that the mutants of these releases answer differently.
func policyMistakes() map[string][]string {
	return map[string][]string{
		// A release that cannot decode the value fails all probes with it.
		"1.8+closed": {
			"a Tuesday's, written with the gate off", "a policy that readers do not know", "policies on create, gate off",
			"policies on create, gate on", "policies on update of a Tuesday's, off",
		},
		"1.9+at-once": {"policies on create, gate off", "policies on update, gate off"},
		"1.9+chokes":  {"policies on update of a Tuesday's, off"},
		"1.10+chokes": {"policies on update of a Tuesday's, off"},
		"1.10+resets": {"a Tuesday's, written with the gate off"},
		"1.11+removed": {
			"policies on create, gate off", "policies on create, gate on",
			"policies on update of a Tuesday's, off", "policies on update, gate off",
		},
		"1.11+replaced":  {"a policy that is retired"},
		"1.12+immutable": {"a param, changed"},
		"1.12+relaxed":   {"policies on create, gate off", "policies on create, gate on", "policies on update, gate off"},
		"1.12+tightened": {"a wrong param, kept"},
		"1.12+valid":     {"a height of -1", "a wrong object"}, // which has that height
	}
}
