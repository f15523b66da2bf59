package act

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/client"
)

func TestOutcome(t *testing.T) {
	for want, a := range map[string]client.Answer{
		"200":              {Code: 200},
		"201, warning: w1": {Code: 201, Warnings: []string{"w1", "w2"}},
		"no answer: assert.AnError general error for testing": {Err: assert.AnError},
		"404 plain": {Code: 404, Body: []byte("plain")},
	} {
		assert.Equal(t, want, outcome(a))
	}
}
