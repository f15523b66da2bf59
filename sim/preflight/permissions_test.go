package preflight

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestPermissions: a role is named when it permits what was enough, the next release asks for more,
// and the role does not permit that.
func TestPermissions(t *testing.T) {
	role := func(labels, rules string) Seen {
		return Seen{Record: &reading.Record{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "Role", Name: "x", Object: []byte(`{"metadata":{"labels":{` + labels + `}},"rules":[` + rules + `]}`)}}
	}
	const get = `{"apiGroups":[""],"resources":["pods","pods/exec"],"verbs":["get"]}`
	for name, c := range map[string]struct {
		seen       Seen
		from, to   string
		permission bool
	}{
		"get alone":        {role("", get), "v1.34.4", "v1.35.4", true},
		"later":            {role("", get), "v1.35.4", "v1.36.3", false},
		"create too":       {role("", get+`,{"apiGroups":[""],"resources":["pods/exec"],"verbs":["create"]}`), "v1.34.4", "v1.35.4", false},
		"create elsewhere": {role("", get+`,{"apiGroups":["a.io"],"resources":["*"],"verbs":["create"]}`), "v1.34.4", "v1.35.4", true},
		"everything":       {role("", `{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}`), "v1.34.4", "v1.35.4", false},
		"all that reads":   {role("", `{"apiGroups":["*"],"resources":["*"],"verbs":["get"]}`), "v1.34.4", "v1.35.4", true},
		"reads a group":    {role("", `{"apiGroups":["metrics.k8s.io"],"resources":["*"],"verbs":["get"]}`), "v1.34.4", "v1.35.4", false},
		"of the server":    {role(`"kubernetes.io/bootstrapping":"rbac-defaults"`, get), "v1.34.4", "v1.35.4", false},
		"pods":             {role("", `{"apiGroups":[""],"resources":["pods"],"verbs":["get"]}`), "v1.34.4", "v1.35.4", false},
		"claims":           {role("", `{"apiGroups":["resource.k8s.io"],"resources":["resourceclaims/status"],"verbs":["update"]}`), "v1.35.4", "v1.36.3", true},
		"claims, of a new": {role("", `{"apiGroups":["resource.k8s.io"],"resources":["resourceclaims/status","resourceclaims/binding"],"verbs":["update"]}`), "v1.35.4", "v1.36.3", false},
		"another's claims": {role("", `{"apiGroups":["a.io"],"resources":["resourceclaims/status"],"verbs":["update"]}`), "v1.35.4", "v1.36.3", false},
	} {
		assert.Equal(t, c.permission, len(Permissions(c.seen, c.from, c.to)) > 0, name)
	}
}

// TestPolicies: a bound policy that asks for the user or the authorizer is undecided; verdicts that
// change are findings.
func TestPolicies(t *testing.T) {
	object := func(kind, name, spec string) Seen {
		return Seen{Record: &reading.Record{APIVersion: "admissionregistration.k8s.io/v1", Kind: kind, Name: name, Object: []byte(`{"spec":` + spec + `}`)}}
	}
	p := Policies{}
	for _, name := range []string{"bound", "unbound"} {
		p.Note(object("ValidatingAdmissionPolicy", name, `{"validations":[{"expression":"authorizer.group('').resource('pods').check('get').allowed()"}]}`))
	}
	p.Note(object("ValidatingAdmissionPolicy", "plain", `{"validations":[{"expression":"object.spec.authorizers > 1","message":"authorizer"}]}`))
	p.Note(object("MutatingAdmissionPolicy", "bound", `{"variables":[{"name":"u","expression":"request.userInfo.username"}]}`))
	for _, name := range []string{"bound", "plain"} {
		p.Note(object("ValidatingAdmissionPolicyBinding", name, `{"policyName":"`+name+`"}`))
	}
	all := p.Undecided(Up)
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(all))
	assert.Equal(t, "bound", all[0].Name)

	policy := reading.Try{Write: reading.Label, Code: 422, Message: "ValidatingAdmissionPolicy 'p' denied request: x"}
	warned := reading.Try{Write: reading.Label, Code: 200, Warning: "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': s3cr3t"}
	for name, c := range map[string]struct {
		before, now reading.Try
		found       bool
	}{
		"permits":                {policy, reading.Try{Write: reading.Label, Code: 200}, true},
		"refuses both":           {policy, policy, false},
		"refuses now":            {reading.Try{Write: reading.Label, Code: 200}, policy, true},
		"warns now":              {reading.Try{Write: reading.Label, Code: 200}, warned, true},
		"warned before":          {warned, warned, false},
		"none before":            {reading.Try{Write: reading.Label}, warned, false},
		"busy, warns":            {reading.Try{Write: reading.Label, Code: 429}, warned, false},
		"refused, and warns now": {reading.Try{Write: reading.Label, Code: 422, Message: "x"}, warned, false},
		"not by it":              {reading.Try{Write: reading.Label, Code: 422, Message: "x"}, reading.Try{Write: reading.Label, Code: 200}, false},
	} {
		found := Worse(seen("old", `{"a":"s3cr3t"}`, c.before), seen("new", `{"a":"s3cr3t"}`, c.now), Up)
		if assert.Equal(t, c.found, len(found) == 1, name) && c.found {
			assert.Equal(t, term.MeansOther, found[0].Outcome, name)
			assert.NotContains(t, found[0].Message, "s3cr3t", name)
		}
	}
}
