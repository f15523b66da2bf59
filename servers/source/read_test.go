package source_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/source"
)

// thing is a package of API types with every form of a tag.
const thing = "package v1\n" + `
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
		"things/v1/types.go":          thing,
		"things/v1/generated.pb.go":   "package v1\n// +featureGate=Generated\nthis is not Go",
		"things/v1/testdata/types.go": thing,
		"things/v2/types.go":          "package v2\n\ntype Thing struct {\n\tPlain string `json:\"plain\"`\n}\n",
	})
	facts, err := source.Read(folder, "example.dev/api")
	require.NoError(t, err)
	square := map[string][]string{"Square": {"SquareThings"}}
	assert.Equal(t, source.Tags{
		"dev.example.api.things.v1.Thing": {
			"one": {Gates: []string{"One"}}, "two": {Gates: []string{"One", "Two"}}, "three": {Gates: []string{"Five", "Four", "Three"}},
			"note": {Gates: []string{"Inlined"}}, "shape": {Values: square}, "shapes": {Values: square},
		},
		"dev.example.api.things.v1.Meta": {"note": {Gates: []string{"Inlined"}}},
	}, facts.Tags())
}

// TestReadOfBrokenSource is what a folder that is not Go source gives: an error, not
// half of the tags.
func TestReadOfBrokenSource(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"v1/types.go": "package v1\n// +featureGate=One\ntype"})
	_, err := source.Read(folder, "example.dev/api")
	assert.Error(t, err)
	_, err = source.Read(filepath.Join(folder, "none"), "example.dev/api")
	assert.Error(t, err)
}

// ruled is a package of API types with validation rules and protobuf numbers.
const ruled = "package v1\n" + `
// Name is used by fields.
// +k8s:beta(since: "1.37")=+k8s:format=k8s-short-name
type Name string

// +k8s:customUnique
type Thing struct {
	Source ` + "`json:\",inline\" protobuf:\"bytes,2,opt,name=source\"`" + `

	// +k8s:required
	// +k8s:alpha(since:"1.37")=+k8s:ifEnabled("Big")=+k8s:maxItems=32 # Largest
	// +k8s:deepcopy-gen=false
	// +k8s:deprecated=state,protobuf=3
	Names []Name ` + "`json:\"names\" protobuf:\"bytes,1,rep,name=names\"`" + `

	// +k8s:item(type: "Denied", status: "True")=+k8s:zeroOrOneOfMember
	// +k8s:maxItems=(
	By map[Name]Name ` + "`json:\"by\"`" + `
}

// Source is embedded.
type Source struct {
	Host string ` + "`json:\"host\" protobuf:\"bytes,3,opt,name=host\"`" + `
}
`

// TestReadRules: a rule has its stage, gate and arguments; those of a type that OpenAPI does
// not publish are at the fields that have it. What cannot be parsed is listed.
func TestReadRules(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"things/v1/types.go": ruled})
	facts, err := source.Read(folder, "example.dev/api")
	require.NoError(t, err)
	format := source.Rule{Name: "format", Value: "k8s-short-name", Stage: "BETA", Since: "1.37", Text: `+k8s:beta(since: "1.37")=+k8s:format=k8s-short-name`}
	within := func(r source.Rule, name string) source.Rule {
		r.Type, r.Within = "Name", []source.Wrapper{{Name: name}}
		return r
	}
	const pkg = "dev.example.api.things.v1."
	assert.Equal(t, map[string][]source.Rule{
		pkg + "Name": {format}, pkg + "Thing": {{Name: "customUnique", Text: "+k8s:customUnique"}},
	}, facts.TypeRules)
	host := source.Protobuf{Number: "3", Wire: "bytes"}
	assert.Equal(t, map[string]map[string]source.Field{
		pkg + "Source": {"host": {Protobuf: host}},
		pkg + "Thing": {
			"host": {Protobuf: source.Protobuf{Number: "2.3", Wire: "bytes"}},
			"names": {Protobuf: source.Protobuf{Number: "1", Wire: "bytes,rep"}, Rules: []source.Rule{
				{Name: "required", Text: "+k8s:required"},
				{
					Name: "maxItems", Value: "32", Stage: "ALPHA", Since: "1.37", Text: `+k8s:alpha(since:"1.37")=+k8s:ifEnabled("Big")=+k8s:maxItems=32 # Largest`,
					Within: []source.Wrapper{{Name: "ifEnabled", Args: []source.Arg{{Value: "Big"}}}},
				},
				within(format, "eachVal"),
			}},
			"by": {Rules: []source.Rule{
				{
					Name: "zeroOrOneOfMember", Text: `+k8s:item(type: "Denied", status: "True")=+k8s:zeroOrOneOfMember`,
					Within: []source.Wrapper{{Name: "item", Args: []source.Arg{{Name: "type", Value: "Denied"}, {Name: "status", Value: "True"}}}},
				},
				within(format, "eachKey"), within(format, "eachVal"),
			}},
		},
	}, facts.Fields)
	require.Len(t, facts.Missing, 1)
	assert.Contains(t, facts.Missing[0].Why, "+k8s:maxItems=(")

	assert.Equal(t, []source.FieldRef{{Type: pkg + "Thing", Field: "names", Rule: "ifEnabled(Big): maxItems=32"}}, facts.FieldGates("Big"))
	assert.Empty(t, facts.FieldGates("Small"))
	assert.Equal(t, "item(type: Denied, status: True): zeroOrOneOfMember", facts.Fields[pkg+"Thing"]["by"].Rules[0].String())
}

// TestFieldGatesOfTags: a tag names the gate of a field, or of one value of it.
func TestFieldGatesOfTags(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"things/v1/types.go": thing})
	facts, err := source.Read(folder, "example.dev/api")
	require.NoError(t, err)
	const typ = "dev.example.api.things.v1.Thing"
	assert.Equal(t, []source.FieldRef{{Type: typ, Field: "one"}, {Type: typ, Field: "two"}}, facts.FieldGates("One"))
	assert.Equal(t, []source.FieldRef{{Type: typ, Field: "shape", Value: "Square"}, {Type: typ, Field: "shapes", Value: "Square"}}, facts.FieldGates("SquareThings"))
}

// TestReadTypesOfOtherPackages: a type that is one of another package, or embeds one, has its
// fields.
func TestReadTypesOfOtherPackages(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{
		"things/v1/types.go": "package v1\n\ntype Part struct {\n\t// +featureGate=One\n\tName string `json:\"name\" protobuf:\"bytes,1,opt,name=name\"`\n}\n",
		"things/v0/types.go": "package v0\n\nimport \"example.dev/api/things/v1\"\n\ntype Part = v1.Part\n\ntype Same v1.Part\n\n" +
			"type Whole struct {\n\tPart `json:\",inline\" protobuf:\"bytes,2,opt,name=part\"`\n}\n",
	})
	facts, err := source.Read(folder, "example.dev/api")
	require.NoError(t, err)
	gates := source.Tag{Gates: []string{"One"}}
	name := map[string]source.Field{"name": {Tag: gates, Protobuf: source.Protobuf{Number: "1", Wire: "bytes"}}}
	assert.Equal(t, map[string]map[string]source.Field{
		"dev.example.api.things.v1.Part": name, "dev.example.api.things.v0.Part": name, "dev.example.api.things.v0.Same": name,
		"dev.example.api.things.v0.Whole": {"name": {Tag: gates, Protobuf: source.Protobuf{Number: "2.1", Wire: "bytes"}}},
	}, facts.Fields)
}
