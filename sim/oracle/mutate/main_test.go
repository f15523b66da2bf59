package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

const (
	code = `package a

func Larger(x, y int) int {
	if x > y {
		return x
	}
	return y
}

func Unused() int { return 7 }

func Stops(n int) int {
	for i := 0; ; {
		i++
		if i == n {
			return i
		}
	}
}
`
	tests = `package a

import "testing"

func TestLarger(t *testing.T) {
	if Larger(3, 2) != 3 || Larger(2, 3) != 3 {
		t.Fatal("not the larger")
	}
}

func TestStops(t *testing.T) {
	if Stops(2) != 2 {
		t.Fatal("stops elsewhere")
	}
}
`
)

// moduleOf writes a module with these files, and makes it the working directory.
func moduleOf(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	files["go.mod"] = "module example.test/a\n\ngo 1.26.0\n"
	for name, text := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o700))
		require.NoError(t, os.WriteFile(name, []byte(text), 0o600))
	}
}

// Tests kill the mutants whose place they assert, and not an equivalent one; the tree stays as
// it was, and the shards together are the whole.
func TestFrobberMutate(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	moduleOf(t, map[string]string{"a.go": code, "a_test.go": tests})
	for _, shard := range []string{"1/2", "2/2"} {
		require.NoError(t, command([]string{"-shard", shard, "-out", "reports", "-least", "3s", "."}))
	}
	all, err := read("reports")
	require.NoError(t, err)
	got := map[string]Outcome{}
	for i, r := range all {
		assert.Equal(t, i+1, r.ID)
		got[r.Function+" "+string(r.Kind)+": "+r.Text] = r.Outcome
	}
	assert.Equal(t, map[string]Outcome{
		"Larger empty function: {":        Killed,
		"Larger condition true: x > y":    Killed,
		"Larger condition false: x > y":   Killed,
		"Larger boundary: x > y":          Survived, // equal numbers are alike
		"Larger zero returned: return x":  Killed,
		"Larger zero returned: return y":  Killed,
		"Unused empty function: return 7": NotCovered,
		"Stops empty function: {":         Killed,
		"Stops statement removed: i++":    TimedOut,
		"Stops condition true: i == n":    Killed,
		"Stops condition false: i == n":   TimedOut,
		"Stops zero returned: return i":   Killed,
	}, got)
	assert.Equal(t, map[Outcome]int{Killed: 8, Survived: 1, NotCovered: 1, TimedOut: 2}, summary(all)[total])
	raw, err := os.ReadFile("a.go")
	require.NoError(t, err)
	assert.Equal(t, code, string(raw))
	var text bytes.Buffer
	printSurvivors(&text, all)
	assert.Equal(t, 2, bytes.Count(text.Bytes(), []byte("\n")))

	require.NoError(t, os.WriteFile("a.go", []byte(strings.Replace(code, "\n\n", "\n\n// Moved.\n\n", 1)), 0o600))
	require.NoError(t, command([]string{"-again", "reports", "-out", "again", "."}))
	again, err := read("again")
	require.NoError(t, err)
	assert.Equal(t, survivors(all), survivors(again))
	assert.Len(t, again, 2)
}

// Tests that fail with no mutant say nothing: the run ends.
func TestFrobberMutateFailingTests(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	moduleOf(t, map[string]string{"a.go": code, "a_test.go": tests + "\nfunc TestFails(t *testing.T) { t.Fatal() }\n"})
	assert.ErrorContains(t, command([]string{"."}), "TestFails")
	assert.NoError(t, command([]string{"-skip", "Fails", "-sample", "1", "."}))
}

func TestArguments(t *testing.T) {
	for _, args := range [][]string{{"-shard", "3/2", "."}, {"-shard", "0/2", "."}, {"-shard", "x", "."}, {"-unknown"}, {}, {".", "."}} {
		assert.Error(t, command(args), "%q", args)
	}
	assert.ErrorIs(t, command([]string{"-list", filepath.Join(t.TempDir(), "none")}), os.ErrNotExist)
}

// Every mutant is in one shard, and a sample is the same for the same seed.
func TestChoose(t *testing.T) {
	all := make([]Mutant, 10)
	for i := range all {
		all[i] = Mutant{ID: i + 1, File: map[bool]string{true: "a.go", false: "b.go"}[i < 5]}
	}
	seen := map[int]int{}
	for part := 1; part <= 3; part++ {
		for _, m := range (options{shard: shard{part, 3}, files: "*", kinds: "*"}).choose(all) {
			seen[m.ID]++
		}
	}
	assert.Len(t, seen, 10)
	whole := shard{1, 1}
	all[2].Kind = EmptyFunction
	assert.Len(t, options{shard: whole, files: "b.go", kinds: "*"}.choose(all), 5)
	assert.Len(t, options{shard: whole, files: "b.go,a.*", kinds: "*"}.choose(all), 10)
	assert.Len(t, options{shard: whole, files: "*", kinds: string(EmptyFunction)}.choose(all), 1)
	sample := options{shard: whole, files: "*", kinds: "*", sample: 4, seed: 7}
	assert.Len(t, sample.choose(all), 4)
	assert.Equal(t, sample.choose(all), sample.choose(all))
	assert.Equal(t, 3, options{shard: whole, id: 3}.choose(all)[0].ID)
}

// The tests of a package, and of those that it imports from below it, are tried on the mutants of
// all of these, but not on those of packages that it does not import.
func TestFrobberMutateBelow(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	moduleOf(t, map[string]string{
		"a.go":          "package a\n\nimport \"example.test/a/b/c\"\n\nfunc Twice(n int) int { return c.Twice(n) }\n",
		"a_test.go":     "package a\n\nimport \"testing\"\n\nfunc TestTwice(t *testing.T) {\n\tif Twice(2) != 4 {\n\t\tt.Fatal(\"not twice\")\n\t}\n}\n",
		"b/c/c.go":      "package c\n\nfunc Twice(n int) int { return 2 * n }\n\nfunc Half(n int) int { return n / 2 }\n",
		"b/c/c_test.go": "package c_test\n\nimport (\n\t\"testing\"\n\n\t\"example.test/a\"\n\t\"example.test/a/b/c\"\n)\n\nfunc TestHalf(t *testing.T) {\n\tif a.Twice(c.Half(2)) != 2 {\n\t\tt.Fatal()\n\t}\n}\n",
		"d/d.go":        "package d\n\nfunc Unused() int { return 7 }\n",
	})
	require.NoError(t, command([]string{"-out", "reports", "-least", "3s", "."}))
	all, err := read("reports")
	require.NoError(t, err)
	got := map[string]Outcome{}
	for _, r := range all {
		got[r.File+" "+r.Function] = r.Outcome
	}
	assert.Equal(t, map[string]Outcome{"a.go Twice": Killed, "b/c/c.go Twice": Killed, "b/c/c.go Half": Killed}, got)
	assert.True(t, matches("c.go", "b/c/c.go"))
	assert.True(t, matches("b/*/*.go", "b/c/c.go"))
	assert.False(t, matches("c.go", "b/c.go/d.go"))
}
