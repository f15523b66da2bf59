package scenarios_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden holds the text against a file, or writes it there with -update.
func golden(t *testing.T, file, text string) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err, "go test ./scenarios -update writes it")
	assert.Equal(t, string(want), text)
}

func fixtures(t *testing.T, pattern string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

func TestValid(t *testing.T) {
	for _, file := range fixtures(t, "valid-*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, err := load.File(file)
			require.NoError(t, err)
			text, err := json.MarshalIndent(s, "", "  ")
			require.NoError(t, err)
			manifests, err := json.MarshalIndent(s.Manifests, "", "  ")
			require.NoError(t, err)
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", string(text)+"\n"+string(manifests)+"\n")
		})
	}
}

func TestInvalid(t *testing.T) {
	for _, file := range fixtures(t, "invalid-*.yaml") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			s, err := load.File(file)
			require.Error(t, err)
			assert.Nil(t, s)
			var all strict.Errors
			require.ErrorAs(t, err, &all)
			golden(t, strings.TrimSuffix(file, ".yaml")+".golden", err.Error()+"\n")
		})
	}
}

// TestFixturesAreUsed fails for a golden without its scenario, and for an
// object file that no fixture names.
func TestFixturesAreUsed(t *testing.T) {
	used := map[string]bool{}
	var scenarioTexts strings.Builder
	for _, file := range fixtures(t, "*valid-*.yaml") {
		used[file], used[strings.TrimSuffix(file, ".yaml")+".golden"] = true, true
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		scenarioTexts.Write(text)
	}
	require.NoError(t, filepath.WalkDir("testdata", func(file string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		switch {
		case d.IsDir() && d.Name() == "fuzz":
			return fs.SkipDir
		case d.IsDir():
		case filepath.Base(filepath.Dir(file)) == "objects":
			used := regexp.MustCompile("objects/" + regexp.QuoteMeta(d.Name()) + "[},]")
			assert.True(t, used.MatchString(scenarioTexts.String()), "%s is not used", file)
		default:
			assert.True(t, used[file], "%s is not used", file)
		}
		return nil
	}))
}

const minimal = `name: s
about: x
objects: {x: {bystander: o.yaml}}
play: {create: x}
`

const listed = `name: s
about: x
objects: {x: {bystander: o.yaml}}
play: [{create: x}]
`

const configMap = "apiVersion: v1\nkind: ConfigMap\n"

// TestOneLine holds the shape of an error, as the types give it to programs.
func TestOneLine(t *testing.T) {
	_, err := load.FS(fstest.MapFS{"s.yaml": {Data: []byte(minimal)}, "o.yaml": {Data: []byte(configMap)}}, "s.yaml")
	assert.EqualError(t, err, `s.yaml:4: play: wants a list, found a map`)
	var problem strict.Problem
	require.ErrorAs(t, err, &problem)
	assert.Equal(t, strict.Problem{File: "s.yaml", Line: 4, Path: "play", Text: "wants a list, found a map"}, problem)
}

func TestLines(t *testing.T) {
	s, err := load.File("testdata/valid-everything.yaml")
	require.NoError(t, err)
	for at, line := range map[string]int{
		"name": 1, "new.featureGates.Frobber2D": 7, "objects.x.treated": 13, "play[0]": 16, "play[0].via": 16,
		"play[3].fields": 20, `play[3].fields[".spec.ratio"]`: 23, "play[4].body.data.b": 32, "expect[1].cause": 66,
	} {
		assert.Equal(t, line, s.Lines[at], at)
	}
	assert.Equal(t, 61, s.Expect[0].Line)
	assert.Equal(t, 62, s.Expect[1].Line)
}

func TestUnreadable(t *testing.T) {
	folder := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(folder, "d.yaml"), 0o755))
	for file, want := range map[string]string{
		filepath.Join(folder, "none.yaml"): "no such file or directory",
		filepath.Join(folder, "d.yaml"):    "not a regular file",
		os.DevNull:                         "not a regular file",
	} {
		_, err := load.File(file)
		assert.ErrorContains(t, err, want)
		assert.ErrorContains(t, err, "scenario ")
	}
	_, err := load.File(filepath.Join(folder, "none.yaml"))
	assert.ErrorIs(t, err, fs.ErrNotExist)
	_, err = load.FS(fstest.MapFS{}, "../s.yaml")
	assert.EqualError(t, err, `scenario "../s.yaml": file does not exist`)
}

func TestLinksStayInside(t *testing.T) {
	outside, folder := t.TempDir(), t.TempDir()
	write := func(file, text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o644)) }
	write(filepath.Join(outside, "secret.yaml"), configMap)
	write(filepath.Join(folder, "s.yaml"), listed)
	require.NoError(t, os.Symlink(filepath.Join(outside, "secret.yaml"), filepath.Join(folder, "o.yaml")))
	_, err := load.File(filepath.Join(folder, "s.yaml"))
	assert.ErrorContains(t, err, `s.yaml:3: objects.x.bystander: "o.yaml" is a link that leads out of the scenario's folder`)

	require.NoError(t, os.Remove(filepath.Join(folder, "o.yaml")))
	write(filepath.Join(folder, "real.yaml"), configMap)
	require.NoError(t, os.Symlink("real.yaml", filepath.Join(folder, "o.yaml")))
	_, err = load.File(filepath.Join(folder, "s.yaml"))
	assert.NoError(t, err, "a link within the folder is how Kubernetes mounts a ConfigMap")
}

func TestHostile(t *testing.T) {
	load := func(text string) error {
		_, err := load.FS(fstest.MapFS{"s.yaml": {Data: []byte(text)}, "o.yaml": {Data: []byte(configMap)}}, "s.yaml")
		return err
	}
	assert.NoError(t, load(listed))
	assert.EqualError(t, load(listed+strings.Repeat("#", 1<<20)), "s.yaml: larger than 1 MiB, which is the most that a file may have")
	assert.EqualError(t, load("name: "+strings.Repeat("[", 300)+strings.Repeat("]", 300)), "s.yaml:1: lists and maps nest more than 200 deep")
	assert.ErrorContains(t, load(strings.Repeat("[", 500_000)), "exceeded max depth")
	assert.ErrorContains(t, load(strings.Repeat("- ", 500_000)), "exceeded max depth")
	many := load("name: s\nabout: x\nobjects: {x: {bystander: o.yaml}}\nplay: [{create: x, at: [" + strings.Repeat("z,", 300) + "]}]")
	assert.Equal(t, 100, strings.Count(many.Error(), "\n"))
	assert.ErrorContains(t, many, "\ns.yaml: and 200 more problems")
	long := strings.Repeat("k", 1000)
	assert.EqualError(t, load(listed+long+": 1\n"), `s.yaml:5: unknown key "`+strings.Repeat("k", 64)+`"... (keys: name, about, releases, old, new, replicas, surge, journey, objects, play, related, confidential, orders, isolate, expect, mutants)`)
}

func TestHostileObjects(t *testing.T) {
	load := func(object string) error {
		_, err := load.FS(fstest.MapFS{"d/s.yaml": {Data: []byte(listed)}, "d/o.yaml": {Data: []byte(object)}}, "d/s.yaml")
		return err
	}
	assert.NoError(t, load(configMap))
	assert.EqualError(t, load(""), "d/o.yaml: empty")
	assert.EqualError(t, load("null"), "d/o.yaml:1: not an object: it needs apiVersion, kind and fields")
	assert.EqualError(t, load(`{"apiVersion":"v1","kind":"Pod","s":"`+strings.Repeat("x", 1<<20)+`"}`), "d/o.yaml: larger than 1 MiB, which is the most that a file may have")
	assert.EqualError(t, load(configMap+"a: .inf\n"), "d/o.yaml: not YAML: json: unsupported value: +Inf")
	assert.EqualError(t, load("\na: *b"), "d/o.yaml:2: not YAML: unknown anchor 'b' referenced")
	nested := strings.Repeat(`{"a":`, 300) + "1" + strings.Repeat("}", 300)
	assert.EqualError(t, load(`{"apiVersion":"v1","kind":"Pod","s":`+nested+"}"), "d/o.yaml: lists and maps nest more than 200 deep")
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"emptydir-mode":                 "kubernetes/emptydir-mode.yaml",
		"kubernetes/emptydir-mode":      "kubernetes/emptydir-mode.yaml",
		"kubernetes/quiet.yaml":         "kubernetes/quiet.yaml",
		"testdata/valid-minimal.yaml":   "testdata/valid-minimal.yaml",
		"./testdata/valid-minimal.yaml": "./testdata/valid-minimal.yaml",
	} {
		s, err := load.Find(name)
		require.NoError(t, err)
		assert.Equal(t, want, s.File)
		assert.Equal(t, s.Name, s.FullName())
	}
	for name, want := range map[string]string{
		"emptydir-mod":       `scenario "emptydir-mod": neither a file that ends in .yaml nor in the catalogue: did you mean "emptydir-mode"?`,
		"kubernets/quiet":    `scenario "kubernets/quiet": neither a file that ends in .yaml nor in the catalogue: did you mean "kubernetes/quiet"?`,
		"frobber/unio":       `scenario "frobber/unio": neither a file that ends in .yaml nor in the catalogue (the nearest: frobber/union-grown, frobber/union, kubernetes/union-member; see skewsim list)`,
		"emptydir-mode.yaml": `scenario "emptydir-mode.yaml": no such file or directory`,
	} {
		_, err := load.Find(name)
		assert.EqualError(t, err, want)
	}
	// A name that is near to no known name gets a few suggestions, and where to find all names.
	for _, name := range []string{"pluralised-params", "testdata/valid-minimal", "frobber/nope"} {
		_, err := load.Find(name)
		require.Error(t, err)
		_, near, _ := strings.Cut(err.Error(), "(the nearest: ")
		near, _, found := strings.Cut(near, "; see skewsim list)")
		assert.True(t, found, err)
		few := strings.Split(near, ", ")
		assert.Len(t, few, 5)
		for _, full := range few {
			_, err := load.Find(full)
			assert.NoError(t, err)
		}
	}
}

// TestCatalogue holds that the catalogue is whole: all its files load, no two
// scenarios share a name, and no object file lies about unused.
func TestCatalogue(t *testing.T) {
	entries, err := load.Catalogue()
	require.NoError(t, err)
	used := map[string]bool{}
	names := map[string]bool{}
	for _, e := range entries {
		assert.False(t, names[e.Name], "two scenarios are named %s", e.Name)
		names[e.Name] = true
		used[e.Path()+".yaml"] = true
		if e.Scenario.Releases.Adapter != "" {
			used[path.Join(e.Group, e.Scenario.Releases.Adapter)] = true
		}
		for file := range e.Scenario.Manifests {
			used[path.Join(e.Group, file)] = true
		}
		if strings.HasPrefix(e.Scenario.Releases.Pair, "crd:") && strings.Contains(e.Scenario.Releases.Pair, "//") {
			used[path.Join(e.Group, "modules.sum")] = true
		}
		for _, mutant := range e.Scenario.MutantNames() {
			_, folder, _ := strings.Cut(e.Scenario.Releases.Pair, "..crd:")
			mutants, err := fs.Glob(scenarios.CatalogueFS(), path.Join(e.Group, folder+"+"+mutant, "*"))
			require.NoError(t, err)
			for _, file := range mutants {
				used[file] = true
			}
		}
		for _, folder := range regexp.MustCompile(`crd:(manifests/[^.]*)`).FindAllStringSubmatch(e.Scenario.Releases.Pair, -1) {
			manifests, err := fs.Glob(scenarios.CatalogueFS(), path.Join(e.Group, folder[1], "*"))
			require.NoError(t, err)
			assert.NotEmpty(t, manifests, e.Name)
			for _, file := range manifests {
				used[file] = true
			}
		}
	}
	require.NoError(t, fs.WalkDir(scenarios.CatalogueFS(), ".", func(file string, d fs.DirEntry, err error) error {
		assert.True(t, err == nil && (d.IsDir() || used[file]), "%s is used by no scenario", file)
		return err
	}))
}

// TestCatalogueIsEmbedded fails for a folder of scenarios that the go:embed
// line forgets.
func TestCatalogueIsEmbedded(t *testing.T) {
	folders, err := filepath.Glob("*/*.yaml")
	require.NoError(t, err)
	for _, file := range folders {
		if slices.Contains([]string{"testdata", "rules", "tiers"}, filepath.Dir(file)) { // rules and tiers are packages of their own
			continue
		}
		_, err := fs.Stat(scenarios.CatalogueFS(), filepath.ToSlash(file))
		assert.False(t, errors.Is(err, fs.ErrNotExist), "%s is not embedded", file)
	}
}
