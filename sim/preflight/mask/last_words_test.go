package mask

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestLastWords: the line with which a server gave up is kept, with the name of the hook, and without what may
// be a value.
func TestLastWords(t *testing.T) {
	for want, tail := range map[string][]string{
		`PostStartHook "start-service-ip-repair-controllers" failed: unable to perform initial IP and Port allocation check`: {
			"cacher (services): unexpected error: hunter2",
			`PostStartHook "start-service-ip-repair-controllers" failed: unable to perform initial IP and Port allocation check`,
		},
		`Error: unable to use … of … address … is taken`: {`Error: unable to use "secret" of hunter2: address 10.0.0.1 is taken`},
		"": {"cacher (services): secret", "goroutine 1 [running]:"},
	} {
		assert.Equal(t, want, LastWords(tail))
	}
}
