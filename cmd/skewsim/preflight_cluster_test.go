package main

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// TestKubernetesPreflightCluster: 5,000 objects of a cluster are read in less than a minute, and the audit
// log of its server has nothing but get and list of the reader. One write of the same user shows that
// the log would have had it.
func TestKubernetesPreflightCluster(t *testing.T) {
	old, _ := neighbours.Pair(t)
	const count, within = 5000, time.Minute
	dir := t.TempDir()
	policy, log := filepath.Join(dir, "policy.yaml"), filepath.Join(dir, "audit.log")
	require.NoError(t, os.WriteFile(policy, []byte("apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n"), 0o600))
	a := newApp()
	s, err := probe.Start(t.Context(), probe.Config{
		Build: old, Temporary: a.Temporary, Runtime: func(secrets, logs string) (servers.Runtime, error) { return a.NewRuntime(secrets, logs) },
		Options: servers.Options{Flags: []string{"--audit-policy-file=" + policy, "--audit-log-path=" + log, "--audit-log-mode=blocking"}},
	})
	require.NoError(t, err)
	defer s.Close()
	release, err := published.Ask(t.Context(), s.Conn, old)
	require.NoError(t, err)
	all, err := a.Builder().Examples(t.Context(), old, "space-00")
	require.NoError(t, err)
	filled, err := preflighttest.Fill(t.Context(), s.Conn, release, all.Stubs, preflighttest.Filling{Objects: count, Seed: 1})
	require.NoError(t, err)
	require.GreaterOrEqual(t, filled.Objects, count)

	began := time.Now()
	c, err := cluster.Connect(t.Context(), cluster.Options{Kubeconfig: kubeconfigOf(t, s), Secrets: true})
	require.NoError(t, err)
	read := 0
	coverage, err := cluster.Save(t.Context(), filepath.Join(dir, "saved.json.gz"), c, func(cluster.Object) error { read++; return nil })
	require.NoError(t, err)
	took := time.Since(began)
	t.Logf("%d objects read in %s; skipped: %v", read, took, coverage.Skipped)
	assert.GreaterOrEqual(t, read, count)
	assert.Less(t, took, within)
	by := verbsSince(t, log, began)
	for verb := range by {
		assert.Contains(t, []string{"get", "list"}, verb, "%v", by)
	}
	assert.NotZero(t, by["list"])

	answer := s.Conn.Do(t.Context(), client.Request{Method: http.MethodDelete, Path: "/api/v1/namespaces/space-00/configmaps/none"})
	require.Equal(t, http.StatusNotFound, answer.Code)
	assert.Contains(t, verbsSince(t, log, began), "delete")
}

// kubeconfigOf writes a kubeconfig for a server.
func kubeconfigOf(t *testing.T, s *probe.Server) string {
	t.Helper()
	e := s.Process.Endpoint()
	text := fmt.Sprintf(`{"apiVersion": "v1", "kind": "Config", "current-context": "c", "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
"clusters": [{"name": "c", "cluster": {"server": %q, "certificate-authority-data": %q}}], "users": [{"name": "u", "user": {"token": %q}}]}`, e.URL, base64.StdEncoding.EncodeToString(e.CAData), e.Token)
	file := filepath.Join(t.TempDir(), "kubeconfig")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// verbsSince counts the requests in an audit log since a time by their verbs, without those of the server
// itself.
func verbsSince(t *testing.T, log string, since time.Time) map[string]int {
	t.Helper()
	f, err := os.Open(log)
	require.NoError(t, err)
	defer f.Close()
	by := map[string]int{}
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var event struct {
			Verb                     string
			RequestReceivedTimestamp time.Time
			User                     struct{ Username string }
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &event))
		own := []string{"system:apiserver", "system:anonymous"}
		if event.RequestReceivedTimestamp.After(since) && !slices.Contains(own, event.User.Username) {
			by[event.Verb]++
		}
	}
	return by
}
