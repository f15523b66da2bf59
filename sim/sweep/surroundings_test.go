package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNames: a rule names a word where it stands by itself, and not within another.
func TestNamesWord(t *testing.T) {
	for rule, want := range map[string]bool{
		"has(self.port) || true": true, "port": true, "self.ports.size() < port": true, "[port]": true,
		"self.ports": false, "self.my_port": false, "export2": false, "": false,
	} {
		assert.Equal(t, want, Names(rule, "port"), rule)
	}
	assert.True(t, Names("self['max-size'] > 1", "max-size"))
	assert.False(t, Names("has(self.port)", ""))
}
