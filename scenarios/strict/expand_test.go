package strict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"go.yaml.in/yaml/v3"
)

func expanded(t *testing.T, text string) (value any, told []string) {
	t.Helper()
	n := parse(t, text)
	Expand(n, collect(&told))
	if len(told) == 0 {
		Inspect(n, collect(&told))
		assert.NoError(t, n.Decode(&value))
	}
	return value, told
}

// Aliases and merge keys are expanded as the YAML specification says.
func TestExpand(t *testing.T) {
	for _, text := range []string{
		"a: &x {b: 1}\nc: *x\nd: [*x, *x]",
		"a: &x {b: &y [1], c: *y}\nd: *x",
		"a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}",
		"a: &x {b: 1}\ne: &y {b: 2, c: 2}\nd: {<<: [*x, *y]}",
		"a: &x\n  <<: {b: 1}\nd: *x",
		"a: 1",
	} {
		var want any
		assert.NoError(t, yaml.Unmarshal([]byte(text), &want))
		got, told := expanded(t, text)
		assert.Empty(t, told, text)
		assert.Equal(t, want, got, text)
	}
}

// An endless or too large expansion is reported once.
func TestExpandEnds(t *testing.T) {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 30 {
		laughs += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 9))
	}
	for text, line := range map[string]string{
		laughs:                 "6: ",
		"a: &x [*x]":           "1: ",
		"a: &x {b: {c: *x}}":   "1: ",
		"a: &x 1\nb: {<<: *x}": "1: ",
	} {
		_, told := expanded(t, text)
		if assert.Len(t, told, 1, "%.40s", text) {
			assert.True(t, strings.HasPrefix(told[0], line), told[0])
		}
	}
}
