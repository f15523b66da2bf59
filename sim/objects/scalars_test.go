package objects

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestWholeNumbers: an int64 gets values beyond an int32, and other fields do not;
// published bounds beyond an int32 are respected.
func TestWholeNumbers(t *testing.T) {
	bound := func(n float64) *float64 { return &n }
	for name, c := range map[string]struct {
		format    string
		low, high *float64
		beyond    bool
	}{
		"int64":             {"int64", nil, nil, true},
		"int32":             {"int32", nil, nil, false},
		"no format":         {"", nil, nil, false},
		"int64, few":        {"int64", bound(0), bound(100), false},
		"beyond":            {"", bound(1 << 40), nil, true},
		"far below":         {"", nil, bound(-1 << 40), true},
		"more than it does": {"int64", bound(-1e30), bound(1e30), true},
	} {
		at := &spec.Schema{SchemaProps: spec.SchemaProps{Type: spec.StringOrArray{"integer"}, Format: c.format, Minimum: c.low, Maximum: c.high}}
		beyond := false
		for number := range 300 {
			v, ok := generatorOf(Definitions{}, 1, number).integer(at)
			n, _ := v.(int64)
			assert.True(t, ok, "%s: %v", name, v)
			assert.True(t, Within(at, float64(n)), "%s: %d", name, n)
			beyond = beyond || n > math.MaxInt32 || n < math.MinInt32
		}
		assert.Equal(t, c.beyond, beyond, name)
	}
}
