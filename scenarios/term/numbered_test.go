package term

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNumbered: only one is singular.
func TestNumbered(t *testing.T) {
	for n, want := range map[int]string{0: "0 findings", 1: "1 finding", 2: "2 findings", 11: "11 findings"} {
		assert.Equal(t, want, Numbered(n, "finding"))
	}
	assert.Equal(t, "1 copy", Counted(1, "copy", "copies"))
	assert.Equal(t, "0 copies", Counted(0, "copy", "copies"))
}
