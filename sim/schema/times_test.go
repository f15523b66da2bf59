package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestForgetTimes: what the kind publishes as a time goes, wherever it stands;
// a text that only looks like one stays.
func TestForgetTimes(t *testing.T) {
	o := object(t, `{"spec":{"since":"2026-01-01T00:00:00Z","tick":"2026-01-01T00:00:00.000001Z","colour":"2026-01-01T00:00:00Z","unknown":{"since":"x"}}}`)
	gadget(t).ForgetTimes(o)
	assert.JSONEq(t, `{"spec":{"since":true,"tick":true,"colour":"2026-01-01T00:00:00Z","unknown":{"since":"x"}}}`, asJSON(t, o))
}
