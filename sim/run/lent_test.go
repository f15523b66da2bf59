package run

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestLentServers: servers that run already answer what a run asks before it begins. What they do not create, or
// do not answer, and what nobody lends a server for, servers of the run's own are asked.
func TestLentServers(t *testing.T) {
	t.Parallel()
	alone := runtest.NewWorld(t)
	own := config(t, alone, runtest.SmallPlan(t, bothMake))
	require.NoError(t, Run(runtest.Bounded(t), own))
	want := load(t, own).Releases
	for name, k := range map[string]struct {
		lends          string // the versions of the builds of which servers are lent
		refuses, fails string // the places that refuse the objects, or answer nothing
		ends           string // the place that answers its version, and nothing else
		starts         string
	}{
		"both are lent":             {lends: "v1 v2"},
		"one is lent":               {lends: "v1", starts: "scratch-new"},
		"none is lent":              {starts: "scratch-old scratch-new"},
		"one answers nothing":       {lends: "v1 v2", fails: "lent-v2", starts: "scratch-new"},
		"one ends after it answers": {lends: "v1 v2", ends: "lent-v2", starts: "scratch-new"},
		"one creates no object":     {lends: "v1 v2", refuses: "lent-v2", starts: "scratch-new"},
		"the old one creates none":  {lends: "v1 v2", refuses: "lent-v1"}, // it is not asked
	} {
		t.Run(name, func(t *testing.T) {
			w := runtest.NewWorld(t)
			c := config(t, w, runtest.SmallPlan(t, bothMake))
			refusing := refusingAt(k.refuses, 422, oddSize)
			w.Answer = func(place, method, path string) (int, string) {
				switch {
				case k.fails != "" && place == k.fails:
					return 500, `{}`
				case k.ends != "" && place == k.ends && path != "/version":
					return 500, `{}`
				case k.refuses != "" && place == k.refuses:
					return refusing(place, method, path)
				}
				return 0, ""
			}
			lent := map[string]*client.Connection{}
			for _, b := range runtest.Builds() {
				p := w.NewProcess(b, "lent-"+b.Version, "lent-"+b.Version)
				t.Cleanup(p.Kill)
				conn, err := fleet.Connect(p, 0)
				require.NoError(t, err)
				lent[b.Version] = conn
			}
			c.Lend = func(b servers.Build, o servers.Options) *client.Connection {
				assert.True(t, o.Equal(servers.Options{}))
				if !strings.Contains(k.lends, b.Version) {
					return nil
				}
				return lent[b.Version]
			}
			require.NoError(t, Run(runtest.Bounded(t), c))
			for _, place := range []string{"scratch-old", "scratch-new"} {
				assert.Equal(t, strings.Contains(k.starts, place), len(w.Seen("start "+place)) > 0, place)
			}
			assert.Equal(t, want, load(t, c).Releases)
		})
	}
}

// TestLentAcceptanceIsNotKept: what a lent server reports about itself serves later runs; that it accepts an object does not, since
// others may have stored there what the object needs. What a server of the run's own accepts does.
func TestLentAcceptanceIsNotKept(t *testing.T) {
	t.Parallel()
	for name, k := range map[string]struct{ lends, keeps bool }{"lent": {lends: true}, "of the run's own": {keeps: true}} {
		t.Run(name, func(t *testing.T) {
			w := runtest.NewWorld(t)
			c := config(t, w, runtest.SmallPlan(t, bothMake))
			c.Probes = t.TempDir()
			c.Lend = func(b servers.Build, _ servers.Options) *client.Connection {
				if !k.lends {
					return nil
				}
				p := w.NewProcess(b, "lent-"+b.Version, "lent-"+b.Version)
				t.Cleanup(p.Kill)
				conn, err := fleet.Connect(p, 0)
				require.NoError(t, err)
				return conn
			}
			require.NoError(t, Run(runtest.Bounded(t), c))
			objects, err := filepath.Glob(filepath.Join(c.Probes, "object-*.json"))
			require.NoError(t, err)
			assert.Equal(t, k.keeps, len(objects) > 0)
			all, err := filepath.Glob(filepath.Join(c.Probes, "*.json"))
			require.NoError(t, err)
			assert.Len(t, all, len(objects)+2, "one for each release")
		})
	}
}
