package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/preflight"
)

// TestKubernetesPreflightProgram: custom resources of a version that a webhook converts are taken and judged with
// its program, and one that panics is found as what nobody can read. Without a program, what is stored in another
// version is not taken, and the Service of the webhook is named.
func TestKubernetesPreflightProgram(t *testing.T) {
	old, new := neighbours.Pair(t)
	operator, source := buildOperator(t), filepath.Join(t.TempDir(), "source")
	require.NoError(t, os.CopyFS(source, os.DirFS("testdata/operator/old")))
	require.NoError(t, os.Remove(filepath.Join(source, "webhooks.yaml")), "a preflight takes those of admission out, whoever serves them")
	widget := func(version, spec string) string {
		return fmt.Sprintf("apiVersion: operator.example.dev/%s\nkind: Widget\nmetadata: {name: of-%s, namespace: default}\nspec: %s\n", version, version, spec)
	}
	require.NoError(t, os.WriteFile(filepath.Join(source, "objects.yaml"), []byte(widget("v1", "{place: 1/2, size: 3}")+"---\n"+widget("v2", "{floor: '1', room: '2', extent: 3, colour: red}")), 0o600))
	play := func(t *testing.T, exit int, flags ...string) (preflight.Result, string) {
		out := filepath.Join(t.TempDir(), "out")
		o := newReal(t).run(append([]string{"preflight", source, "--from", old.Reference, "--to", new.Reference, "--out", out}, flags...)...)
		o.want(t, exit)
		return readPreflight(t, out), out
	}
	program := func(mistake string) string {
		file := filepath.Join(t.TempDir(), "program.yaml")
		text := fmt.Sprintf("{component: operator, command: [%q], flags: [\"--port=$(port)\", \"--cert-dir=$(certDir)\", \"--mistake=%s\"], kinds: [Widget.operator.example.dev]}\n", operator, mistake)
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		return file
	}
	t.Run("with its program", func(t *testing.T) {
		r, out := play(t, ExitExpected, "--webhooks", program(""))
		assert.Zero(t, r.Source.NotTaken, "%v", r.Source.Skipped)
		for _, h := range r.Hops {
			assert.Empty(t, append(h.Findings, h.Baseline...))
		}
		logs, err := os.ReadDir(filepath.Join(out, "logs"))
		require.NoError(t, err)
		assert.Len(t, logs, 1, "the program's")
	})
	t.Run("with one that panics", func(t *testing.T) {
		r, _ := play(t, ExitExpected, "--webhooks", program("panics"))
		var states []term.Outcome
		for _, f := range r.Hops[0].Baseline {
			assert.Equal(t, "Widget", f.Kind)
			states = append(states, f.Outcome)
		}
		assert.Contains(t, states, term.Undecodable)
	})
	t.Run("without a program", func(t *testing.T) {
		r, _ := play(t, ExitExpected)
		assert.Equal(t, 1, r.Source.NotTaken, "%v", r.Source.Skipped)
		require.Len(t, r.Source.Removed, 1)
		assert.Contains(t, r.Source.Removed[0], "operator/webhook")
		assert.Contains(t, r.Source.Removed[0], "Widget.operator.example.dev (v1, v2)")
		for _, h := range r.Hops {
			assert.Empty(t, append(h.Findings, h.Baseline...))
		}
	})
	t.Run("of another kind", func(t *testing.T) {
		file := program("")
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(file, []byte(strings.Replace(string(text), "Widget.operator", "Gadget.operator", 1)), 0o600))
		r, _ := play(t, ExitExpected, "--webhooks", file)
		assert.Equal(t, 1, r.Source.NotTaken)
		assert.Contains(t, strings.Join(r.Source.Skipped, "\n"), "they may convert: Gadget.operator.example.dev")
	})
}
