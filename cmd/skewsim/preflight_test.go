package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// secret is a value that no report may hold.
const secret = "correct-horse-battery-staple"

// injected are values that are put into a clean store under their keys, and what a preflight from
// any of the releases of the tests to the next one finds of them, as CLASS DIRECTION KIND PATH; "":
// nothing, or what was broken before.
func injected(listener string) map[string]struct {
	object map[string]any
	found  string
} {
	meta := func(namespace, name string) map[string]any {
		m := map[string]any{"name": name, "uid": "11111111-2222-3333-4444-555555555555", "creationTimestamp": "2026-01-01T00:00:00Z", "annotations": map[string]any{"example.com/note": secret}}
		if namespace != "" {
			m["namespace"] = namespace
		}
		return m
	}
	type injection = struct {
		object map[string]any
		found  string
	}
	return map[string]injection{
		// Only the newer release knows the field, at default settings: the older one hides what is stored.
		"minions/remapped": {map[string]any{"apiVersion": "v1", "kind": "Node", "metadata": meta("", "remapped"), "spec": map[string]any{}, "status": map[string]any{"nodeInfo": map[string]any{
			"machineID": "", "systemUUID": "", "bootID": "", "kernelVersion": "", "osImage": "", "containerRuntimeVersion": "", "kubeletVersion": "", "kubeProxyVersion": "", "operatingSystem": "", "architecture": "", "runningInUserNamespace": true,
		}}}, "hidden up Node .status.nodeInfo.runningInUserNamespace; lost back Node .status.nodeInfo.runningInUserNamespace"},
		// No release reads it: it was broken before.
		"configmaps/space-01/garbled": {map[string]any{"apiVersion": "v9", "kind": "ConfigMap", "metadata": meta("space-01", "garbled"), "data": map[string]any{"k": secret}}, ""},
		"configmaps/space-01/plain":   {map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": meta("space-01", "plain"), "data": map[string]any{"k": secret}}, ""},
		"secrets/space-01/plain":      {map[string]any{"apiVersion": "v1", "kind": "Secret", "type": "Opaque", "metadata": meta("space-01", "plain"), "data": map[string]any{"k": "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ=="}}, ""},
		// What calls other servers is taken out, or nobody could write a thing.
		"validatingwebhookconfigurations/all": {map[string]any{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration", "metadata": meta("", "all"), "webhooks": []any{map[string]any{
			"name": "all.example.com", "admissionReviewVersions": []string{"v1"}, "sideEffects": "None", "failurePolicy": "Fail", "clientConfig": map[string]any{"url": "https://" + listener + "/"},
			"rules": []any{map[string]any{"apiGroups": []string{"*"}, "apiVersions": []string{"*"}, "resources": []string{"*/*"}, "operations": []string{"*"}}},
		}}}, "indeterminate up ValidatingWebhookConfiguration .webhooks[]"},
		"apiregistration.k8s.io/apiservices/v1.far.example.com": {map[string]any{"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": meta("", "v1.far.example.com"), "spec": map[string]any{
			"group": "far.example.com", "version": "v1", "groupPriorityMinimum": 100, "versionPriority": 100, "insecureSkipTLSVerify": true, "service": map[string]any{"namespace": "space-01", "name": "far", "port": 443},
		}}, ""},
	}
}

// stored writes a snapshot of a store with many clean objects, and with others put beside them.
func stored(t *testing.T, b servers.Build, count int, listener string) (file string, filled preflighttest.Filled) {
	t.Helper()
	values := map[string]string{}
	for key, i := range injected(listener) {
		raw, err := json.Marshal(i.object)
		require.NoError(t, err)
		values["/registry/"+key] = string(raw)
	}
	return snapshotOf(t, b, count, values)
}

// snapshotOf writes a snapshot of a store with many clean objects, and with values put beside them.
func snapshotOf(t *testing.T, b servers.Build, count int, values map[string]string) (file string, filled preflighttest.Filled) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	a := newApp()
	s, err := probe.Start(ctx, probe.Config{Build: b, Temporary: a.Temporary, Runtime: func(secrets, logs string) (servers.Runtime, error) { return a.NewRuntime(secrets, logs) }})
	require.NoError(t, err)
	defer s.Close()
	release, err := published.Ask(ctx, s.Conn, b)
	require.NoError(t, err)
	all, err := a.Builder().Examples(ctx, b, "space-00")
	require.NoError(t, err)
	filled, err = preflighttest.Fill(ctx, s.Conn, release, all.Stubs, preflighttest.Filling{Objects: count, Seed: 1})
	require.NoError(t, err)
	require.NoError(t, s.Process.Stop(ctx))
	for key, value := range values {
		require.NoError(t, s.Etcd.Put(ctx, key, []byte(value)))
	}
	client, err := s.Etcd.Client()
	require.NoError(t, err)
	defer client.Close()
	r, err := client.Snapshot(ctx)
	require.NoError(t, err)
	file = filepath.Join(t.TempDir(), "snapshot.db")
	f, err := os.Create(file)
	require.NoError(t, err)
	_, err = io.Copy(f, r)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	return file, filled
}

// TestKubernetesPreflight: of a clean store with some objects put beside, a preflight finds what
// these are known for, and nothing else. It changes no byte of the source, calls nobody, and no
// report holds a value.
func TestKubernetesPreflight(t *testing.T) {
	old, new := neighbours.Pair(t)
	reserved, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	at := reserved.Addr().String()
	require.NoError(t, reserved.Close()) // the server that makes the store may call it
	file, filled := stored(t, old, 400, at)
	t.Logf("%+v", filled)
	before, err := snapshot.DigestOf(t.Context(), file)
	require.NoError(t, err)

	called := listening(t, at)
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	o := r.run("preflight", file, "--from", old.Reference, "--to", new.Reference, "--out", out)
	o.want(t, ExitExpected, "lose")
	result := readPreflight(t, out)
	require.Len(t, result.Hops, 1)

	var want []string // without not-ready: both releases are ready a minute after they have met the garbled object
	for _, i := range injected("") {
		if i.found != "" {
			want = append(want, strings.Split(i.found, "; ")...)
		}
	}
	slices.Sort(want)
	assert.Equal(t, want, foundIn(result.Hops[0]))
	var broken []string
	for _, f := range result.Hops[0].Baseline {
		broken = append(broken, fmt.Sprintf("%s %s", f.Outcome, f.Name))
		if f.Name == "garbled" {
			assert.Contains(t, f.Message, "LIST", "it breaks the LIST of its kind")
			t.Log(f.Message)
		}
	}
	assert.Contains(t, broken, "undecodable garbled")

	after, err := snapshot.DigestOf(t.Context(), file)
	require.NoError(t, err)
	assert.Equal(t, before, after)
	wantUncalled(t, called, at)
	wantNoValue(t, out)
}

// listening counts who connects to an address.
func listening(t *testing.T, at string) *atomic.Int64 {
	t.Helper()
	listener, err := net.Listen("tcp", at)
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	var called atomic.Int64
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			called.Add(1)
			_ = c.Close()
		}
	}()
	return &called
}

// wantUncalled fails if anybody has called a listener, or if it would not have noticed.
func wantUncalled(t *testing.T, called *atomic.Int64, at string) {
	t.Helper()
	assert.Zero(t, called.Load(), "a server of the copy called a webhook")
	c, err := net.Dial("tcp", at)
	require.NoError(t, err)
	require.NoError(t, c.Close())
	assert.Eventually(t, func() bool { return called.Load() > 0 }, 10*time.Second, 10*time.Millisecond, "the listener does not count")
}

// foundIn are the findings of a hop in short.
func foundIn(h preflight.Hop) []string {
	all := []string{}
	for _, f := range h.Findings {
		all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", f.Outcome, f.Direction, f.Kind, f.Path)))
	}
	slices.Sort(all)
	return all
}

func readPreflight(t *testing.T, dir string) (r preflight.Result) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "preflight.json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &r))
	return r
}

// wantNoValue fails if a file of a preflight holds the secret value, or others may read it.
func wantNoValue(t *testing.T, dir string) {
	t.Helper()
	files := 0
	require.NoError(t, filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(name)
		assert.NotContains(t, string(text), secret, name)
		assert.NotContains(t, string(text), "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5LXN0YXBsZQ", name)
		assert.Zero(t, info.Mode().Perm()&0o077, "%s can be read by others", name)
		return err
	}))
	assert.NotZero(t, files)
}
