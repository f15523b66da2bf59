package crd

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestHelm: the problem of a Helm template is one line. A file with expressions only in its
// texts is read as any other, and its problems are reported.
func TestHelm(t *testing.T) {
	edit := func(old, new string) string {
		require.Contains(t, plain, old)
		return strings.Replace(plain, old, new, 1)
	}
	text := `size: {type: integer, description: "such as {{ .Size }}"}`
	block := "size:\n            type: integer\n            description: |\n              such as\n              {{ .Size }}\n"
	for name, c := range map[string]struct {
		file string
		helm bool
		fine bool
	}{
		"in a condition":            {"{{- if .Values.install }}\n" + plain + "{{- end }}\n", true, false},
		"a value":                   {edit("  name: widgets.example.dev", "  name: {{ .Values.name }}"), true, false},
		"a quoted value":            {edit("  name: widgets.example.dev", `  name: "{{ .Values.name }}.example.dev"`), true, false},
		"labels from a template":    {edit("spec:", "  labels:\n  {{- include \"labels\" . | nindent 4 }}\nspec:"), true, false},
		"an element of a list":      {edit("  versions:", "  versions:\n  - {{ toYaml .Values.v1 }}"), true, false},
		"in a description":          {edit("size: {type: integer}", text), false, true},
		"alone in a description":    {edit("size: {type: integer}\n", block), false, true},
		"in one, and wrong beside":  {strings.Replace(edit("size: {type: integer}", text), "served:", "serve:", 1), false, false},
		"in one, and no YAML":       {edit("size: {type: integer}", text) + "\tc: d\n", false, false},
		"no expression, and wrong":  {edit("served:", "serve:"), false, false},
		"a name with an odd letter": {edit("  name: widgets.example.dev", "  name: widgets_example"), false, false},
	} {
		_, err := Read("m", folder("a.yaml", c.file))
		if c.fine {
			assert.NoError(t, err, name)
			continue
		}
		require.Error(t, err, name)
		var p Problem
		require.ErrorAs(t, err, &p, name)
		told := strings.Contains(err.Error(), "helm template")
		assert.Equal(t, c.helm, told, "%s: %v", name, err)
		if c.helm {
			assert.Equal(t, 1, strings.Count(err.Error(), "\n")+1, "%s: %v", name, err)
		}
	}
}

// TestHelmChart: a folder of templates is one line, and the problems of other files beside them stay.
func TestHelmChart(t *testing.T) {
	template := "{{- if .Values.install }}\n" + plain + "{{- end }}\n"
	files := fstest.MapFS{"a.yaml": {Data: []byte(template)}, "b.yaml": {Data: []byte(template)}, "c.yaml": {Data: []byte(template)}}
	_, err := Read("m", files)
	require.Error(t, err)
	assert.Equal(t, 1, strings.Count(err.Error(), "\n")+1, "%v", err)
	files["d.yaml"] = &fstest.MapFile{Data: []byte(strings.Replace(plain, "served:", "serve:", 1))}
	_, err = Read("m", files)
	require.Error(t, err)
	assert.Greater(t, strings.Count(err.Error(), "\n"), 0, "%v", err)
	assert.Contains(t, err.Error(), "d.yaml")
}
