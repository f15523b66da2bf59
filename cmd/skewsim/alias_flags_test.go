package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAliases: a flag and its old name are one flag: with two values they are refused.
func TestAliases(t *testing.T) {
	for _, args := range [][]string{
		{"plan", "quiet", "--aa", "old", "--placebo", "new"},
		{"plan", "quiet", "--placebo", "new", "--aa", "old"},
		{"run", "quiet", "--aa", "old", "--placebo", "new"},
		{"list", "--mutants", "--twins=false"},
		{"list", "--twins", "--mutants=false"},
	} {
		_, said, code := ran(t, args...)
		assert.Equal(t, ExitUsage, code, args)
		assert.Contains(t, said, "give one of them", args)
	}
	for _, args := range [][]string{
		{"plan", "add-field", "--aa", "old", "--placebo", "old"}, {"plan", "add-field", "--placebo", "old"},
		{"list", "--twins"}, {"list", "--mutants", "--twins"},
	} {
		_, said, code := ran(t, args...)
		assert.Equal(t, ExitExpected, code, "%v: %s", args, said)
	}
	now, _, _ := ran(t, "list", "--mutants")
	then, _, _ := ran(t, "list", "--twins")
	assert.Equal(t, now, then)
}
