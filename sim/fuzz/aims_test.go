package fuzz

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// TestAims: objects that are created through the new release have what it alone publishes, however
// deep that is; those of the old release are as if there were no such fields.
func TestAims(t *testing.T) {
	old, new := thingOf(t, term.Old, "v1", ""), thingOf(t, term.New, "v1", freshMembers+manyMembers())
	l := &lap{fuzzer: &fuzzer{}, releases: map[term.Role]*release{term.Old: old, term.New: new}}
	at := func(role term.Role) place {
		return place{role, client.Discovered{APIVersion: "x/v1", Kind: "Thing", Subresources: []string{"status"}}}
	}
	had := map[string]bool{}
	for number := range 40 {
		o := Object{"Thing.x", number}
		assert.Empty(t, l.aimsOf(o, at(term.Old)))
		aims := l.aimsOf(o, at(term.New))
		require.Equal(t, aims, l.aimsOf(o, at(term.New)), "the number decides")
		require.NotEmpty(t, aims)
		w := l.walkOf(at(term.New))
		m := makerOf(w.shapes, 0, number)
		m.density, m.aims = 0.01, aims
		w.visit(w.root, m.object(w.root, "x/v1", "Thing", []string{"status"}), true, "", nil)
		for _, aim := range aims {
			assert.True(t, w.fields[aim], "%s: %v", aim, w.fields)
			had[aim] = true
		}
	}
	assert.True(t, had[".spec.parts[].weight"] || had[".spec.limits[].most"], had)
	assert.Empty(t, (&lap{fuzzer: &fuzzer{}, releases: map[term.Role]*release{term.Old: old, term.New: old}}).aimsOf(Object{"Thing.x", 0}, at(term.New)))
}

// manyMembers are so many members that chance makes hardly any of them.
func manyMembers() (text string) {
	for i := range 30 {
		text += fmt.Sprintf(`,"m%d":{"type":"string"}`, i)
	}
	return text
}
