package aims

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestBeyond: a value is beyond the other type if only the own type has it; of two types with
// the same values, neither has one.
func TestBeyond(t *testing.T) {
	for _, c := range []struct {
		own, other string
		want       any
	}{
		{"number", "integer", 1.5},
		{"number double", "integer int64", 1.5},
		{"integer", "number", nil},
		{"integer int64", "integer int32", int64(1) << 40},
		{"integer int32", "integer int64", nil},
		{"integer or string", "string", int64(8080)},
		{"integer or string", "integer int32", "50%"},
		{"string", "integer or string", nil},
		{"string", "object", nil},
	} {
		assert.Equal(t, c.want, Beyond(c.own, c.other), "%s beside %s", c.own, c.other)
	}
}
