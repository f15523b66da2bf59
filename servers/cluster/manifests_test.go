package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/skewsim/skewsim/servers/fault"
)

// read reads one file, and returns its objects by their names.
func read(t *testing.T, file, text string) (names, bodies []string, skipped []string, err error) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(text), 0o600))
	coverage, err := Manifests{Paths: []string{filepath.Join(dir, file)}}.Each(t.Context(), func(o Object) error {
		names, bodies = append(names, o.String()), append(bodies, string(o.Body))
		return nil
	})
	for _, s := range coverage.Skipped {
		skipped = append(skipped, strings.ReplaceAll(s.String(), dir+"/", ""))
	}
	if err != nil {
		assert.Equal(t, fault.User, fault.Of(err).Kind)
		err = errors.New(strings.ReplaceAll(err.Error(), dir+"/", ""))
	}
	return names, bodies, skipped, err
}

const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ns}\n"

func TestDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		names   []string
		skipped string // the only one
	}{
		"one":             {pod, []string{"Pod ns/p"}, ""},
		"several":         {"---\n# nothing\n---\n" + pod + "---\n\n---\n" + strings.Replace(pod, "p,", "q,", 1), []string{"Pod ns/p", "Pod ns/q"}, ""},
		"in JSON":         {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"}} {"apiVersion":"v1","kind":"Pod","metadata":{"name":"q"}}`, []string{"Pod p", "Pod q"}, ""},
		"flow style":      {"{apiVersion: v1, kind: Pod, metadata: {name: p}}\n", []string{"Pod p"}, ""},
		"byte order mark": {"\xef\xbb\xbf" + pod, []string{"Pod ns/p"}, ""},
		"order": {pod + "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ns}\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a.b}\n",
			[]string{"CustomResourceDefinition.apiextensions.k8s.io a.b", "Namespace ns", "Pod ns/p"}, ""},
		"a list":               {"apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod, metadata: {name: p}}\n- {apiVersion: apps/v1, kind: Deployment, metadata: {name: d}}\n", []string{"Pod p", "Deployment.apps d"}, ""},
		"a typed list":         {`{"apiVersion":"apps/v1","kind":"DeploymentList","items":[{"metadata":{"name":"d"}}]}`, []string{"Deployment.apps d"}, ""},
		"an empty list":        {"apiVersion: v1\nkind: List\nitems: []\n---\n" + pod, []string{"Pod ns/p"}, ""},
		"a list in a list":     {"apiVersion: v1\nkind: List\nitems: [{apiVersion: v1, kind: List, items: [{apiVersion: v1, kind: Pod, metadata: {name: p}}]}]\n", []string{"Pod p"}, ""},
		"a kind named List":    {"apiVersion: a.b/v1\nkind: AllowList\nmetadata: {name: x}\nitems: [1]\n", []string{"AllowList.a.b x"}, ""},
		"twice":                {pod + "---\n" + pod, []string{"Pod ns/p", "Pod ns/p"}, ""},
		"in another namespace": {pod + "---\n" + strings.Replace(pod, "namespace: ns", "namespace: ms", 1), []string{"Pod ns/p", "Pod ms/p"}, ""},
		"no name":              {pod + "---\napiVersion: v1\nkind: Pod\nmetadata: {}\n", []string{"Pod ns/p"}, "f.yaml, document 2: Pod has no metadata.name"},
		"no kind":              {pod + "---\napiVersion: v2\nname: chart\n", []string{"Pod ns/p"}, "f.yaml, document 2: an object has no kind"},
		"no apiVersion":        {pod + "---\nkind: Pod\nmetadata: {name: x}\n", []string{"Pod ns/p"}, "f.yaml, document 2: Pod has no apiVersion"},
		"values":               {pod + "---\nreplicas: 3\n", []string{"Pod ns/p"}, "f.yaml, document 2: is not a Kubernetes object: it has no apiVersion and no kind"},
		"a list of values":     {pod + "---\n- a\n", []string{"Pod ns/p"}, "f.yaml, document 2: is not a Kubernetes object: not a JSON object"},
		"an odd item":          {"apiVersion: v1\nkind: PodList\nitems: [3, {metadata: {name: p}}]\n", []string{"Pod p"}, "f.yaml, document 1, item 1: is not a Kubernetes object: not a JSON object"},
		"kustomization":        {pod + "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n", []string{"Pod ns/p"}, "f.yaml, document 2: is a file of Kustomize: render it first, with kustomize build"},
		"a kubeconfig":         {pod + "---\napiVersion: v1\nkind: Config\n", []string{"Pod ns/p"}, "f.yaml, document 2: is a kubeconfig file, not an object"},
		"of a component":       {pod + "---\napiVersion: kubelet.config.k8s.io/v1beta1\nkind: KubeletConfiguration\n", []string{"Pod ns/p"}, "f.yaml, document 2: is a configuration file of a component, which no server stores"},
		"a variable":           {pod + "---\n" + strings.Replace(pod, "name: p", `name: "${NAME}"`, 1), []string{"Pod ns/p"}, `f.yaml, document 2: contains a variable, "${NAME}": replace it first, with the tool that the file is for`},
		"a quoted expression":  {pod + "---\n" + strings.Replace(pod, "name: p", `name: "{{ .Values.name }}"`, 1), []string{"Pod ns/p"}, "f.yaml, document 2: contains Helm template expressions, {{ ... }}: render it first, with helm template"},
	} {
		names, _, skipped, err := read(t, "f.yaml", c.text)
		require.NoError(t, err, name)
		assert.Equal(t, c.names, names, name)
		if c.skipped == "" {
			assert.Empty(t, skipped, name)
			continue
		}
		assert.Equal(t, []string{c.skipped}, skipped, name)
	}
}

// TestTemplates: a Helm template is skipped as a whole, and one line says so. A file with
// expressions in its texts alone is read.
func TestTemplates(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"pod.yaml":      pod,
		"a.yaml":        strings.Replace(pod, "name: p", "name: other", 1) + "---\n{{- if .Values.x }}\n" + pod + "{{- end }}\n",
		"b.yaml":        "{{ include \"x\" . }}\n",
		"c.yaml":        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Values.name }}\n",
		"configmap.yml": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  t: |\n    {{ .x }}\n",
		"d.txt":         "{{",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	var names []string
	coverage, err := Manifests{Paths: []string{dir}}.Each(t.Context(), func(o Object) error { names = append(names, o.String()); return nil })
	require.NoError(t, err)
	assert.Equal(t, []string{"ConfigMap c", "Pod ns/p"}, names)
	require.Len(t, coverage.Skipped, 3)
	for _, s := range coverage.Skipped {
		assert.Contains(t, s.Reason, "contains Helm template expressions")
		assert.True(t, s.Lacks, "its objects were not read")
	}
	assert.Equal(t, 2, coverage.Objects)
}

// TestAsKubectl: values are read as kubectl reads them.
func TestAsKubectl(t *testing.T) {
	_, bodies, _, err := read(t, "f.yaml", pod+`spec:
  words: [yes, No, on, "yes", true, y, yEs]
  date: 2024-01-02
  mode: 0644
  large: 9007199254740993
  80: port
  on: key
  base: &b {x: 1}
  copy: {<<: *b, z: 2}
`)
	require.NoError(t, err)
	assert.JSONEq(t, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"ns"},"spec":{
		"words":[true,false,true,"yes",true,true,"yEs"],"date":"2024-01-02","mode":420,"large":9007199254740993,"80":"port","true":"key",
		"base":{"x":1},"copy":{"x":1,"z":2}}}`, bodies[0])
	assert.Contains(t, bodies[0], "9007199254740993")
	body := `{"kind":"Pod", "apiVersion":"v1","metadata":{"name":"p","managedFields":[{}],"uid":"u"},"spec":{"x":1.0}}`
	_, bodies, _, err = read(t, "f.json", body)
	require.NoError(t, err)
	assert.Equal(t, []string{body}, bodies, "JSON stays as it is")
}

// TestGenerateName: the name is the same in each run, and another one for another object.
func TestGenerateName(t *testing.T) {
	text := `{"apiVersion":"batch/v1","kind":"Job","metadata":{"generateName":"job-","labels":{"a":"b"}}}`
	dir := t.TempDir()
	file := filepath.Join(dir, "f.json")
	require.NoError(t, os.WriteFile(file, []byte(text+text), 0o600))
	var runs [2][]string
	for i := range runs {
		_, err := Manifests{Paths: []string{file}}.Each(t.Context(), func(o Object) error {
			runs[i] = append(runs[i], o.Name)
			assert.JSONEq(t, strings.Replace(text, `"labels"`, `"name":"`+o.Name+`","labels"`, 1), string(o.Body))
			return nil
		})
		require.NoError(t, err)
	}
	assert.Equal(t, runs[0], runs[1])
	require.Len(t, runs[0], 2)
	assert.NotEqual(t, runs[0][0], runs[0][1])
	assert.Regexp(t, `^job-[a-z2-7]{5}$`, runs[0][0])
}

// bomb is a document whose aliases expand to 10^8 values.
func bomb() string {
	text := pod + "spec:\n  a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := 1; i < 8; i++ {
		text += fmt.Sprintf("  a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 10), ", "))
	}
	return text
}

func TestProblems(t *testing.T) {
	long := pod + "spec:\n  a: &a " + strings.Repeat("x", 1<<20) + "\n  b: [" + strings.Repeat("*a, ", 5000) + "]\n"
	for name, c := range map[string]struct{ text, want string }{
		"not YAML":        {pod + "\tx: y\n", "f.yaml:4: not YAML: found character that cannot start any token"},
		"a key twice":     {pod + "kind: Pod\n", "f.yaml:4: not readable as JSON: mapping key \"kind\" already defined at line 2"},
		"an alias bomb":   {bomb(), "aliases make more than 100000 values"},
		"a long alias":    {long, "f.yaml:1: aliases make it larger than 16 MiB"},
		"an alias loop":   {pod + "spec: &a {b: *a}\n", `alias "*a" is within its own anchor`},
		"deep":            {pod + "spec: " + strings.Repeat("[", 300) + strings.Repeat("]", 300), "nest more than 200 deep"},
		"not a number":    {pod + "spec: .nan\n", "not readable as JSON: json: unsupported value: NaN"},
		"large":           {pod + strings.Repeat("# "+strings.Repeat("x", 1<<20)+"\n", 17), "larger than 16 MiB: split it, or write it as JSON"},
		"compressed":      {"\x1f\x8b\x08", "is compressed with gzip"},
		"nothing":         {"# none\n", "no Kubernetes object"},
		"no object":       {"a: b\n", "no Kubernetes object\n  skipped f.yaml, document 1: is not"},
		"lists in lists":  {strings.Repeat(`{"apiVersion":"v1","kind":"List","items":[`, 7) + strings.Repeat("]}", 7), "lists nest more than 5 deep"},
		"a deep JSON":     {`{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + "}", "f.yaml"},
		"two problems":    {pod + "spec: .nan\n---\n" + pod + "spec: .inf\n", "+Inf"},
		"a binary, zeros": {"\x00\x00", "not YAML"},
	} {
		names, _, _, err := read(t, "f.yaml", c.text)
		assert.ErrorContains(t, err, c.want, name)
		assert.Empty(t, names, name)
	}
}

// TestFiles: folders are read with their subfolders, and nothing in them can make the reading
// wait or go round in circles.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, text string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(file(name)), 0o700))
		require.NoError(t, os.WriteFile(file(name), []byte(text), 0o600))
	}
	write("a/b/p.yaml", pod)
	write("a/q.json", `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"q"}}`)
	write("a/.git/r.yaml", "\t")
	write("a/readme.md", "\t")
	require.NoError(t, os.Symlink("..", file("a/b/up")))
	require.NoError(t, os.Symlink("p.yaml", file("a/b/link.yaml")))
	require.NoError(t, os.Symlink("none", file("a/b/none")))
	require.NoError(t, os.Symlink(file("a"), file("root")))

	each := func(paths ...string) (names []string, _ Coverage, _ error) {
		coverage, err := Manifests{Paths: paths, Stdin: strings.NewReader(pod)}.Each(t.Context(), func(o Object) error {
			names = append(names, o.String())
			return nil
		})
		return names, coverage, err
	}
	for _, root := range []string{file("a"), file("root")} {
		names, coverage, err := each(root)
		require.NoError(t, err)
		assert.Equal(t, []string{"Pod ns/p", "Pod ns/p", "Pod q"}, names)
		require.Len(t, coverage.Skipped, 1)
		assert.Equal(t, filepath.Join(root, "b/up"), coverage.Skipped[0].What)
		assert.Contains(t, coverage.Source, "(3 files)")
	}
	names, coverage, err := each(StandardInput)
	require.NoError(t, err)
	assert.Equal(t, []string{"Pod ns/p"}, names)
	assert.Equal(t, "manifests: - (1 file)", coverage.Source)

	require.NoError(t, os.Symlink("loop.yaml", file("a/loop.yaml")))
	require.NoError(t, unix.Mkfifo(file("a/pipe.yaml"), 0o600))
	_, _, err = each(file("a"))
	assert.ErrorContains(t, err, "loop.yaml: too many levels of symbolic links")
	assert.ErrorContains(t, err, "pipe.yaml: not a regular file: pass - and write to standard input instead")
	_, _, err = each(file("none"))
	assert.ErrorContains(t, err, "none: no such file or directory")
	_, _, err = each(file("a/pipe.yaml"))
	assert.ErrorContains(t, err, "not a regular file")
}

func TestEndsEarly(t *testing.T) {
	own := errors.New("own")
	s := Manifests{Paths: []string{StandardInput}, Stdin: strings.NewReader(pod)}
	_, err := s.Each(t.Context(), func(Object) error { return own })
	assert.ErrorIs(t, err, own)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = s.Each(ctx, func(Object) error { return nil })
	assert.ErrorIs(t, err, context.Canceled)
	_, err = Manifests{Paths: []string{StandardInput}, Stdin: io.MultiReader(strings.NewReader("a"), failing{})}.Each(t.Context(), nil)
	assert.ErrorContains(t, err, "standard input: broken")
}

type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("broken") }
