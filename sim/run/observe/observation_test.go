package observe

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRevisions(t *testing.T) {
	rec := standing(t)
	for body, want := range map[string]int64{
		`{"metadata":{"resourceVersion":"17"}}`: 17, `{"metadata":{"resourceVersion":"x"}}`: 0, `{"metadata":{"resourceVersion":17}}`: 0,
		`{"metadata":null}`: 0, `[]`: 0, ``: 0, `{"metadata":{}}`: 0,
	} {
		shown, err := rec.Observe([]byte(body))
		require.NoError(t, err, body)
		assert.Equal(t, want, shown.Revision, body)
	}
}
