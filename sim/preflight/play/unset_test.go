package play

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// TestUnset: a field that the answer to a create lacks is noted; not one that is empty, that the server does
// not know, that only the server writes, or that it shows otherwise.
func TestUnset(t *testing.T) {
	const sent = `{"apiVersion":"apps/v1","kind":"StatefulSet","metadata":{"annotations":{"a":"b"}},"status":{"replicas":1},
		"spec":{"strategy":{"maxUnavailable":2},"empty":{},"no":false,"zero":0,"text":"","list":[],"odd":{"a":1},"cpu":"1000m","items":[{"a":1,"b":0}]}}`
	answered := func(body string, warnings ...string) *declared {
		return &declared{Object: cluster.Object{APIVersion: "apps/v1", Kind: "StatefulSet", Body: []byte(sent)}, answer: client.Answer{Code: 201, Body: []byte(body), Warnings: warnings}}
	}
	i := &intake{}
	i.Release = published.Release{Documents: map[string][]byte{"apps/v1": []byte(`{}`)}}
	const odd = `unknown field "spec.odd"`
	assert.Equal(t, []string{".spec.strategy"}, i.unset(answered(`{"spec":{"cpu":"1","items":[{"a":1}],"added":1}}`, odd)))
	assert.Equal(t, []string{".spec.odd", ".spec.strategy.maxUnavailable"}, i.unset(answered(`{"spec":{"strategy":{"type":"x"},"cpu":"1","items":[{"a":1}]}}`)))
	assert.Empty(t, i.unset(answered(`{"spec":{"strategy":{"maxUnavailable":2},"cpu":"1","items":[{"a":1}]}}`, odd)))
}
