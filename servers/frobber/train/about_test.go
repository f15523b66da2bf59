package train_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/frobber/train"
)

// TestAbout: each release, mutant and variant has a unique line.
func TestAbout(t *testing.T) {
	for _, name := range train.Names() {
		all := append(train.Mutants(name), train.Variants(name)...)
		for i := range all {
			all[i] = name + "+" + all[i]
		}
		for _, full := range append(all, name) {
			about := train.About(full)
			assert.NotEmpty(t, about, "%s: about.go has no line for it", full)
			assert.Less(t, len(about), 90, full)
			assert.NotContains(t, about, "|", "%s: it is used in a Markdown table", full)
		}
	}
	assert.Empty(t, train.About("1.1+perfect"))
}

// TestAboutNothing: there is no line without a release.
func TestAboutNothing(t *testing.T) {
	for name := range train.Abouts {
		_, err := train.Find(name)
		assert.NoError(t, err)
	}
}
