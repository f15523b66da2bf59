package scenarios_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
)

func TestJSONSchema(t *testing.T) {
	text, err := load.JSONSchema()
	require.NoError(t, err)
	golden(t, "../docs/scenario.schema.json", string(text))
}
