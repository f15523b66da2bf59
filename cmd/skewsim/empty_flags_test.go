package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEmptyFlags: an empty value of a flag, such as that of a variable of CI that is not
// set, is refused; a value that is not empty is accepted.
func TestEmptyFlags(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		told string // "": nothing
	}{
		{[]string{"matrix", "add-field", "--list", "--pairs", ""}, ExitUsage, "--pairs: is empty: say which, or leave it out"},
		{[]string{"matrix", "add-field", "--list", "--pairs", ","}, ExitUsage, "--pairs: is empty"},
		{[]string{"matrix", "add-field", "--list", "--pairs", "", "--releases", "frobber@1.0..1.2"}, ExitUsage, "--pairs: is empty"},
		{[]string{"matrix", "add-field", "--list", "--pairs", "frobber@1.0..1.1"}, ExitExpected, ""},
		{[]string{"matrix", "add-field", "--list", "--releases", ""}, ExitUsage, "--releases: is empty"},
		{[]string{"matrix", "add-field", "--list", "--releases", "frobber@1.0..1.2"}, ExitExpected, ""},
		{[]string{"fuzz", "frobber@1.2..1.3", "--kind", ""}, ExitUsage, "--kind: is empty"},
		{[]string{"fuzz", "frobber@1.2..1.3", "--features", "", "--count", "0"}, ExitUsage, "--count 0"}, // no gates are switched
		{[]string{"matrix", "add-field", "--list", "--pairs", "frobber@1.0..1.1", "--jobs", "0"}, ExitUsage, "--jobs 0: must be 1 or more; leave it out"},
		{[]string{"matrix", "add-field", "--list", "--pairs", "frobber@1.0..1.1", "--jobs", "-2"}, ExitUsage, "--jobs -2: must be 1 or more; leave it out"},
		{[]string{"matrix", "add-field", "--list", "--pairs", "frobber@1.0..1.1", "--jobs", "1"}, ExitExpected, ""},
		{[]string{"run", "add-field", "plural", "--jobs", "0"}, ExitUsage, "--jobs 0: must be 1 or more; leave it out"},
	} {
		code, _, told := called(c.args...)
		assert.Equal(t, c.code, code, "%v: %s", c.args, told)
		if c.told == "" {
			assert.Empty(t, told, "%v", c.args)
		} else {
			assert.Contains(t, told, c.told, "%v", c.args)
			assert.NotContains(t, told, "--features: is empty", "%v", c.args)
		}
	}
}
