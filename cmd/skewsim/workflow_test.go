package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// workflowFile plays the matrix on GitHub Actions.
const workflowFile = "../../.github/workflows/skew.yml"

func workflowText(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(workflowFile)
	require.NoError(t, err)
	return string(text)
}

// shellcheck is the program's path. In CI it must be there; elsewhere, without it, it is "".
func shellcheck(t *testing.T) string {
	t.Helper()
	program, err := exec.LookPath("shellcheck")
	if err != nil {
		require.Empty(t, os.Getenv("CI"), "%v: install Debian's package shellcheck", err)
		return ""
	}
	return program
}

// workflowProblems is what actionlint has against a workflow, and shellcheck against its scripts
// where that is installed.
func workflowProblems(t *testing.T, text string) (problems []string) {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{Shellcheck: shellcheck(t)})
	require.NoError(t, err)
	found, err := linter.Lint("skew.yml", []byte(text), nil)
	require.NoError(t, err)
	for _, e := range found {
		problems = append(problems, fmt.Sprintf("%d: %s (%s)", e.Line, e.Message, e.Kind))
	}
	return problems
}

// pinned is an action at a commit, with the release that it is of.
var pinned = regexp.MustCompile(`uses: ([\w.-]+/[\w.-]+)@[0-9a-f]{40} # (v\d+)\.\d+\.\d+`)

// byRelease is the workflow with its actions named by their releases: of those actionlint
// knows the inputs and outputs.
func byRelease(text string) string { return pinned.ReplaceAllString(text, "uses: $1@$2") }

// unpinned are the actions that are not named by a commit, which nobody can move.
func unpinned(text string) (found []string) {
	for _, line := range strings.Split(text, "\n") {
		if strings.Contains(line, "uses:") && !pinned.MatchString(line) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found
}

// expressions are those that stand in scripts: what they come to would be run.
func expressions(t *testing.T, text string) (found []string) {
	t.Helper()
	w, problems := actionlint.Parse([]byte(text))
	require.Empty(t, problems)
	for _, job := range w.Jobs {
		for _, step := range job.Steps {
			if run, ok := step.Exec.(*actionlint.ExecRun); ok && strings.Contains(run.Run.Value, "${{") {
				found = append(found, fmt.Sprintf("%d: %s", step.Pos.Line, run.Run.Value))
			}
		}
	}
	return found
}

// nightlyFile runs the tests that take hours.
const nightlyFile = "../../.github/workflows/nightly.yml"

// changesFile tests pull requests.
const changesFile = "../../.github/workflows/ci.yml"

// readOnlyWorkflow returns the text of a workflow that actionlint has nothing against, whose actions are
// pinned, of which no script holds an expression, and that may read the repository and nothing else.
func readOnlyWorkflow(t *testing.T, file string) string {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	text := string(raw)
	assert.Empty(t, workflowProblems(t, text))
	assert.Empty(t, workflowProblems(t, byRelease(text)))
	assert.Empty(t, unpinned(text))
	assert.Empty(t, expressions(t, text))
	w, _ := actionlint.Parse(raw)
	require.Len(t, w.Permissions.Scopes, 1)
	assert.Equal(t, "read", w.Permissions.Scopes["contents"].Value.Value)
	return text
}

// TestWorkflowOfChanges: actionlint has nothing against the workflow, its actions are pinned, no
// script holds an expression, it may read and nothing else, and it runs targets of the Makefile,
// make verify among them.
func TestWorkflowOfChanges(t *testing.T) {
	text := readOnlyWorkflow(t, changesFile)
	assert.NotEmpty(t, workflowProblems(t, strings.Replace(text, "matrix.target", "matrix.targets", 1)))
	makefile, err := os.ReadFile("../../Makefile")
	require.NoError(t, err)
	found := regexp.MustCompile(`(?m)^ +target: \[(.+)\]$`).FindStringSubmatch(text)
	require.NotNil(t, found)
	targets := strings.Split(found[1], ", ")
	assert.Contains(t, targets, "verify")
	for _, target := range targets {
		assert.Regexp(t, `(?m)^`+target+`:`, string(makefile))
	}
	assert.NotContains(t, text, "history.jsonl", "it is not for publishing")
}

// TestWorkflowOfTheNightly: actionlint has nothing against the workflow, its actions are pinned,
// and its parts are all parts of the whole, each once.
func TestWorkflowOfTheNightly(t *testing.T) {
	text := readOnlyWorkflow(t, nightlyFile)
	parts := regexp.MustCompile(`(\d+)/(\d+)`).FindAllStringSubmatch(strings.SplitN(text, "shard: [", 2)[1], -1)
	require.NotEmpty(t, parts)
	for i, part := range parts {
		assert.Equal(t, fmt.Sprintf("%d/%d", i+1, len(parts)), part[0])
	}
}

// TestWorkflowLint: actionlint has nothing against the workflow, its actions are pinned,
// no script holds an expression, and it may read and nothing else. Each check catches a
// workflow that is bent.
func TestWorkflowLint(t *testing.T) {
	text := workflowText(t)
	bent := func(from, to string) string {
		require.Contains(t, text, from)
		return strings.Replace(text, from, to, 1)
	}
	assert.Empty(t, workflowProblems(t, text))
	assert.Empty(t, workflowProblems(t, byRelease(text)))
	assert.NotEmpty(t, workflowProblems(t, bent("fromJSON(needs.plan.outputs.matrix)", "fromJSON(needs.plan.outputs.matrx)")))
	assert.NotEmpty(t, workflowProblems(t, bent("needs: [plan, skew]", "needs: [plan]")), "the result of a job that it does not wait for")
	assert.NotEmpty(t, workflowProblems(t, bent("steps.builds.outputs.old-minor }}.*\n", "steps.bilds.outputs.old-minor }}.*\n")))
	assert.NotEmpty(t, workflowProblems(t, byRelease(bent("go-version-file:", "go-version-fil:"))))
	assert.NotEmpty(t, workflowProblems(t, byRelease(bent("steps.go.outputs.go-version", "steps.go.outputs.version"))))
	if shellcheck(t) != "" {
		assert.NotEmpty(t, workflowProblems(t, bent(`--releases "$PULL_REQUEST_RELEASES"`, `--releases $PULL_REQUEST_RELEASES`)), "words that nobody quotes")
	}

	assert.Empty(t, unpinned(text))
	assert.NotEmpty(t, unpinned(byRelease(text)))
	assert.NotEmpty(t, unpinned("- uses: actions/checkout@main"))

	assert.Empty(t, expressions(t, text))
	assert.NotEmpty(t, expressions(t, bent(`"$SCENARIOS"`, `"${{ inputs.scenarios }}"`)))

	w, _ := actionlint.Parse([]byte(text))
	require.Len(t, w.Permissions.Scopes, 1)
	assert.Equal(t, "read", w.Permissions.Scopes["contents"].Value.Value)
	for name, job := range w.Jobs {
		assert.Nil(t, job.Permissions, "%s asks for more", name)
	}
	assert.NotContains(t, text, "history.jsonl", "it is not for publishing")
}
