package apiserver

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestMismatches: what servers log of their own validation is counted by field, whatever the
// index of the element.
func TestMismatches(t *testing.T) {
	const begin = `E1123 18:29:01.1 1 validate.go:1] "Unexpected difference between hand written validation and declarative validation error results, `
	const shadow = ` This difference should not affect system operation since hand written validation is authoritative."` + "\n"
	log := "I1123 something else\n" +
		begin + `extra error(s) found {Type=\"Forbidden\", Field=\"spec.exempt\", Origin=\"\"}. This indicates an issue with declarative validation.` + shadow +
		begin + `unmatched error(s) found {Type=\"Invalid value\", Field=\"spec.devices[0].name\", Origin=\"format\"}. Consider disabling it."` + "\n" +
		begin + `unmatched error(s) found {Type=\"Invalid value\", Field=\"spec.devices[1].name\", Origin=\"format\"}. Consider disabling it."`
	got, err := Mismatches(strings.NewReader(log))
	require.NoError(t, err)
	assert.Equal(t, []Mismatch{
		{Error: "Invalid value", Field: "spec.devices[].name", Count: 2},
		{Extra: true, Shadowed: true, Error: "Forbidden", Field: "spec.exempt", Count: 1},
	}, got)
}
