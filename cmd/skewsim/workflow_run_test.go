package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"go.yaml.in/yaml/v3"
)

// workflow is what a test of the workflow's scripts needs to know of it.
type workflow struct {
	Env  map[string]string
	Jobs map[string]struct {
		Outputs map[string]string
		If      string
		Steps   []workflowStep
	}
}

type workflowStep struct {
	ID, Name, If, Uses, Run string
	Env, With               map[string]string
}

// runner plays the workflow as GitHub does, as far as its scripts are concerned: each job
// in a fresh directory, each script by bash as it calls it, with what expressions come to.
type runner struct {
	t         *testing.T
	w         workflow
	built     string                       // the directory with the programs
	values    map[string]string            // what expressions come to
	artifacts map[string]map[string]string // the files of each, by their path in it
	summary   string                       // of the last job
	said      string                       // by all scripts
}

func newRunner(t *testing.T, built string, inputs map[string]string) *runner {
	t.Helper()
	r := &runner{t: t, built: built, artifacts: map[string]map[string]string{}, values: map[string]string{"github.event_name": "workflow_dispatch"}}
	require.NoError(t, yaml.Unmarshal([]byte(workflowText(t)), &r.w))
	for _, name := range []string{"scenarios", "pairs", "releases", "shards"} {
		r.values["inputs."+name] = inputs[name]
	}
	return r
}

var expression = regexp.MustCompile(`\$\{\{ *([^}]*?) *\}\}`)

// says is a text with what its expressions come to. One that nothing has set fails the
// test: on a runner it would be empty in silence.
func (r *runner) says(text string) string {
	return expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		value, known := r.values[name]
		assert.True(r.t, known, "%s: nothing sets it", name)
		return value
	})
}

// job runs one job, and reports whether it succeeded.
func (r *runner) job(name string) bool {
	r.t.Helper()
	job, there := r.w.Jobs[name]
	require.True(r.t, there, name)
	dir := r.workspace()
	failed := false
	for _, step := range job.Steps {
		if failed && step.If != "always()" {
			continue
		}
		switch {
		case strings.HasPrefix(step.Uses, "actions/upload-artifact@"):
			r.upload(dir, step)
		case strings.HasPrefix(step.Uses, "actions/download-artifact@"):
			r.download(dir, step)
		case step.Run != "":
			failed = !r.script(dir, step) || failed
		}
	}
	for output, value := range job.Outputs {
		if !failed {
			r.values["needs."+name+".outputs."+output] = r.says(value)
		}
	}
	r.summary = textOf(filepath.Join(dir, ".summary"))
	return !failed
}

// workspace is a checkout as far as the scripts know it: make build leaves the programs in
// bin. What the repository's own Makefile builds there has been built once for all.
func (r *runner) workspace() string {
	dir := r.t.TempDir()
	root, err := filepath.Abs("../..")
	require.NoError(r.t, err)
	own := textOf(filepath.Join(root, "Makefile"))
	require.Regexp(r.t, `(?m)^build:.*\n(\t.*\n)*\t\$\(GO\) build .*-o bin/ \./cmd/skewsim$`, own)
	makefile := fmt.Sprintf("build:\n\tln -s %s bin\n", r.built)
	require.NoError(r.t, os.WriteFile(filepath.Join(dir, "Makefile"), []byte(makefile), 0o600))
	return dir
}

// script runs a step's script, and notes its outputs.
func (r *runner) script(dir string, step workflowStep) bool {
	r.t.Helper()
	file, output := filepath.Join(dir, ".script"), filepath.Join(dir, ".output")
	require.NoError(r.t, os.WriteFile(file, []byte(r.says(step.Run)), 0o600))
	require.NoError(r.t, os.WriteFile(output, nil, 0o600))
	// As a runner calls it where the shell is bash.
	c := exec.CommandContext(r.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", file)
	c.Dir, c.Env = dir, append(os.Environ(), "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+filepath.Join(dir, ".summary"))
	for _, all := range []map[string]string{r.w.Env, step.Env} {
		for name, value := range all {
			c.Env = append(c.Env, name+"="+r.says(value))
		}
	}
	said, err := c.CombinedOutput()
	r.t.Logf("%s: %v\n%s", step.Name, err, said)
	r.said += string(said)
	for _, line := range strings.Split(textOf(output), "\n") {
		if name, value, set := strings.Cut(line, "="); set {
			r.values["steps."+step.ID+".outputs."+name] = value
		}
	}
	return err == nil
}

// upload keeps the files that a step names, below the deepest directory that has them all.
func (r *runner) upload(dir string, step workflowStep) {
	r.t.Helper()
	var found []string
	var roots []string
	for _, pattern := range strings.Fields(step.With["path"]) {
		root, name, deep := strings.Cut(pattern, "/**/")
		if deep || !strings.Contains(path.Base(pattern), ".") {
			roots = append(roots, root)
		} else {
			roots, name = append(roots, path.Dir(pattern)), path.Base(pattern)
		}
		found = append(found, filesNamed(filepath.Join(dir, root), dir, name)...)
		if !deep && name == path.Base(pattern) {
			found = append(found, pattern)
		}
	}
	common := roots[0]
	for _, root := range roots {
		for !strings.HasPrefix(root+"/", common+"/") {
			common = path.Dir(common)
		}
	}
	files := map[string]string{}
	for _, file := range found {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err == nil {
			files[strings.TrimPrefix(file, common+"/")] = string(text)
		}
	}
	if step.With["if-no-files-found"] == "error" {
		assert.NotEmpty(r.t, files, step.Name)
	}
	name := r.says(step.With["name"])
	if step.With["overwrite"] != "true" {
		assert.NotContains(r.t, r.artifacts, name, "an artifact is made once")
	}
	assert.NotContains(r.t, name, "/", "which no artifact's name may have")
	r.artifacts[name] = files
}

// filesNamed are the files below a directory with a name, or all for "", as paths from another.
func filesNamed(root, from, name string) (all []string) {
	_ = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && (name == "" || d.Name() == name) {
			relative, _ := filepath.Rel(from, file) // it is below
			all = append(all, filepath.ToSlash(relative))
		}
		return nil // what is not there has no files
	})
	return all
}

// download puts the artifacts that a step's pattern names into directories of their names.
func (r *runner) download(dir string, step workflowStep) {
	for name, files := range r.artifacts {
		if matches, _ := path.Match(step.With["pattern"], name); !matches {
			continue
		}
		for file, text := range files {
			to := filepath.Join(dir, step.With["path"], name, filepath.FromSlash(file))
			require.NoError(r.t, os.MkdirAll(filepath.Dir(to), 0o700))
			require.NoError(r.t, os.WriteFile(to, []byte(text), 0o600))
		}
	}
}

// textOf is a file's content; "" if it does not exist.
func textOf(file string) string {
	text, _ := os.ReadFile(file)
	return string(text)
}

// play runs the whole workflow, and reports whether each kind of job succeeded. A lost job
// of a pair never begins.
func (r *runner) play(lost func(pair string) bool) (plan, skew, merge bool) {
	r.t.Helper()
	skew = r.job("plan")
	plan = skew
	var matrix struct{ Include []map[string]any }
	if plan {
		require.NoError(r.t, json.Unmarshal([]byte(r.values["needs.plan.outputs.matrix"]), &matrix))
	}
	for i, job := range matrix.Include {
		for key, value := range job {
			r.values["matrix."+key] = fmt.Sprint(value)
		}
		r.values["strategy.job-index"] = fmt.Sprint(i)
		if lost(r.values["matrix.pair"]) {
			skew = false
			continue
		}
		skew = r.job("skew") && skew
	}
	r.values["needs.skew.result"] = map[bool]string{true: "success", false: "failure"}[skew]
	if !plan {
		r.values["needs.skew.result"] = "skipped"
	}
	require.Equal(r.t, "always()", r.w.Jobs["merge"].If)
	return plan, skew, r.job("merge")
}

// never is a job that nothing happens to.
func never(string) bool { return false }

// TestFrobberWorkflow: the scripts of the workflow, in order, as a runner has them: pairs that
// pass are merged into a page that passes, with a summary; what fails, what is lost and
// what nobody can play fails the merge; and no history leaves a job.
func TestFrobberWorkflow(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	built := t.TempDir()
	said, err := exec.CommandContext(t.Context(), "go", "build", "-C", "../..", "-o", built+"/", "./cmd/...").CombinedOutput()
	require.NoError(t, err, string(said))
	t.Run("pass", func(t *testing.T) {
		r := newRunner(t, built, map[string]string{"scenarios": "frobber/gated-field frobber/policy", "pairs": "frobber@1.1..1.2,frobber@1.7..1.8"})
		plan, skew, merge := r.play(never)
		assert.True(t, plan && skew && merge)
		assert.Contains(t, r.summary, "### ✓ pass: all ")
		assert.Contains(t, r.summary, "| frobber v1.1.0 .. v1.2.0 | 1 | 0 | 0 |")
		assert.Equal(t, []string{"skew", "skew-0", "skew-1"}, sortedNames(r.artifacts))
		for name, files := range r.artifacts {
			for file := range files {
				assert.NotContains(t, file, "history", name)
				assert.NotContains(t, file, "logs", name)
			}
		}
		page := r.artifacts["skew"]
		for _, link := range regexp.MustCompile(`href="(\.\./runs/[^"#]*)"`).FindAllStringSubmatch(page["page/index.html"], -1) {
			assert.Contains(t, page, path.Join("page", link[1]), "the page leads there")
		}
		assert.Contains(t, page["page/index.html"], "../runs/skew-0/")
	})
	t.Run("fail", func(t *testing.T) {
		r := newRunner(t, built, map[string]string{"scenarios": "frobber/gated-field+tag", "pairs": "frobber@1.1..1.2"})
		plan, skew, merge := r.play(never)
		assert.True(t, plan)
		assert.False(t, skew)
		assert.False(t, merge)
		assert.Contains(t, r.summary, "### ✗ fail: ")
		assert.NotEmpty(t, r.artifacts["skew-0"], "its report is there all the same")
	})
	t.Run("shards", func(t *testing.T) {
		own, err := filepath.Abs("testdata/matrix")
		require.NoError(t, err)
		scenarios := own + "/alone.yaml " + own + "/one.yaml frobber/gated-field"
		r := newRunner(t, built, map[string]string{"scenarios": scenarios, "pairs": "frobber@1.0..1.1,frobber@1.1..1.2", "shards": "2"})
		plan, skew, merge := r.play(never)
		assert.True(t, plan && skew && merge)
		assert.Equal(t, []string{"skew", "skew-0-1-of-2", "skew-1-2-of-2", "skew-2-1-of-2", "skew-3-2-of-2"}, sortedNames(r.artifacts))
		assert.Contains(t, r.summary, "| frobber v1.0.0 .. v1.1.0 | 2 | 0 | 0 |")
		assert.Contains(t, r.summary, "| frobber v1.1.0 .. v1.2.0 | 3 | 0 | 0 |", "each cell of each pair is played, once")
		assert.True(t, r.job("skew"), "one that is run again")
		assert.True(t, r.job("merge"))
		assert.Contains(t, r.summary, "| frobber v1.1.0 .. v1.2.0 | 3 | 0 | 0 |")
	})
	t.Run("lost", func(t *testing.T) {
		r := newRunner(t, built, map[string]string{"scenarios": "frobber/gated-field frobber/add-field", "pairs": "frobber@1.1..1.2,frobber@1.0..1.1"})
		_, _, merge := r.play(func(pair string) bool { return pair == "frobber@1.0..1.1" })
		assert.False(t, merge, "every result that is there passed, and one is not there")
		assert.Contains(t, r.summary, "Not every pair was played to its end")
	})
	t.Run("withheld", func(t *testing.T) { withheld(t, built) })
	t.Run("nothing", func(t *testing.T) { nothing(t, built) })
}

// withheld is a pair that the proxy lists and does not hand out.
func withheld(t *testing.T, built string) {
	offerNothing(t)
	inputs := map[string]string{"scenarios": "quiet"}
	r := newRunner(t, built, inputs)
	r.values["github.event_name"] = "schedule"
	plan, skew, merge := r.play(never)
	assert.True(t, plan)
	assert.False(t, skew || merge)
	nor := "neither kube-apiserver@v1.35.9 nor another patch of its minor is available"
	assert.Contains(t, r.artifacts["skew-0"]["matrix.json"], nor, "nobody has named it")
	inputs["pairs"] = "kube-apiserver@v1.35.9..v1.36.9"
	r = newRunner(t, built, inputs)
	_, skew, _ = r.play(never)
	assert.False(t, skew)
	assert.NotContains(t, r.artifacts["skew-0"]["matrix.json"], nor, "who names it means it")
	assert.Contains(t, r.artifacts["skew-0"]["matrix.json"], "cannot be fetched")
}

// nothing is what nobody can play.
func nothing(t *testing.T, built string) {
	hostile := `$(touch "$GITHUB_OUTPUT.run"); "; touch run; '`
	r := newRunner(t, built, map[string]string{"scenarios": "frobber/add-field", "pairs": hostile})
	plan, _, merge := r.play(never)
	assert.False(t, plan || merge, "not a pair")
	assert.Contains(t, r.said, "::error title=skew::there are no jobs to make")
	r = newRunner(t, built, map[string]string{"scenarios": hostile + " --out /tmp", "releases": "frobber@1.0..1.1"})
	plan, _, merge = r.play(never)
	assert.False(t, plan || merge, "neither names nor flags")
}

// TestWorkflowCaches: the paths of both caches have the folders of a release, of whichever
// patch serves for it or for its minor, and of no other minor.
func TestWorkflowCaches(t *testing.T) {
	for _, c := range []struct{ release, folder string }{
		{"v1.35.4", "kube-apiserver-v1.35.4-linux-amd64-fcbf"},
		{"v1.35.4", "typed-client-v1.35.1-linux-amd64-fcbf"},
		{"v1.35", "kube-apiserver-v1.35.4-linux-amd64-fcbf"},
		{"v1.35.0-rc.1", "kube-apiserver-v1.35.0-rc.1-linux-amd64-fcbf"},
	} {
		r := newRunner(t, "", nil)
		r.values["matrix.old"], r.values["matrix.new"], r.values["matrix.shard"] = "kube-apiserver@"+c.release, "kube-apiserver@v1.3", ""
		steps := r.w.Jobs["skew"].Steps
		named := slices.IndexFunc(steps, func(s workflowStep) bool { return s.ID == "builds" })
		require.True(t, r.script(t.TempDir(), steps[named]))
		assert.Equal(t, []bool{true, false}, r.caches(steps, c.folder), c.release)
		r.values["steps.builds.outputs.new-minor"] = r.values["steps.builds.outputs.old-minor"]
		assert.Equal(t, []bool{true, true}, r.caches(steps, c.folder), c.release)
	}
}

// caches reports for each cache whether its paths have the folder of a build.
func (r *runner) caches(steps []workflowStep, folder string) (have []bool) {
	for _, step := range steps {
		if strings.HasPrefix(step.Uses, "actions/cache@") {
			has, err := path.Match(r.says(step.With["path"]), "~/.cache/skewsim/builds/"+folder)
			require.NoError(r.t, err)
			have = append(have, has)
		}
	}
	return have
}

// offerNothing has the module proxy be one that lists releases and withholds them, and
// nothing be built.
func offerNothing(t *testing.T) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		version, is := strings.CutPrefix(r.URL.Path, "/k8s.io/kubernetes/@v/")
		switch {
		case is && version == "list":
			_, _ = fmt.Fprintln(w, "v1.35.9\nv1.36.9")
		case is && path.Ext(version) == ".info":
			_, _ = fmt.Fprintf(w, `{"Version": %q}`, strings.TrimSuffix(version, ".info"))
		case is && path.Ext(version) == ".mod":
			_, _ = fmt.Fprintln(w, "module k8s.io/kubernetes")
		default:
			http.Error(w, "This module version is not available.", http.StatusForbidden)
		}
	}))
	t.Cleanup(server.Close)
	t.Setenv("GOPROXY", server.URL)
	t.Setenv("SKEWSIM_BUILDS", "on") // the proxy decides
	t.Setenv("GOSUMDB", "off")
	t.Setenv("GOFLAGS", "-modcacherw") // so that the directory can be removed
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("SKEWSIM_CACHE", t.TempDir())
}

func sortedNames(of map[string]map[string]string) (names []string) {
	for name := range of {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
