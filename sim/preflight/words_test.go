package preflight

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// TestOwnWords: an object whose name or value is a word of messages, or a part of one, takes nothing from
// what servers and the simulator say; where servers quote it, it is hidden all the same.
func TestOwnWords(t *testing.T) {
	object := `{"metadata":{"name":"apps","labels":{"label":"answered"}},"spec":{"a":"priv","b":"invalid","c":8080,"d":"was"}}`
	s := seen("old", object)
	s.Fields = mask.FieldsOf(published.Release{Resources: []published.Resource{{APIVersion: "apps/v1", Kind: "Deployment", Plural: "deployments"}}})
	refused := reading.Try{Write: reading.Label, Code: 422, Message: `deployments.apps "apps" is invalid: spec.privileged: Invalid value: "priv": port 18080 is not 8080, nor priv`}
	want := "label was answered 422: deployments.apps … is invalid: spec.privileged: Invalid value: …: port 18080 is not …, nor …"
	assert.Equal(t, want, Refusal(s, Up, refused).Message)
	now := seen("new", `{}`, refused)
	now.Fields = s.Fields
	found := Worse(s, now, Up)
	require.Len(t, found, 1)
	assert.Equal(t, want, found[0].Message, "what only the other release shows is hidden once, and nothing else is")
}

// TestSeveralCauses: what a server says of several fields in one list is said of each once, without values.
func TestSeveralCauses(t *testing.T) {
	s := seen("old", `{"metadata":{"name":"web"},"spec":{"hosts":[{"ip":"010.1.2.3"},{"ip":"s3cr3t-4"}]}}`)
	cause := func(field, value string) reading.Cause {
		return reading.Cause{Field: field, Message: `Invalid value: "` + value + `": must not have leading 0s`}
	}
	refused := reading.Try{Write: reading.Label, Code: 422, Message: `as.a.io "web" is invalid: [spec.hosts[0].ip: Invalid value: "010.1.2.3": must not have leading 0s, spec.hosts[1].ip: Invalid value: "s3cr3t-4": must not have leading 0s]`,
		Causes: []reading.Cause{cause("spec.hosts[0].ip", "010.1.2.3"), cause("spec.hosts[1].ip", "s3cr3t-4"), {Field: "spec.x", Message: "Required value: s3cr3t-4 and 010.1.2.3"}}}
	assert.Equal(t, "label was answered 422: as.a.io … is invalid: spec.hosts[].ip: Invalid value: …: must not have leading 0s; spec.x: Required value: … and …", Refusal(s, Up, refused).Message)
}

// TestComputedMessages: what a rule computes of values is hidden, and what rules say in words of their own is not.
func TestComputedMessages(t *testing.T) {
	refusal := func(definition, said string) string {
		s := seen("old", `{"metadata":{"name":"web"}}`)
		s.Fields = mask.FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(definition)}})
		return s.plain(`A.a.io "web" is invalid: spec: Invalid value: "object": `+said, nil)
	}
	const static, got, words = `{"rule":"self.c > 1"}`, "got 12 of 9", "a must be like b"
	computed := strings.Replace(ruled, static, `{"rule":"self.c > 1","messageExpression":"string(self.c)"}`, 1)
	assert.NotContains(t, refusal(computed, got), "12")
	assert.Contains(t, refusal(computed, words), words)
	assert.Contains(t, refusal(ruled, got), got, "no rule computes it")
}

// TestCauseOf: findings that name the same first field have one cause if the server said the same of both, apart from numbers.
func TestCauseOf(t *testing.T) {
	says := func(message string) string {
		return CauseOf(Finding{Outcome: term.Frozen, Kind: "A", Path: ".spec.a", Message: message})
	}
	one := says("label was answered 422: spec.a: too long: may not be more than 12.5")
	assert.Equal(t, one, says("put was answered 422: spec.a: too long: may not be more than 63"))
	assert.NotEqual(t, one, says("label was answered 422: spec.a: too long: may not be more than 12.5; spec.b: Required value"))
}
