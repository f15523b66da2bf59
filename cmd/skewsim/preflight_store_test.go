package main

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// filledStore starts a server of a release, and has it store so many clean objects of many shapes and sizes.
func filledStore(t testing.TB, ctx context.Context, a *App, b servers.Build, of preflighttest.Filling) (*probe.Server, preflighttest.Filled) {
	t.Helper()
	s, err := probe.Start(ctx, probe.Config{Build: b, Temporary: a.Temporary, Runtime: func(secrets, logs string) (servers.Runtime, error) { return a.NewRuntime(secrets, logs) }})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	release, err := published.Ask(ctx, s.Conn, b)
	require.NoError(t, err)
	all, err := a.Builder().Examples(ctx, b, "space-00")
	require.NoError(t, err)
	filled, err := preflighttest.Fill(ctx, s.Conn, release, all.Stubs, of)
	require.NoError(t, err)
	t.Logf("%d objects of %d kinds in %d shapes, of %d to %d bytes", filled.Objects, filled.Kinds, filled.Shapes, filled.Smallest, filled.Largest)
	return s, filled
}

// saveSnapshot writes a snapshot of a store, as etcdctl does.
func saveSnapshot(t testing.TB, ctx context.Context, of *etcd.Server, file string) {
	t.Helper()
	client, err := of.Client()
	require.NoError(t, err)
	defer client.Close()
	r, err := client.Snapshot(ctx)
	require.NoError(t, err)
	f, err := os.Create(file)
	require.NoError(t, err)
	_, err = io.Copy(f, r)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}

// cleanSnapshot writes a snapshot of a clean store, unless the file is there.
func cleanSnapshot(t testing.TB, b servers.Build, of preflighttest.Filling, file string) {
	t.Helper()
	if _, err := os.Stat(file); err == nil {
		return
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Minute)
	defer cancel()
	s, _ := filledStore(t, ctx, newApp(), b, of)
	saveSnapshot(t, ctx, s.Etcd, file)
	require.NoError(t, s.Close())
}
