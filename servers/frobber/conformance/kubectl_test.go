package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// terminal is a kubectl with access to one server.
type terminal struct {
	path string
	env  []string
}

// said is the exit code and the output of a command.
type said struct {
	code     int
	out, err string
}

func newTerminal(t *testing.T, s *server) *terminal {
	t.Helper()
	cache, err := build.OpenCache("")
	require.NoError(t, err)
	built, err := build.GetKubectl(t.Context(), cache, kubernetes, nil)
	require.NoError(t, err)
	home := t.TempDir()
	config := filepath.Join(home, "config")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `
apiVersion: v1
kind: Config
current-context: it
clusters: [{name: it, cluster: {server: %q, certificate-authority-data: %s}}]
users: [{name: it, user: {token: %s}}]
contexts: [{name: it, context: {cluster: it, user: it, namespace: default}}]
`, s.URL, base64.StdEncoding.EncodeToString(s.CAData), s.Token), 0o600))
	return &terminal{path: built.Path, env: []string{"HOME=" + home, "KUBECONFIG=" + config, "PATH=" + os.Getenv("PATH")}}
}

func (k *terminal) command(ctx context.Context, input string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, k.path, args...)
	c.Env, c.Stdin = k.env, strings.NewReader(input)
	return c
}

// run runs a command, whether it succeeds or not.
func (k *terminal) run(t *testing.T, input string, args ...string) said {
	t.Helper()
	var out, complaint bytes.Buffer
	c := k.command(t.Context(), input, args...)
	c.Stdout, c.Stderr = &out, &complaint
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return said{c.ProcessState.ExitCode(), out.String(), complaint.String()}
}

// ok runs a command that must succeed, and returns its output.
func (k *terminal) ok(t *testing.T, input string, args ...string) string {
	t.Helper()
	s := k.run(t, input, args...)
	require.Equal(t, 0, s.code, "kubectl %s: %s%s", strings.Join(args, " "), s.out, s.err)
	return s.out
}

// field returns one field of the object a.
func (k *terminal) field(t *testing.T, path string) string {
	t.Helper()
	return k.ok(t, "", "get", "frobber", "a", "-o", "jsonpath={"+path+"}")
}

// manifest returns an object named a; more are additional lines of its spec.
func manifest(more ...string) string {
	return "apiVersion: frobbing.example.com/v6\nkind: Frobber\nmetadata: {name: a}\nspec:\n  " +
		strings.Join(append([]string{"param: p"}, more...), "\n  ") + "\n"
}

// TestPagesKubectl does with the real kubectl what users do. Each part deletes its objects.
func TestPagesKubectl(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	k := newTerminal(t, frobber(t, "", agreed, store(t).Store(), "--release="+agreed))
	for _, part := range []struct {
		name string
		test func(*testing.T, *terminal)
	}{
		{"discovery and explain", kubectlTells}, {"create and read", kubectlReads}, {"watch", kubectlWatches}, {"validate", kubectlValidates},
		{"edit", kubectlEdits}, {"patch", kubectlPatches}, {"apply", kubectlApplies}, {"apply --server-side", kubectlAppliesThere},
		{"diff", kubectlDiffs}, {"status and wait", kubectlWaits}, {"scale", kubectlScales}, {"other version", kubectlOtherVersion},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.test(t, k)
			k.ok(t, "", "delete", "frobber", "a", "--ignore-not-found")
			require.Empty(t, k.ok(t, "", "get", "frobbers", "-A", "-o", "name"))
		})
	}
}

func kubectlTells(t *testing.T, k *terminal) {
	assert.Regexp(t, `(?m)^frobbers\s+\S*\s+frobbing\.example\.com/v6\s+true\s+Frobber$`, k.ok(t, "", "api-resources"))
	versions := k.ok(t, "", "api-versions")
	assert.Contains(t, versions, "frobbing.example.com/v6\nfrobbing.example.com/v7beta1\n")
	assert.Contains(t, k.ok(t, "", "version"), "Server Version: v"+agreed+".0")
	parts := k.ok(t, "", "explain", "frobber.spec.parts")
	assert.Contains(t, parts, "FIELD: parts <[]Part>")
	assert.Contains(t, parts, "name\t<string> -required-\n    name identifies the part.")
	all := k.ok(t, "", "explain", "frobber", "--recursive")
	assert.Regexp(t, `(?s)spec.*\n    height.*\n    parts\t<\[\]\w+>\n      name\t<string> -required-\n      size\t<integer>.*\n    width\t`, all)
	assert.NotContains(t, all, "FieldSpec", "an embedded struct is no field")
	assert.Contains(t, k.ok(t, "", "explain", "frobber.spec.size.width", "--api-version=frobbing.example.com/v7beta1"), "FIELD: width <integer>")
	assert.Equal(t, 1, k.run(t, "", "explain", "frobber.spec.size").code, "v6 has no size")
}

func kubectlReads(t *testing.T, k *terminal) {
	assert.Equal(t, "frobber.frobbing.example.com/a created\n", k.ok(t, manifest("height: 2", "parts: [{name: x, size: 3}]"), "create", "-f", "-"))
	again := k.run(t, manifest("height: 2"), "create", "-f", "-")
	assert.Equal(t, 1, again.code)
	assert.Contains(t, again.err, `Error from server (AlreadyExists): error when creating "STDIN": frobbers.frobbing.example.com "a" already exists`)
	table := strings.Split(k.ok(t, "", "get", "frobbers"), "\n")
	assert.Regexp(t, `^NAME\s+.*AGE$`, table[0])
	assert.Regexp(t, `^a\s+.*\d+s$`, table[1])
	yaml := k.ok(t, "", "get", "frobber", "a", "-o", "yaml")
	assert.Contains(t, yaml, "apiVersion: frobbing.example.com/v6\nkind: Frobber\n")
	assert.Contains(t, yaml, "spec:\n  height: 2\n  param: p\n  parts:\n  - name: x\n    size: 3\n  replicas: 1\n  width: 1\nstatus:\n  area: 2\n")
	assert.Contains(t, k.ok(t, "", "get", "frobber", "a", "-o", "yaml", "--show-managed-fields"), "manager: kubectl-create\n")
	assert.Contains(t, k.ok(t, "", "describe", "frobber", "a"), "Height:  2\n")
	assert.Contains(t, k.run(t, "", "get", "frobber", "b").err, `(NotFound): frobbers.frobbing.example.com "b" not found`)
	assert.Equal(t, "frobber.frobbing.example.com/a labeled\n", k.ok(t, "", "label", "frobber", "a", "l=1"))
	assert.Equal(t, "frobber.frobbing.example.com/a\n", k.ok(t, "", "get", "frobbers", "-l", "l=1", "-o", "name"))
	assert.Empty(t, k.ok(t, "", "get", "frobbers", "-l", "l=2", "-o", "name"))
	assert.Equal(t, "frobber.frobbing.example.com/a\n", k.ok(t, "", "get", "frobbers", "--field-selector", "metadata.name=a", "-o", "name"))
	assert.Equal(t, "frobber.frobbing.example.com/a replaced\n", k.ok(t, manifest("height: 3"), "replace", "-f", "-"))
	assert.Equal(t, "3", k.field(t, ".spec.height"))
	assert.Equal(t, "frobber.frobbing.example.com \"a\" deleted from default namespace\n", k.ok(t, "", "delete", "frobber", "a"))
}

func kubectlWatches(t *testing.T, k *terminal) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	watch := k.command(ctx, "", "get", "frobbers", "-w", "--output-watch-events", "-o", `custom-columns=:type,:object.metadata.name,:object.spec.height`)
	out, err := watch.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, watch.Start())
	lines := bufio.NewScanner(out)
	next := func() string {
		for lines.Scan() {
			if words := strings.Fields(lines.Text()); len(words) > 1 {
				return strings.Join(words, " ")
			}
		}
		return "the watch ended"
	}
	k.ok(t, manifest("height: 2"), "create", "-f", "-")
	assert.Equal(t, "ADDED a 2", next())
	k.ok(t, "", "patch", "frobber", "a", "--type=merge", "-p", `{"spec":{"height":3}}`)
	assert.Equal(t, "MODIFIED a 3", next())
	k.ok(t, "", "delete", "frobber", "a")
	assert.Equal(t, "DELETED a 3", next())
	cancel()
	_ = watch.Wait() // it was ended
}

func kubectlValidates(t *testing.T, k *terminal) {
	unknown := manifest("height: 2", "colour: red")
	strict := k.run(t, unknown, "create", "--validate=strict", "-f", "-")
	assert.Equal(t, 1, strict.code)
	assert.Contains(t, strict.err, `strict decoding error: unknown field "spec.colour"`)
	ignored := k.run(t, unknown, "create", "--validate=ignore", "--dry-run=server", "-f", "-")
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a created (server dry run)\n", ""}, ignored)
	warned := k.run(t, unknown, "create", "--validate=warn", "-f", "-")
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a created\n", "Warning: unknown field \"spec.colour\"\n"}, warned)
	invalid := k.run(t, manifest("height: -1"), "replace", "-f", "-")
	assert.Contains(t, invalid.err, `The Frobber "a" is invalid: spec.height: Invalid value: -1: `)
}

func kubectlEdits(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2"), "create", "-f", "-")
	editor := filepath.Join(t.TempDir(), "editor")
	require.NoError(t, os.WriteFile(editor, []byte("#!/bin/sh\nsed -i 's/height: 2/height: 7/' \"$1\"\n"), 0o700))
	editing := &terminal{path: k.path, env: append([]string{"KUBE_EDITOR=" + editor}, k.env...)}
	assert.Equal(t, "frobber.frobbing.example.com/a edited\n", editing.ok(t, "", "edit", "frobber", "a"))
	assert.Equal(t, "7", k.field(t, ".spec.height"))
	assert.Contains(t, editing.run(t, "", "edit", "frobber", "a").err, "Edit cancelled, no changes made.")
}

func kubectlPatches(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2", "parts: [{name: x, size: 3}, {name: w}]"), "create", "-f", "-")
	patch := func(kind, body string) said { return k.run(t, "", "patch", "frobber", "a", "--type="+kind, "-p", body) }
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a patched\n", ""}, patch("strategic", `{"spec":{"parts":[{"name":"x","size":4}]}}`))
	assert.Equal(t, `[{"name":"x","size":4},{"name":"w"}]`, k.field(t, ".spec.parts"))
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a patched\n", ""}, patch("merge", `{"spec":{"parts":[{"name":"z"}]}}`))
	assert.Equal(t, `[{"name":"z"}]`, k.field(t, ".spec.parts"))
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a patched\n", ""}, patch("json", `[{"op":"test","path":"/spec/height","value":2},{"op":"replace","path":"/spec/height","value":5}]`))
	assert.Equal(t, "5", k.field(t, ".spec.height"))
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a patched (no change)\n", ""}, patch("merge", `{"spec":{"height":5}}`))
	assert.Contains(t, patch("json", `[{"op":"test","path":"/spec/height","value":2}]`).err, "The request is invalid: the server rejected our request due to an error in our request")
}

func kubectlApplies(t *testing.T, k *terminal) {
	apply := func(lines ...string) string { return k.ok(t, manifest(lines...), "apply", "-f", "-") }
	assert.Equal(t, "frobber.frobbing.example.com/a created\n", apply("height: 2", "parts: [{name: x}, {name: w}]"))
	assert.Equal(t, "frobber.frobbing.example.com/a unchanged\n", apply("height: 2", "parts: [{name: x}, {name: w}]"))
	k.ok(t, "", "patch", "frobber", "a", "-p", `{"spec":{"parts":[{"name":"z"}]}}`)
	assert.Equal(t, "frobber.frobbing.example.com/a configured\n", apply("height: 3", "parts: [{name: x, size: 1}]"))
	assert.Equal(t, "3", k.field(t, ".spec.height"))
	// w was applied before and is gone; z belongs to another manager.
	assert.Equal(t, `[{"name":"z"},{"name":"x","size":1}]`, k.field(t, ".spec.parts"))
	assert.Contains(t, k.ok(t, "", "apply", "view-last-applied", "frobber", "a"), "height: 3\n")
}

func kubectlAppliesThere(t *testing.T, k *terminal) {
	apply := func(more ...string) said {
		return k.run(t, manifest("height: 2", "parts: [{name: x}]"), append([]string{"apply", "--server-side", "-f", "-"}, more...)...)
	}
	done := said{0, "frobber.frobbing.example.com/a serverside-applied\n", ""}
	assert.Equal(t, done, apply())
	assert.Equal(t, done, apply())
	k.ok(t, "", "patch", "frobber", "a", "--type=merge", "-p", `{"spec":{"height":3}}`, "--field-manager=other")
	conflict := apply()
	assert.Equal(t, 1, conflict.code)
	assert.Contains(t, conflict.err, "Apply failed with 1 conflict: conflict with \"other\" using frobbing.example.com/v6: .spec.height\n")
	assert.Equal(t, done, apply("--force-conflicts"))
	assert.Equal(t, "2", k.field(t, ".spec.height"))
	assert.Equal(t, done, apply("--field-manager=second"))
}

func kubectlDiffs(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2"), "create", "-f", "-")
	assert.Equal(t, said{0, "", ""}, k.run(t, manifest("height: 2"), "diff", "-f", "-"))
	other := k.run(t, manifest("height: 3"), "diff", "-f", "-")
	assert.Equal(t, 1, other.code)
	assert.Contains(t, other.out, "\n-  height: 2\n+  height: 3\n")
	assert.Contains(t, other.out, "\n-  area: 2\n+  area: 3\n")
	assert.Equal(t, "2", k.field(t, ".spec.height"))
	there := k.run(t, manifest("height: 3"), "diff", "--server-side", "--force-conflicts", "-f", "-")
	assert.Equal(t, 1, there.code)
	assert.Contains(t, there.out, "\n-  height: 2\n+  height: 3\n")
	assert.Greater(t, k.run(t, manifest("height: -1"), "diff", "-f", "-").code, 1)
}

func kubectlWaits(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2"), "create", "-f", "-")
	wait := func(within string) said {
		return k.run(t, "", "wait", "frobber/a", "--for=condition=Ready", "--timeout="+within)
	}
	assert.Equal(t, said{1, "", "error: timed out waiting for the condition on frobbers/a\n"}, wait("300ms"))
	waited := make(chan said)
	go func() { waited <- wait("30s") }()
	k.ok(t, "", "patch", "frobber", "a", "--subresource=status", "--type=merge", "-p",
		`{"spec":{"height":9},"status":{"conditions":[{"type":"Ready","status":"True","reason":"R","message":"m","lastTransitionTime":"2020-01-01T00:00:00Z"}]}}`)
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a condition met\n", ""}, <-waited)
	assert.Equal(t, "2", k.field(t, ".spec.height"), "a write of the status writes nothing else")
	assert.Equal(t, "True", k.field(t, ".status.conditions[0].status"))
	k.ok(t, "", "patch", "frobber", "a", "--type=merge", "-p", `{"status":{"conditions":null}}`)
	assert.Equal(t, "True", k.field(t, ".status.conditions[0].status"), "and any other none of the status")
	assert.Equal(t, said{0, "frobber.frobbing.example.com/a condition met\n", ""}, k.run(t, "", "wait", "frobber/a", "--for=jsonpath={.status.area}=2", "--timeout=30s"))
}

func kubectlScales(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2"), "create", "-f", "-")
	assert.Equal(t, "frobber.frobbing.example.com/a scaled\n", k.ok(t, "", "scale", "frobber/a", "--replicas=3"))
	assert.Equal(t, "3", k.field(t, ".spec.replicas"))
	assert.Equal(t, 1, k.run(t, "", "scale", "frobber/a", "--replicas=4", "--current-replicas=1").code)
	assert.Equal(t, "3", k.ok(t, "", "get", "frobber", "a", "--subresource=scale", "-o", "jsonpath={.spec.replicas}"))
}

func kubectlOtherVersion(t *testing.T, k *terminal) {
	k.ok(t, manifest("height: 2", "width: 3"), "create", "-f", "-")
	size := func() string {
		return k.ok(t, "", "get", "frobbers.v7beta1.frobbing.example.com", "a", "-o", "jsonpath={.spec.size}")
	}
	assert.Equal(t, `{"height":2,"width":3}`, size())
	k.ok(t, "", "patch", "frobbers.v7beta1.frobbing.example.com", "a", "--type=merge", "-p", `{"spec":{"size":{"width":5}}}`)
	assert.Equal(t, "5", k.field(t, ".spec.width"))
	assert.Equal(t, 1, k.run(t, "", "get", "frobbers.v0.frobbing.example.com", "a").code)
}
