package allow

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestDocumentedList: the allow-list that docs/reference/sweep.md shows is one.
func TestDocumentedList(t *testing.T) {
	page, err := os.ReadFile("../../../docs/reference/sweep.md")
	require.NoError(t, err)
	shown := regexp.MustCompile("(?ms)^```yaml\n(allow:\n.*?)^```$").FindSubmatch(page)
	require.NotNil(t, shown, "a list in docs/reference/sweep.md")
	list, err := Parse("docs/reference/sweep.md", shown[1])
	require.NoError(t, err)
	assert.Len(t, list.Allow, 2)
}
