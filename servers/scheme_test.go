package servers

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSchemes: every row is complete, and its forms begin with its word.
func TestSchemes(t *testing.T) {
	seen := map[Scheme]bool{}
	for _, s := range schemes() {
		assert.False(t, seen[s.scheme], "%s: two rows", s.scheme)
		seen[s.scheme] = true
		assert.True(t, s.word != "" && s.parse != nil && s.text != nil && s.executes != nil, "%s: a gap in its row", s.scheme)
		assert.NotEmpty(t, s.forms, s.scheme)
		for _, form := range s.forms {
			assert.True(t, strings.HasPrefix(form, s.word), "%s: %s does not begin with %s", s.scheme, form, s.word)
		}
	}
}

// TestUnknownSchemeIsNotTrusted: what has no row needs the user's permission, and is no substitute
// for anything.
func TestUnknownSchemeIsNotTrusted(t *testing.T) {
	ref := Reference{Scheme: "unheard-of", Component: kubernetes, Version: "v1.37.0"}
	assert.True(t, ref.Executes())
	assert.False(t, ref.Underlies())
	assert.False(t, ref.IsSubstitutable())
	_, err := ref.Mutant("mutant")
	assert.Error(t, err)
}

func TestIsUnderlying(t *testing.T) {
	for text, want := range map[string]bool{
		"kube-apiserver@v1.37.0": true, "kube-apiserver@v1.36": true, "path:./kube-apiserver": true,
		"": false, "kube-apiserver": false, "path:": false, "frobber@1.1": false, "image:kube-apiserver:v1.36.3": false,
		"source:../kubernetes": false, "crd:v1": false, "module:k8s.io/sample-apiserver@v0.36.3": false,
	} {
		assert.Equal(t, want, IsUnderlying(text), text)
	}
}
