package main

import (
	"context"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/cmd/skewsim/app"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/preflight/preflighttest"
	"github.com/skewsim/skewsim/sim/preflight/session"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// TestMakeTrialStore writes a snapshot: STORE=file RELEASE=v1.36.3 COUNT=2000.
func TestMakeTrialStore(t *testing.T) {
	at := os.Getenv("STORE")
	if at == "" {
		t.Skip("STORE names no file")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	defer cancel()
	a := app.New()
	ref, err := session.Reference(os.Getenv("RELEASE"))
	require.NoError(t, err)
	b, err := a.Builder().Build(ctx, ref)
	require.NoError(t, err)
	s, err := probe.Start(ctx, probe.Config{Build: b, Runtime: func(secrets, logs string) (servers.Runtime, error) { return a.NewRuntime(secrets, logs) }, Temporary: a.Temporary})
	require.NoError(t, err)
	defer s.Close()
	release, err := published.Ask(ctx, s.Conn, b)
	require.NoError(t, err)
	all, err := a.Builder().Examples(ctx, b, "space-00")
	require.NoError(t, err)
	count, _ := strconv.Atoi(os.Getenv("COUNT"))
	began := time.Now()
	filled, err := preflighttest.Fill(ctx, s.Conn, release, all.Stubs, count, 1)
	require.NoError(t, err)
	t.Logf("%+v in %s", filled, time.Since(began))
	injected, err := os.ReadDir(os.Getenv("INJECT"))
	if os.Getenv("INJECT") != "" {
		require.NoError(t, err)
	}
	for _, f := range injected {
		raw, err := os.ReadFile(os.Getenv("INJECT") + "/" + f.Name())
		require.NoError(t, err)
		require.NoError(t, s.Etcd.Put(ctx, "/registry/"+strings.ReplaceAll(f.Name(), "__", "/"), raw))
	}
	client, err := s.Etcd.Client()
	require.NoError(t, err)
	defer client.Close()
	r, err := client.Snapshot(ctx)
	require.NoError(t, err)
	f, err := os.Create(at)
	require.NoError(t, err)
	_, err = io.Copy(f, r)
	require.NoError(t, err)
	require.NoError(t, f.Close())
}
