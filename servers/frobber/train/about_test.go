package train_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// TestAbout: each release, twin and variant has a line of its own, and no other has.
func TestAbout(t *testing.T) {
	for _, name := range train.Names() {
		all := append(train.Twins(name), train.Variants(name)...)
		for i := range all {
			all[i] = name + "+" + all[i]
		}
		for _, full := range append(all, name) {
			about := train.About(full)
			assert.NotEmpty(t, about, "%s: about.go has no line for it", full)
			assert.Less(t, len(about), 90, full)
			assert.NotContains(t, about, "|", "%s: it stands in a table of Markdown", full)
		}
	}
	assert.Empty(t, train.About("1.1+perfect"))
}

// TestAboutNothing: a line without its release is left over.
func TestAboutNothing(t *testing.T) {
	for name := range train.Abouts {
		_, err := train.Find(name)
		assert.NoError(t, err)
	}
}
