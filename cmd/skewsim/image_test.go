package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/container/containertest"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/result"
)

// frobberImage is the reference server's release as an image.
func frobberImage(t *testing.T, release string) string {
	t.Helper()
	path := frobberOnPath(t)
	return "image:" + containertest.Image(t, containertest.Layout{
		Files: map[string]string{"/frobber-apiserver": path}, Entrypoint: []string{"/frobber-apiserver", "--release=" + release},
	})
}

// etcdImage is an image of etcd, in the version that skewsim embeds.
func etcdImage(t *testing.T) string {
	t.Helper()
	return "image:" + containertest.Image(t, containertest.Layout{
		Files: map[string]string{"/usr/local/bin/etcd": containertest.Static(t, "go.etcd.io/etcd/server/v3")}, Path: "/usr/local/bin",
	})
}

// TestPagesImagesOfFrobber: an image and a local build play one journey, on a store that is
// in a container too, and what is found is what two local builds show.
func TestPagesImagesOfFrobber(t *testing.T) {
	image, store := frobberImage(t, "1.0"), etcdImage(t)
	code, local := playScenario(t, "frobber/add-field")
	require.Equal(t, ExitExpected, code)
	code, mixed := playScenario(t, "frobber/add-field", "--old", image, "--new", "frobber@1.1", "--store", store)
	assert.Equal(t, store, mixed.Store.Reference)
	assert.Equal(t, etcd.EmbeddedVersion(), mixed.Store.Version)
	assert.Regexp(t, "^sha256:[0-9a-f]{64}$", mixed.Store.Digest)
	assert.Equal(t, ExitExpected, code)
	assert.Equal(t, findingsOf(local), findingsOf(mixed))
	for i, b := range mixed.Builds {
		own := local.Builds[i]
		assert.Equal(t, own.Version, b.Version)
		assert.Len(t, b.Digest, len(own.Digest))
		if b.Role == term.Old {
			assert.Equal(t, image, b.Reference)
			assert.NotEqual(t, own.Digest, b.Digest, "it is the image's")
		}
	}
}

// TestPagesGetImage: there is no path of a server in an image, so what is printed is the
// image's ID, as a reference that can be played.
func TestPagesGetImage(t *testing.T) {
	image := frobberImage(t, "1.0")
	code, out, said := called("builds", "get", image)
	require.Zero(t, code, said)
	assert.Regexp(t, "^image:sha256:[0-9a-f]{64}\n$", out)
	assert.Contains(t, said, image+": in the image store of the Docker engine; its server is /frobber-apiserver there\n")
	code, again, said := called("builds", "get", strings.TrimSpace(out))
	require.Zero(t, code, said)
	assert.Equal(t, out, again)
}

// TestPagesFuzzOnAnImage: fuzz runs on the etcd of an image, and reports a name that is not an
// image before anything is built.
func TestPagesFuzzOnAnImage(t *testing.T) {
	r := tool(t)
	r.run("fuzz", "frobber@1.2..1.3", "--store", "etcd:3.6", "--out", filepath.Join(t.TempDir(), "out")).want(t, ExitUsage, `--store "etcd:3.6": want image:NAME`)
	store := etcdImage(t)
	r.run("fuzz", "frobber@1.2..1.3", "--count", "10", "--store", store, "--out", filepath.Join(t.TempDir(), "out")).
		want(t, ExitExpected, "the store is etcd "+etcd.EmbeddedVersion())
}

// findingsOf returns the findings of a result, without what depends on revisions and addresses.
func findingsOf(r result.Result) (all []string) {
	for _, f := range r.Findings {
		all = append(all, fmt.Sprint(f.Step, f.Check, f.Class, f.Cause, f.Object, f.Copy, f.Path, f.Expected))
	}
	slices.Sort(all)
	return all
}

// TestPagesImagesOfKubernetes: a kube-apiserver in an image that holds nothing else, beside a
// local build of the next release.
func TestPagesImagesOfKubernetes(t *testing.T) {
	old, new := neighbours.Pair(t)
	image := "image:" + containertest.Image(t, containertest.Layout{
		Files: map[string]string{"/usr/local/bin/kube-apiserver": old.Path}, Entrypoint: []string{"/go-runner"}, Path: "/usr/local/bin",
	})
	code, r := playScenario(t, "kubernetes/control", "--old", image, "--new", new.Reference)
	assert.Equal(t, ExitExpected, code)
	assert.Empty(t, findingsOf(r))
	at := slices.IndexFunc(r.Builds, func(b result.Build) bool { return b.Role == term.Old })
	assert.Equal(t, image+" "+old.Version, r.Builds[at].Reference+" "+r.Builds[at].Version)
}

// TestPagesImageOfAnOperator: the program of a release is in an image that holds nothing else. It converts and admits as one
// that is a process does, its log is kept, and no container is left. One that other machines can reach is refused.
func TestPagesImageOfAnOperator(t *testing.T) {
	newReal(t)
	image := containertest.Image(t, containertest.Layout{Files: map[string]string{"/operator": buildOperator(t)}, Entrypoint: []string{"/operator"}})
	program := func(mistake string) string {
		file := filepath.Join(t.TempDir(), "program.yaml")
		text := fmt.Sprintf("{component: operator, image: %q, flags: [\"--port=$(port)\", \"--cert-dir=$(certDir)\", \"--mistake=%s\"], admits: [/mutate, /validate]}\n", image, mistake)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	out := filepath.Join(t.TempDir(), "out")
	r := tool(t)
	r.run("run", "testdata/operator/operator.yaml", "--webhooks", program(""), "--out", out).want(t, ExitExpected)
	logs, err := filepath.Glob(filepath.Join(out, "logs", "*-operator.log"))
	require.NoError(t, err)
	assert.NotEmpty(t, logs)
	assert.Empty(t, containertest.Runs(t, os.Getpid()))
	for mistake, want := range map[string]string{"listens-on-all": "which other machines can reach", "ends-at-once": "no licence", "no-path": "answered a ConversionReview with 404"} {
		r.run("run", "testdata/operator/operator.yaml", "--webhooks", program(mistake), "--out", filepath.Join(t.TempDir(), "out")).want(t, ExitUsage, want)
	}
	assert.Empty(t, containertest.Runs(t, os.Getpid()))
}

// TestPagesImageRunsThatEnd ends runs whose servers and store are containers in the middle.
// Seconds later there is no container, no guard, and nobody at a port.
func TestPagesImageRunsThatEnd(t *testing.T) {
	image, store := frobberImage(t, "1.0"), etcdImage(t)
	r := tool(t)
	for name, c := range map[string]struct {
		signal syscall.Signal
		code   int
	}{"ctrl-c": {syscall.SIGINT, ExitUnjudged}, "killed": {syscall.SIGKILL, -1}} {
		t.Run(name, func(t *testing.T) {
			r.t = t
			out := filepath.Join(t.TempDir(), "out")
			var runs []string
			r.until("upgrading 1/2", func(p *os.Process) {
				runs = containertest.Runs(t, p.Pid)
				assert.Len(t, runs, 1, "containers run")
				kill(c.signal)(p)
			}, "run", "frobber/add-field", "--old", image, "--new", "frobber@1.1", "--store", store, "--out", out).want(t, c.code)
			require.NotEmpty(t, runs)
			assert.Eventually(t, func() bool { return len(of(t, runs[0], out)) == 0 }, 30*time.Second, 50*time.Millisecond, "nobody is left")
			assert.Empty(t, of(t, runs[0], out))
			assert.Empty(t, containertest.Left(t, "dev.skewsim.run="+runs[0]))
		})
	}
}

// of are the processes of a run: its guard, its servers and its store.
func of(t *testing.T, run, out string) (lines []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	require.NoError(t, err)
	for _, file := range files {
		raw, err := os.ReadFile(file)
		line := strings.ReplaceAll(string(raw), "\x00", " ")
		if err == nil && (strings.Contains(line, GuardCommand+" "+run) || strings.Contains(line, cmp.Or(out, "?")+"/")) {
			lines = append(lines, line)
		}
	}
	return lines
}
