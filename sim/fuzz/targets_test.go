package fuzz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
)

// TestTargets: objects that are created through the new release have the fields that only
// it publishes, however deep they are; those of the old release do not depend on such
// fields.
func TestTargets(t *testing.T) {
	old, new := thingOf(t, term.Old, "v1", ""), thingOf(t, term.New, "v1", freshMembers+manyMembers())
	l := &lap{fuzzer: &fuzzer{}, releases: map[term.Role]*Release{term.Old: old, term.New: new}}
	at := func(role term.Role) Place {
		return Place{Role: role, Resource: client.Discovered{APIVersion: "x/v1", Kind: "Thing", Subresources: []string{"status"}}}
	}
	had := map[string]bool{}
	for number := range 40 {
		o := Object{"Thing.x", number}
		assert.Empty(t, l.targetsOf(o, at(term.Old)))
		targets := l.targetsOf(o, at(term.New))
		require.Equal(t, targets, l.targetsOf(o, at(term.New)), "the number decides")
		require.NotEmpty(t, targets)
		kind, ok := new.Published(at(term.New))
		require.True(t, ok)
		object := objects.New(objects.Request{Kind: kind, Number: number, Targets: targets}).Object()
		fields := kind.FieldsOf(object)
		for _, target := range targets {
			assert.True(t, fields[target], "%s: %v", target, fields)
			had[target] = true
		}
	}
	assert.True(t, had[".spec.parts[].weight"] || had[".spec.limits[].most"], had)
	assert.Empty(t, (&lap{fuzzer: &fuzzer{}, releases: map[term.Role]*Release{term.Old: old, term.New: old}}).targetsOf(Object{"Thing.x", 0}, at(term.New)))
}

// manyMembers are so many members that chance generates hardly any of them.
func manyMembers() (text string) {
	for i := range 30 {
		text += fmt.Sprintf(`,"m%d":{"type":"string"}`, i)
	}
	return text
}
