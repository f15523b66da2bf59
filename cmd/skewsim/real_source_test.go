package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-version"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/neighbours"
)

// TestNightlyAuthorsCheckout plays an author's own change against the last release: a field that
// only her checkout has is lost by old servers and by old clients, and kept by the typed
// clients of the checkout; a field that all know is lost by nobody. What is built of the
// checkout is built once, and again when it changes.
func TestNightlyAuthorsCheckout(t *testing.T) {
	tiers.NeedFirst(t)
	r := newReal(t)
	_, last := neighbours.Pair(t)
	segments := version.Must(version.NewVersion(last.Version)).Segments()
	minor := fmt.Sprintf("%d.%d", segments[0], segments[1]+1)
	folder := authored(t, last, minor)
	source := "source:" + folder
	get := exec.Command(r.bin, "builds", "get", source, builder.TypedClientPrefix+source) // takes minutes the first time
	get.Stderr = os.Stderr
	out, err := get.Output()
	require.NoError(t, err, "%s", out)

	again := r.run("builds", "get", source, builder.TypedClientPrefix+source)
	again.want(t, ExitExpected, source+": cached, ")
	assert.NotContains(t, again.stderr, "compiling")
	assert.Equal(t, string(out), again.stdout)
	status, err := exec.Command("git", "-C", folder, "status", "--porcelain").Output()
	require.NoError(t, err)
	assert.Equal(t, 5, strings.Count(string(status), "\n"), "what the author changed, and nothing else:\n%s", status)

	// The constraint is that of the release which the checkout will become.
	to, scenarios := t.TempDir(), constrained(t, `old: "< `+minor+`", new: ">= `+minor+`"`)
	pair := []string{"--old", last.Reference, "--new", source}
	for _, name := range []string{"my-field", "old-field"} {
		args := append([]string{"run", filepath.Join(scenarios, name+".yaml"), "--out", filepath.Join(to, name)}, pair...)
		r.run(args...).want(t, ExitExpected, "PASS  "+name+", "+last.Version+" .. v"+minor+".0-alpha.1-dirty")
	}
	res := resultOf(t, filepath.Join(to, "my-field"))
	causes := map[string]bool{}
	for _, f := range res.Findings {
		causes[string(f.Cause)] = true
	}
	assert.True(t, causes["unknown-field"] && causes["client-omitted"], "%v", causes)
	assert.Empty(t, resultOf(t, filepath.Join(to, "old-field")).Findings)

	before := filepath.Join(constrained(t, `new: "< `+minor+`"`), "my-field.yaml")
	r.run("run", before, "--out", filepath.Join(to, "refused"), pair[0], pair[1], pair[2], pair[3]).want(t, ExitUsage,
		"my-field: does not apply to v"+minor+".0-alpha.1-dirty as the new release: the scenario requires kube-apiserver < "+minor+" as the new release")
	require.NoError(t, os.WriteFile(filepath.Join(folder, "cmd", "kube-apiserver", "more.go"), []byte("package main\n"), 0o600))
	assert.NotContains(t, r.run("plan", filepath.Join("testdata", "nickname", "my-field.yaml"), pair[0], pair[1], pair[2], pair[3]).stderr, "compiling",
		"a plan builds nothing")
}

// constrained is a copy of the scenarios whose releases are constrained so.
func constrained(t *testing.T, constraint string) string {
	t.Helper()
	to := t.TempDir()
	files, err := filepath.Glob(filepath.Join("testdata", "nickname", "*.yaml"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		changed := strings.Replace(string(text), "{of: kube-apiserver}", "{of: kube-apiserver, "+constraint+"}", 1)
		require.NoError(t, os.WriteFile(filepath.Join(to, filepath.Base(file)), []byte(changed), 0o600))
	}
	return to
}
