package main

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// actionDir has the action that other repositories use.
const actionDir = "../../.github/actions/skewsim/"

// action is action.yml.
type action struct {
	Inputs map[string]map[string]string
	Runs   struct {
		Steps []map[string]any
	}
}

// asWorkflow returns a workflow with the inputs and steps of the action, since actionlint reads
// workflows alone.
func asWorkflow(t *testing.T, text string) string {
	t.Helper()
	var a action
	require.NoError(t, yaml.Unmarshal([]byte(text), &a))
	inputs := map[string]any{}
	for name, input := range a.Inputs {
		inputs[name] = map[string]string{"type": "string", "default": input["default"]}
	}
	workflow, err := yaml.Marshal(map[string]any{
		"on":   map[string]any{"workflow_call": map[string]any{"inputs": inputs}},
		"jobs": map[string]any{"action": map[string]any{"runs-on": "ubuntu-24.04", "steps": a.Runs.Steps}},
	})
	require.NoError(t, err)
	return string(workflow)
}

// scriptProblems is what shellcheck has against a script, where it is installed.
func scriptProblems(t *testing.T, file string) string {
	t.Helper()
	program := shellcheck(t)
	if program == "" {
		return ""
	}
	said, _ := exec.Command(program, file).CombinedOutput() // it ends with 1 if it finds something
	return string(said)
}

// TestAction: actionlint and shellcheck have nothing against the action, its actions are pinned, and
// no script holds an expression. Each check finds a mistake that is made here.
func TestAction(t *testing.T) {
	raw, err := os.ReadFile(actionDir + "action.yml")
	require.NoError(t, err)
	text := string(raw)
	edit := func(from, to string) string {
		require.Contains(t, text, from)
		return strings.Replace(text, from, to, 1)
	}
	assert.Empty(t, unpinned(text))
	assert.Empty(t, workflowProblems(t, asWorkflow(t, text)))
	assert.Empty(t, workflowProblems(t, asWorkflow(t, byRelease(text))))
	assert.NotEmpty(t, workflowProblems(t, asWorkflow(t, edit("${{ inputs.scenarios }}", "${{ inputs.scenario }}"))))
	assert.NotEmpty(t, workflowProblems(t, asWorkflow(t, edit("${{ steps.of.outputs.inputs }}", "${{ steps.off.outputs.inputs }}"))))
	assert.Empty(t, expressions(t, asWorkflow(t, text)))
	assert.NotEmpty(t, expressions(t, asWorkflow(t, edit(`<<<"$INPUTS"`, `<<<"${{ inputs.sweep }}"`))))
	for _, script := range []string{actionDir + "play.sh", "../../.ci/release", "../../.ci/run"} {
		assert.Empty(t, scriptProblems(t, script))
	}
}

// TestExamplesOfCI: actionlint has nothing against the example for GitHub, which gives inputs that
// the action has; and skewsim has the commands and flags of the other examples.
func TestExamplesOfCI(t *testing.T) {
	examples := "../../docs/examples/ci/"
	github, err := os.ReadFile(examples + "github.yml")
	require.NoError(t, err)
	assert.Empty(t, workflowProblems(t, string(github)))
	assert.Contains(t, string(github), "uses: skewsim/skewsim/.github/actions/skewsim@")
	var a action
	require.NoError(t, yaml.Unmarshal(pinnedAction(t), &a))
	var w workflow
	require.NoError(t, yaml.Unmarshal(github, &w))
	steps := w.Jobs["skewsim"].Steps
	for input := range steps[len(steps)-1].With {
		assert.Contains(t, a.Inputs, input)
	}
	for _, file := range []string{"gitlab.yml", "prow.yaml"} {
		text, err := os.ReadFile(examples + file)
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(text, &map[string]any{}), file)
		lines := regexp.MustCompile(`(?m)^[\s-]*skewsim (.*)$`).FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, lines, file)
		for _, line := range lines {
			words, _, _ := strings.Cut(line[1], " || ")
			c, rest, err := newRoot(&App{}).Find(strings.Fields(words))
			require.NoError(t, err, line[0])
			assert.NoError(t, c.ParseFlags(rest), line[0])
		}
	}
}

// skewsimPin is the version of skewsim that an example uses.
var skewsimPin = regexp.MustCompile(`(?:uses: skewsim/skewsim/\.github/actions/skewsim|github\.com/skewsim/skewsim/cmd/skewsim)@(\S+)`)

var isCommit = regexp.MustCompile(`^[0-9a-f]{40}$`)

// pins returns the versions of skewsim that a text uses.
func pins(text string) (versions []string) {
	for _, m := range skewsimPin.FindAllStringSubmatch(text, -1) {
		versions = append(versions, m[1])
	}
	return versions
}

// pinnedAction returns action.yml of the version that the examples use. All use the same, and it
// exists: it is a tag or a commit of the branch that is checked out. Where git does not have the
// commit, as in a shallow clone, action.yml is that of the checkout.
func pinnedAction(t *testing.T) []byte {
	t.Helper()
	files, err := filepath.Glob("../../docs/examples/ci/*.y*ml")
	require.NoError(t, err)
	used := map[string]bool{}
	for _, file := range append(files, "../../docs/how-to/test-crds-in-github-actions.md") {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotEmpty(t, pins(string(text)), file)
		for _, version := range pins(string(text)) {
			used[version] = true
		}
	}
	versions := slices.Collect(maps.Keys(used))
	require.Len(t, versions, 1, "the examples use several versions of skewsim")
	if exec.Command("git", "cat-file", "-e", versions[0]+"^{commit}").Run() != nil && isCommit.MatchString(versions[0]) {
		text, err := os.ReadFile(actionDir + "action.yml")
		require.NoError(t, err)
		return text
	}
	require.True(t, isPinned(versions[0]), "%s is not a tag or a full commit of this branch", versions[0])
	text, err := exec.Command("git", "show", versions[0]+":.github/actions/skewsim/action.yml").Output()
	require.NoError(t, err)
	return text
}

// isPinned reports whether a version is a tag, or a commit in full, that HEAD contains. A branch is
// neither: it moves.
func isPinned(version string) bool {
	ref := "refs/tags/" + version
	if isCommit.MatchString(version) {
		ref = version
	}
	return exec.Command("git", "merge-base", "--is-ancestor", ref, "HEAD").Run() == nil
}

// TestPins: what an example must not use is found.
func TestPins(t *testing.T) {
	assert.Equal(t, []string{"v1.2.3", "main"}, pins("go install github.com/skewsim/skewsim/cmd/skewsim@v1.2.3\n- uses: skewsim/skewsim/.github/actions/skewsim@main # a branch\n"))
	for _, version := range []string{"v0.0.0-none", "main", "HEAD", strings.Repeat("0", 40)} {
		assert.False(t, isPinned(version), version)
	}
	head, err := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("no git repository")
	}
	assert.True(t, isPinned(strings.TrimSpace(string(head))))
}

// TestIssueForms: each form is what GitHub requires of one: a name, a description, and elements of
// which all but texts have an identifier of their own and a label.
func TestIssueForms(t *testing.T) {
	files, err := filepath.Glob("../../.github/ISSUE_TEMPLATE/*.yml")
	require.NoError(t, err)
	require.Greater(t, len(files), 1)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var form struct {
			Name, Description string
			Body              []struct {
				Type, ID   string
				Attributes map[string]string
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &form), file)
		if filepath.Base(file) == "config.yml" {
			continue
		}
		assert.NotEmpty(t, form.Name, file)
		assert.NotEmpty(t, form.Description, file)
		ids := map[string]bool{}
		for _, element := range form.Body {
			if element.Type == "markdown" {
				assert.NotEmpty(t, element.Attributes["value"], file)
				continue
			}
			assert.NotEmpty(t, element.Attributes["label"], file)
			assert.False(t, ids[element.ID] || element.ID == "", "%s: %q", file, element.ID)
			ids[element.ID] = true
		}
		assert.NotEmpty(t, ids, file)
	}
}
