package strict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

func parse(t *testing.T, text string) *yaml.Node {
	t.Helper()
	var document yaml.Node
	require.NoError(t, yaml.Unmarshal([]byte(text), &document))
	return document.Content[0]
}

// collect gathers the reported problems, with their lines.
func collect(all *[]string) func(int, string) {
	return func(line int, text string) { *all = append(*all, fmt.Sprintf("%d: %s", line, text)) }
}

// TestInspect: what no file may contain, and similar content that any file may.
func TestInspect(t *testing.T) {
	nested := func(deep int) string { return strings.Repeat("[", deep) + strings.Repeat("]", deep) }
	for text, want := range map[string][]string{
		"a: &x 1\nb: *x":     {`1: anchor "&x": write the value out, aliases are not supported`, `2: alias "*x": write the value out, aliases are not supported`},
		"a: \"*x\"\nb: '&x'": nil,
		"a: !!set {x: null}": {`1: tag "!!set": only the plain types of JSON are supported`},
		"a: !!map {x: null}": nil,
		nested(MaxDepth + 2): {"1: lists and maps nest more than 200 deep"},
		nested(MaxDepth):     nil,
	} {
		var told []string
		Inspect(parse(t, text), collect(&told))
		assert.Equal(t, want, told, "%.40s", text)
	}
}

func TestKeys(t *testing.T) {
	var told, keys []string
	for key, node := range Keys(parse(t, "a: 1\n2: x\na: 3\n2020-01-01: d\n[l]: y\n\"2\": z\n"), collect(&told)) {
		keys = append(keys, key.Value+"="+node.Value)
	}
	assert.Equal(t, []string{"a=1", "2020-01-01=d", "2=z"}, keys)
	assert.Equal(t, []string{
		"2: the number 2 as a key: keys are strings, quote it", `3: key "a" is given twice, first in line 1`,
		"5: a list as a key: keys are strings",
	}, told)
}

func TestDisputed(t *testing.T) {
	for text, want := range map[string]bool{"on": true, "Off": true, "y": true, "'on'": false, "online": false, "true": false, "1": false, "[on]": false} {
		assert.Equal(t, want, Disputed(parse(t, text)) != "", text)
	}
}

// TestLine: a field, the nearest above it, and one in a list that no number leads into.
func TestLine(t *testing.T) {
	n := parse(t, "metadata:\n  labels:\n    a.b/c: x\nspec:\n  rows:\n  - name: one\n  - name: two\n    deep: 1\n")
	for field, want := range map[string]int{
		"metadata.labels[a.b/c]": 3, "metadata.labels[a.b/d]": 2, "spec.rows[1].deep": 8, "spec.rows[0].deep": 6,
		"spec.rows.deep": 8, "spec.rows[7]": 5, "status": 1, "": 1,
	} {
		assert.Equal(t, want, Line(n, field), field)
	}
}
