package allow

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentedList: the allow-lists that the docs show are ones.
func TestDocumentedList(t *testing.T) {
	for name, lines := range map[string]int{"sweep.md": 2, "preflight.md": 1} {
		page, err := os.ReadFile("../../docs/reference/" + name)
		require.NoError(t, err)
		shown := regexp.MustCompile("(?ms)^```yaml\n(allow:\n.*?)^```$").FindSubmatch(page)
		require.NotNil(t, shown, name)
		list, err := Parse(name, shown[1])
		require.NoError(t, err)
		assert.Len(t, list.Allow, lines, name)
	}
}
