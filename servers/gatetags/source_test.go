package gatetags_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/gatetags"
)

// source is a package of API types with every form of a tag.
const source = "package v1\n" + `
// Shape is how a Thing looks.
type Shape string

const (
	// Round is old.
	Round Shape = "Round"
	// Square needs a gate.
	// +featureGate=SquareThings
	Square Shape = "Square"
)

// Thing is a kind. This type says nothing with +featureGate=Prose in a sentence.
type Thing struct {
	Meta ` + "`json:\",inline\"`" + `

	// One gate.
	// +featureGate=One
	// +optional
	One *int ` + "`json:\"one,omitempty\"`" + `

	// Several gates, and another tag on the line.
	// +featureGate=Two,One +optional
	Two *int ` + "`json:\"two,omitempty\"`" + `

	// Several lines, blanks, and words after them.
	// +featureGate=Three, Four
	// +featureGate=Five since it holds a secret
	Three []Part ` + "`json:\"three,omitempty\"`" + `

	// What a field says of +featureGate=Prose within a sentence is not a tag.
	Plain string ` + "`json:\"plain\"`" + `

	// +featureGate=Never
	Internal string ` + "`json:\"-\"`" + `

	Shape Shape ` + "`json:\"shape\"`" + `
	Shapes []Shape ` + "`json:\"shapes\"`" + `
}

// Meta is inlined.
type Meta struct {
	// +featureGate=Inlined
	Note string ` + "`json:\"note\"`" + `
}

// Part has no tags.
type Part struct {
	Name string ` + "`json:\"name\"`" + `
}
`

func write(t *testing.T, folder string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		file := filepath.Join(folder, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
}

func TestRead(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"things/v1/types.go":          source,
		"things/v1/generated.pb.go":   "package v1\n// +featureGate=Generated\nthis is not Go",
		"things/v1/testdata/types.go": source,
		"things/v2/types.go":          "package v2\n\ntype Thing struct {\n\tPlain string `json:\"plain\"`\n}\n",
	})
	tags, err := gatetags.Read(folder, "example.dev/api")
	require.NoError(t, err)
	square := map[string][]string{"Square": {"SquareThings"}}
	assert.Equal(t, gatetags.Tags{
		"dev.example.api.things.v1.Thing": {
			"one": {Gates: []string{"One"}}, "two": {Gates: []string{"One", "Two"}}, "three": {Gates: []string{"Five", "Four", "Three"}},
			"note": {Gates: []string{"Inlined"}}, "shape": {Values: square}, "shapes": {Values: square},
		},
		"dev.example.api.things.v1.Meta": {"note": {Gates: []string{"Inlined"}}},
	}, tags)
}

// TestReadOfBrokenSource is what a folder that is not Go source gives: an error, not
// half of the tags.
func TestReadOfBrokenSource(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"v1/types.go": "package v1\n// +featureGate=One\ntype"})
	_, err := gatetags.Read(folder, "example.dev/api")
	assert.Error(t, err)
	_, err = gatetags.Read(filepath.Join(folder, "none"), "example.dev/api")
	assert.Error(t, err)
}
