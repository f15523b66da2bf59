package scenarios_test

import (
	"fmt"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
)

const reference = "../docs/reference/scenario.md"

// block is a fenced piece of the reference whose first line says what it is.
type block struct{ what, text string }

func blocks(t *testing.T) []block {
	t.Helper()
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	var all []block
	for _, m := range regexp.MustCompile("(?s)```yaml\n# ([^\n]*)\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		all = append(all, block{m[1], "# " + m[1] + "\n" + m[2]})
	}
	require.Equal(t, strings.Count(string(text), "```yaml"), len(all), "each YAML block begins with what it is")
	return all
}

// documented holds the reference's files as a user would have them.
func documented(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, b := range blocks(t) {
		if strings.HasSuffix(b.what, ".yaml") {
			files[b.what] = &fstest.MapFile{Data: []byte(b.text)}
		}
	}
	return files
}

func TestDocumentedExample(t *testing.T) {
	s, err := load.FS(documented(t), "my-field.yaml")
	require.NoError(t, err)
	assert.Len(t, s.Expect, 3)
	assert.Len(t, s.Manifests, 2)
}

func TestDocumentedErrors(t *testing.T) {
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	_, err = load.FS(documented(t), "broken.yaml")
	require.Error(t, err)
	// The comment that names the file is not shown as part of it.
	assert.Contains(t, string(text), "```text\n"+err.Error()+"\n```")
}

// TestDocumentedLines loads the lines of play and expect in a scenario around
// them.
func TestDocumentedLines(t *testing.T) {
	const play = "play:\n- {create: workload}\n"
	for _, b := range blocks(t) {
		text := "name: s\nabout: x\nobjects: {workload: {bystander: objects/without-mode.yaml}}\n"
		switch b.what {
		case "in play":
			text += "play:\n" + b.text
		case "in expect":
			text += play + "expect:\n" + b.text
		case "at the top":
			text += play + b.text
		case "at the top of a scenario of frobber":
			text += "releases: {of: frobber}\n" + play + b.text
		case "in objects":
			text = "name: s\nabout: x\nobjects:\n  " + strings.ReplaceAll(b.text, "\n", "\n  ") +
				"\n" + play + "- {touch: workload, change: [label, sibling, list]}\n"
		default:
			continue
		}
		files := documented(t)
		files["s.yaml"] = &fstest.MapFile{Data: []byte(text)}
		_, err := load.FS(files, "s.yaml")
		assert.NoError(t, err)
	}
}

// TestDocumentedKeys fails for a key that the reference does not explain.
func TestDocumentedKeys(t *testing.T) {
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	types := []any{scenarios.Scenario{}, scenarios.Releases{}, scenarios.Options{}, scenarios.Object{},
		scenarios.Line{}, scenarios.Respond{}, scenarios.Expectation{}, scenarios.Mutant{}}
	for _, v := range types {
		for _, f := range reflect.VisibleFields(reflect.TypeOf(v)) {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if key == "-" || f.Tag.Get("jsonschema") == "-" {
				continue
			}
			named := regexp.MustCompile("`[a-z.…]*" + regexp.QuoteMeta(key) + "[.`]")
			assert.True(t, named.Match(text), "key %s is not in the reference", key)
		}
	}
	for _, stage := range scenarios.StageNames(journey(3), 2, false) {
		assert.Contains(t, string(text), "`"+stage+"`")
	}
}

// generated holds the part of a document that stands between two comments
// against what it is made from.
func generated(t *testing.T, file, noun, content string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	begin, end := "<!-- "+noun+": written by go test ./scenarios -update -->\n", "<!-- end of "+noun+" -->"
	before, rest, found := strings.Cut(string(text), begin)
	require.True(t, found, "%s: has no %s", file, begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s: has no %s", file, end)
	golden(t, file, before+begin+content+end+after)
}

// TestDocumentedWords holds the tables of words against package term.
func TestDocumentedWords(t *testing.T) {
	generated(t, "../docs/reference/words.md", "words", wordTables())
	generated(t, "../docs/reference/checks.md", "guarantees", "\n"+wordTable("check", "guarantee", term.Checks())+"\n")
}

// TestDocumentedCauses: the page of causes has the sequence that leads to each.
func TestDocumentedCauses(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/causes.md")
	require.NoError(t, err)
	for _, e := range term.Causes() {
		assert.Regexp(t, "(?m)^"+string(e.Word)+"\\s|`"+string(e.Word)+"`", string(text))
	}
}

// TestDocumentedChecks: each check has a section of its own, and each section
// says what it judges, catches and passes, and who asks for it.
func TestDocumentedChecks(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/checks.md")
	require.NoError(t, err)
	sections := strings.Split(string(text), "\n## ")[1:]
	require.Len(t, sections, len(term.Checks())+1, "and one on how we know")
	for i, e := range term.Checks() {
		assert.True(t, strings.HasPrefix(sections[i], "`"+string(e.Word)+"`\n"), e.Word)
		for _, part := range []string{"Judges", "Catches", "Passes", "Guide"} {
			assert.Equal(t, 1, strings.Count(sections[i], "\n- **"+part+"**"), "%s: %s", e.Word, part)
		}
	}
}

func wordTables() string {
	return "\n" + strings.Join([]string{
		wordTable("check", "guarantee", term.Checks()),
		wordTable("class", "meaning", term.Classes()),
		wordTable("rule", "meaning", term.Rules()),
		wordTable("cause", "meaning", term.Causes()),
		wordTable("generation", "meaning", term.Generations()),
		wordTable("client", "meaning", term.Clients()),
		wordTable("verb", "meaning", term.Verbs()),
		wordTable("change", "meaning", term.Changes()),
		wordTable("encoding", "meaning", term.Encodings()),
		wordTable("fieldValidation", "meaning", term.FieldValidations()),
		wordTable("apiVersion", "meaning", term.Discoveries()),
		wordTable("copy", "meaning", term.CopyRoles()),
	}, "\n") + "\n"
}

func wordTable[W ~string](noun, meaning string, list term.List[W]) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %s |\n| --- | --- |\n", noun, meaning)
	for _, e := range list {
		fmt.Fprintf(&b, "| `%s` | %s |\n", e.Word, e.Meaning)
	}
	return b.String()
}

// TestDocumentedFiles holds that the links of the reference lead somewhere.
func TestDocumentedFiles(t *testing.T) {
	for _, file := range []string{"docs/scenario.schema.json", "scenarios/kubernetes"} {
		_, err := fs.Stat(os.DirFS(".."), file)
		assert.NoError(t, err)
	}
}
