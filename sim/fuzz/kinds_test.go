package fuzz

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestMeantKind: a name that differs from a kind only in the case of letters gets a
// suggestion, and no other does.
func TestMeantKind(t *testing.T) {
	all := []string{"Deployment.apps", "Frobber.frobbing.example.com"}
	for name, want := range map[string]string{
		"frobber":         `: did you mean "Frobber"?`,
		"deployment.apps": `: did you mean "Deployment.apps"?`,
		"Frob":            "",
		"deployment.core": "",
	} {
		assert.Equal(t, want, meant(name, all), name)
	}
}
