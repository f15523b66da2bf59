package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestConcerns: a finding is about a value that it is at, within, around, or about the whole object; of one beside
// the value only if a server takes the whole element or union.
func TestConcerns(t *testing.T) {
	const value = ".spec.ports[1].name"
	for name, c := range map[string]struct {
		path, value string
		cause       term.Cause
		want        bool
	}{
		"the value":             {value, value, "", true},
		"around it":             {".spec.ports", value, "", true},
		"within it":             {value + ".first", value, "", true},
		"beside it":             {".spec.ports[1].port", value, "", false},
		"a name that begins so": {".spec.ports[1].names", value, "", false},
		"another element":       {".spec.ports[0].name", value, "", false},
		"the whole object":      {"", value, "", true},
		"an object for nothing": {".spec.a", "", "", true},
		"with its element":      {".spec.ports[1].port", value, term.ElementGone, true},
		"with its union":        {".spec.ports[1].port", value, term.UnionEmptied, true},
		"with another element":  {".spec.ports[0].port", value, term.ElementGone, false},
		"of another cause":      {".spec.ports[1].port", value, term.Defaulted, false},
	} {
		assert.Equal(t, c.want, Concerns(result.Finding{Path: c.path, Cause: c.cause}, c.value), name)
	}
}

// TestOverlap: what is no path overlaps itself alone.
func TestOverlap(t *testing.T) {
	assert.True(t, Overlap(".a.b", ".a"))
	assert.True(t, Overlap(".a", ".a.b"))
	assert.False(t, Overlap(".a.b", ".a.c"))
	for _, broken := range []string{".a[", "]"} {
		assert.True(t, Overlap(broken, broken), broken)
		assert.False(t, Overlap(broken, ".a"), broken)
		assert.False(t, Overlap(".a", broken), broken)
	}
}

// TestPlaces: a field is a path without keys, its parent the struct or list above it; text that is no path stays.
func TestPlaces(t *testing.T) {
	assert.Equal(t, ".spec.ports[].name", FieldOf(`.spec.ports[name="a"].name`))
	assert.Equal(t, ".a[", FieldOf(".a["))
	assert.Equal(t, ".spec", ParentOf(".spec.a"))
	assert.Equal(t, ".a[", ParentOf(".a["))
	assert.Empty(t, ParentOf(""))
	for field, want := range map[string]bool{".spec": true, ".spec.a": true, ".spec[]": true, ".special": false, ".": false} {
		assert.Equal(t, want, Within(field, ".spec"), field)
	}
}

// TestWithinEntries: an entry of a map, and an element of a list, are the one that differences spell for all of them.
// Another member of a struct is not, nor is one whose key has the characters of a path.
func TestWithinEntries(t *testing.T) {
	for _, c := range []struct {
		field, outer string
		want         bool
	}{
		{".spec.m.sample", ".spec.m[]", true},
		{".spec.m.sample.x[]", ".spec.m[].x", true},
		{".spec.m[].x", ".spec.m.sample", true},
		{`.spec.m["a.b].c"].x`, ".spec.m[].x", true},
		{`.spec.m["a\"].x"].y`, ".spec.m[].y", true},
		{`.spec.m["a\"].x"].y`, ".spec.m[].x", false},
		{".spec.m.sample.y", ".spec.m[].x", false},
		{".spec.m", ".spec.m[]", false},
		{".spec.n.sample", ".spec.m[]", false},
		{".spec.m.sample", ".spec.m.other", false},
		{".spec.l[1]", ".spec.l[10]", false},
	} {
		assert.Equal(t, c.want, Within(c.field, c.outer), "%s within %s", c.field, c.outer)
	}
}
