package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/sim/matrix"
)

// documentedJob is what a manifest of the documentation says that skewsim is to do.
type documentedJob struct {
	Kind string
	Spec struct {
		Completions int
		Template    struct {
			Spec struct {
				Containers []struct{ Command, Args []string }
			}
		}
	}
}

func readJob(t *testing.T, file string) (job documentedJob, words []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/kubernetes/" + file)
	require.NoError(t, err)
	for _, part := range bytes.Split(text, []byte("\n---\n")) {
		job = documentedJob{}
		require.NoError(t, yaml.Unmarshal(part, &job)) // the last is the Job
	}
	require.Equal(t, "Job", job.Kind)
	c := job.Spec.Template.Spec.Containers[0]
	return job, slices.Concat(c.Command[1:], c.Args)
}

// cellsOfPod are the cells that a pod of the Job would play.
func cellsOfPod(t *testing.T, words []string, index int) (cells []string) {
	t.Helper()
	t.Setenv("JOB_COMPLETION_INDEX", fmt.Sprint(index))
	var out, said bytes.Buffer
	a := &App{Out: &out, Err: &said}
	// --list plays nothing, and so resumes nothing.
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "--resume" })
	require.Zero(t, execute(t.Context(), a, append(words, "--list", "--format", "json")), said.String())
	var s matrix.State
	require.NoError(t, json.Unmarshal(out.Bytes(), &s))
	for _, c := range s.Cells {
		cells = append(cells, c.Pair+" "+c.Scenario)
	}
	return cells
}

// TestDocumentedJob: the pods of the Job play every cell of its matrix, and none twice;
// and what is merged is what they leave, each its own.
func TestDocumentedJob(t *testing.T) {
	t.Setenv("SKEWSIM_CACHE", t.TempDir()) // nothing has to be built to list
	job, words := readJob(t, "skew-job.yaml")
	n := job.Spec.Completions
	shard := fmt.Sprintf("--shard=job/%d", n)
	require.Contains(t, words, shard, "as many parts as pods")
	whole := cellsOfPod(t, slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == shard }), 0)
	require.NotEmpty(t, whole)
	var parts []string
	for index := range n {
		part := cellsOfPod(t, words, index)
		assert.NotEmpty(t, part, "a pod has something to do")
		parts = append(parts, part...)
	}
	assert.ElementsMatch(t, whole, parts)

	out := words[slices.IndexFunc(words, func(word string) bool { return strings.HasPrefix(word, "--out=") })]
	var left []string
	for index := range n {
		left = append(left, strings.ReplaceAll(strings.TrimPrefix(out, "--out="), "$(JOB_COMPLETION_INDEX)", fmt.Sprint(index)))
	}
	_, merge := readJob(t, "merge-job.yaml")
	assert.Equal(t, append([]string{"report", "merge"}, left...), merge[:len(merge)-1])
}
