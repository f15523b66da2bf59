package session

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestAgrees: a range agrees with the flag that has it first, for servers add a second one.
func TestAgrees(t *testing.T) {
	for ranges, want := range map[string]bool{
		`["10.96.0.0/16"]`: true, `["10.96.0.0/16","fd00::/108"]`: true, `["10.97.0.0/16"]`: false, `["fd00::/108","10.96.0.0/16"]`: false, `[]`: true,
	} {
		r := reading.Record{Object: json.RawMessage(`{"spec":{"cidrs":` + ranges + `}}`)}
		assert.Equal(t, want, agrees(&r, "10.96.0.0/16, fd00::/108"), ranges)
	}
}
