package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
)

func TestJSONSchema(t *testing.T) {
	text, err := scenarios.JSONSchema()
	require.NoError(t, err)
	golden(t, "../docs/scenario.schema.json", string(text))
}
