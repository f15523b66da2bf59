package crd

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/servers/build"
)

// plain is a valid definition.
const plain = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.dev
spec:
  group: example.dev
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, listKind: WidgetList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          size: {type: integer}
`

// withWebhook returns the definition with a webhook that converts, and withVersion with a second version.
func withWebhook(text string) string {
	return strings.Replace(text, "  scope:", "  conversion: {strategy: Webhook}\n  scope:", 1)
}

func withVersion(text string) string {
	return text + "  - {name: v0, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}\n"
}

func folder(files ...string) fstest.MapFS {
	fs := fstest.MapFS{}
	for i := 0; i < len(files); i += 2 {
		fs[files[i]] = &fstest.MapFile{Data: []byte(files[i+1])}
	}
	return fs
}

func TestRead(t *testing.T) {
	other := strings.ReplaceAll(strings.ReplaceAll(plain, "widget", "gadget"), "Widget", "Gadget")
	set, err := Read("m", folder("b.yaml", plain, "a.yml", "---\n# nothing\n---\n"+other, "role.yaml", "apiVersion: v1\nkind: Role\n", "notes.txt", "x: ["))
	require.NoError(t, err)
	require.Len(t, set.Definitions, 2)
	assert.Equal(t, "gadgets.example.dev", set.Definitions[0].Name)
	assert.Equal(t, []string{"v1"}, set.Definitions[1].Versions)
	assert.Equal(t, []string{"m/role.yaml:1: Role"}, set.Skipped)
}

// TestReadJSON: a definition in JSON is read whatever characters it has that YAML does not read as JSON does.
func TestReadJSON(t *testing.T) {
	body, err := yaml.YAMLToJSON([]byte(plain))
	require.NoError(t, err)
	const odd = "a\u007f\u0085\ufeff"
	text := strings.Replace(string(body), `"openAPIV3Schema":{`, `"openAPIV3Schema":{"description":"`+odd+`\ud83e\udd80",`, 1)
	set, err := Read("m", folder("crd.json", text))
	require.NoError(t, err)
	require.Len(t, set.Definitions, 1)
	assert.Contains(t, string(set.Definitions[0].JSON), odd+"🦀")
}

// TestReadProblems: problems are reported with their line, before any server starts.
func TestReadProblems(t *testing.T) {
	edit := func(old, new string) string {
		require.Contains(t, plain, old)
		return strings.Replace(plain, old, new, 1)
	}
	cases := map[string]struct{ file, want string }{
		"no definition":    {"apiVersion: v1\nkind: ConfigMap\n", "m: contains no CustomResourceDefinition: only m/a.yaml:1: ConfigMap"},
		"nothing":          {"", "m: contains no CustomResourceDefinition in a file that ends in .yaml, .yml or .json"},
		"defined twice":    {plain + "---\n" + plain, `m/a.yaml:19: metadata.name: "widgets.example.dev" is defined in m/a.yaml:1 already`},
		"no name":          {edit("  name: widgets.example.dev", "  labels: {}"), "m/a.yaml:1: metadata.name: missing"},
		"another's name":   {edit("group: example.dev", "group: example.com"), "m/a.yaml:4: metadata.name: Invalid value"},
		"an old form":      {edit("k8s.io/v1", "k8s.io/v1beta1"), "m/a.yaml:1: apiVersion: \"apiextensions.k8s.io/v1beta1\": no release from 1.22 on serves it"},
		"unknown field":    {edit("served:", "serve:"), "m/a.yaml:11: spec.versions[0].serve: no such field"},
		"unknown type":     {edit("integer", "int"), "m/a.yaml:17: spec.versions[0].schema.openAPIV3Schema.properties[size].type: Unsupported value"},
		"nothing stored":   {edit("storage: true", "storage: false"), "spec.versions: Invalid value"},
		"unknown strategy": {edit("  scope:", "  conversion: {strategy: Magic}\n  scope:"), `m/a.yaml:7: spec.conversion.strategy: Unsupported value: "Magic"`},
		"no rules":         {withVersion(withWebhook(plain)), "m/a.yaml:1: spec.conversion: uses a webhook, but no file in the folder contains its rules"},
		"key twice":        {edit("  scope:", "  group: x.dev\n  scope:"), `m/a.yaml:7: key "group" is given twice, first in line 6`},
		"an endless alias": {"a: &a [x]\nb: &b [*a, *b]\n", `m/a.yaml:2: alias "*b" is within its own anchor`},
		"too deep":         {"a: " + strings.Repeat("[", 400) + strings.Repeat("]", 400), "m/a.yaml:1: lists and maps nest more than 200 deep"},
		"no YAML":          {"a: b\n\tc: d\n", "m/a.yaml:2: not YAML: found a tab"},
		"disputed":         {edit("served: true", "served: yes"), `m/a.yaml:11: "yes" is a string in some versions of YAML and a boolean in others: quote it`},
		"a number as key":  {edit("  scope:", "  7: x\n  scope:"), "m/a.yaml:7: the number 7 as a key: keys are strings, quote it"},
		"a tagged map":     {edit("spec:", "spec: !!set"), `m/a.yaml:5: tag "!!set": only the plain types of JSON are supported`},
		"a list of none":   {"apiVersion: v1\nkind: List\n", "m/a.yaml:1: items: missing, or not a list"},
		"no object":        {"- a\n", "m/a.yaml:1: not an object"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			set, err := Read("m", folder("a.yaml", c.file))
			err = errors.Join(err, set.Installable())
			require.Error(t, err)
			assert.Contains(t, err.Error(), c.want)
			assert.Equal(t, 1, strings.Count(err.Error(), c.want), "told once")
		})
	}
}

// TestConverted: a webhook converts objects of several versions, and needs rules or a program; of one version, for which some charts
// name a webhook too, there is nothing to convert.
func TestConverted(t *testing.T) {
	for text, want := range map[string][]string{withWebhook(plain): nil, withVersion(withWebhook(plain)): {"widgets.example.dev"}, withVersion(plain): nil} {
		set, err := Read("m", folder("a.yaml", text))
		require.NoError(t, err)
		assert.Equal(t, want, set.Converted())
		assert.Equal(t, want, set.Unruled)
	}
}

// TestReadText: errors in what a chart is rendered to have the chart's name as it was given.
func TestReadText(t *testing.T) {
	_, err := ReadText("crd:example.dev/m@v1.0.0//chart", []byte(plain+"---\n"+plain))
	assert.ErrorContains(t, err, "crd:example.dev/m@v1.0.0//chart:19: metadata.name")
	_, err = ReadText("crd:example.dev/m@v1.0.0//chart", []byte("kind: Job\n---\nkind: Secret\n"))
	assert.ErrorContains(t, err, "//chart: contains no CustomResourceDefinition: only 1: Job, 3: Secret;")
}

// TestReadAnchors: anchors, aliases and merge keys are read as kubectl reads them.
func TestReadAnchors(t *testing.T) {
	const size = "          size: {type: integer}\n"
	short, err := Read("m", folder("a.yaml", strings.Replace(plain, size, "          size: &int {type: integer}\n          depth: *int\n          width: {<<: *int, minimum: 1}\n", 1)))
	require.NoError(t, err)
	written, err := Read("m", folder("a.yaml", strings.Replace(plain, size, size+"          depth: {type: integer}\n          width: {type: integer, minimum: 1}\n", 1)))
	require.NoError(t, err)
	assert.Equal(t, string(written.Definitions[0].JSON), string(short.Definitions[0].JSON))
}

// TestReadBounds: files that are too large, and folders that do not exist, are reported at
// once.
func TestReadBounds(t *testing.T) {
	_, err := Read("m", folder("a.yaml", plain+"# "+strings.Repeat("x", maxBytes)))
	assert.ErrorContains(t, err, "m/a.yaml: larger than 16 MiB")
	_, err = Read("m", folder("b/a.yaml", plain))
	assert.ErrorContains(t, err, "m: contains no CustomResourceDefinition")
	var many strings.Builder
	for range 3 * maxProblems {
		many.WriteString("- x: yes\n")
	}
	_, err = Read("m", folder("a.yaml", "a: x\nall:\n"+many.String()))
	require.Error(t, err)
	assert.Equal(t, maxProblems, strings.Count(err.Error(), `quote it`))
	assert.Contains(t, err.Error(), "and 60 more")
}

func TestReadSums(t *testing.T) {
	sums, err := ReadSums("s", []byte("example.dev/m v1.0.0 h1:abc=\nexample.dev/m v1.0.0/go.mod h1:def=\n\n"))
	require.NoError(t, err)
	assert.Equal(t, Sums{"example.dev/m@v1.0.0": "h1:abc="}, sums)
	_, err = ReadSums("s", []byte("\nexample.dev/m v1.0.0\n"))
	assert.ErrorContains(t, err, "s:2: not understood")
}

// TestFetchedFiles: files that were changed after they were fetched, or that are not those of
// the scenario, are refused.
func TestFetchedFiles(t *testing.T) {
	dir := t.TempDir()
	d := build.Download{Dir: dir, Sum: "h1:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="} // of no files
	assert.NoError(t, check(d, "example.dev/m@v1.0.0", ""))
	assert.NoError(t, check(d, "example.dev/m@v1.0.0", d.Sum))
	assert.ErrorContains(t, check(d, "example.dev/m@v1.0.0", "h1:other="), "not what the scenario was written for")
	d.Sum = "h1:other="
	assert.ErrorContains(t, check(d, "example.dev/m@v1.0.0", ""), "are not those that Go fetched")
}

// TestOfKinds: a set of some kinds has their definitions alone, wherever a kind is named with its group or
// without. With a name that no definition has, nothing is left out: the other release may have it, or it is
// spelled wrong.
func TestOfKinds(t *testing.T) {
	other := strings.ReplaceAll(strings.ReplaceAll(plain, "widget", "gadget"), "Widget", "Gadget")
	hooked := withVersion(withWebhook(other))
	set, err := Read("m", folder("a.yaml", plain, "b.yaml", hooked))
	require.NoError(t, err)
	for _, c := range []struct{ kinds, want []string }{
		{nil, []string{"gadgets.example.dev", "widgets.example.dev"}},
		{[]string{"Widget"}, []string{"widgets.example.dev"}},
		{[]string{"Gadget.example.dev"}, []string{"gadgets.example.dev"}},
		{[]string{"Widget.example.org"}, []string{"gadgets.example.dev", "widgets.example.dev"}},
		{[]string{"Widget", "Wodget"}, []string{"gadgets.example.dev", "widgets.example.dev"}},
	} {
		of := set.OfKinds(c.kinds)
		var names []string
		for _, d := range of.Definitions {
			names = append(names, d.Name)
		}
		assert.Equal(t, c.want, names, c.kinds)
		assert.Equal(t, slices.Contains(names, "gadgets.example.dev"), of.Installable() != nil, "what is left out needs no rules")
	}
}
