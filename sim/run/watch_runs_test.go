package run

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestCacheLags: in a whole run, whatever a watch is slow to show, no LIST of an
// edge is recorded before every watch has shown the newest change.
func TestCacheLags(t *testing.T) {
	t.Parallel()
	w := runtest.NewWorld(t)
	w.Lag = 30 * time.Millisecond
	c := config(t, w, runtest.SmallPlan(t, runtest.Small))
	require.NoError(t, Run(runtest.Bounded(t), c))
	require.NoError(t, c.History.Close())
	var newest int64
	shown := map[string]int64{}
	live := map[string]bool{}
	for _, r := range records(t, c.Dir) {
		switch {
		case r.Change != nil:
			newest = r.Change.Revision
		case r.Watch != nil && r.Watch.Event == history.WatchClosed:
			delete(live, r.Watch.Replica)
		case r.Watch != nil:
			live[r.Watch.Replica] = true
			shown[r.Watch.Replica] = max(shown[r.Watch.Replica], r.Watch.Revision)
		case r.Listing != nil:
			for replica := range live {
				assert.Equal(t, newest, shown[replica], "step %d, replica %s", r.Listing.Step, replica)
			}
		}
	}
}

// records are a history's records in their order.
func records(t *testing.T, dir string) (all []history.Record) {
	f, err := os.Open(filepath.Join(dir, history.FileName))
	require.NoError(t, err)
	defer f.Close()
	in, err := zstd.NewReader(f)
	require.NoError(t, err)
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var r history.Record
		require.NoError(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	return all
}

// TestServerDies: a watch whose server dies ends nothing by itself: the server's
// end does.
func TestServerDies(t *testing.T) {
	w := runtest.NewWorld(t)
	p := runtest.SmallPlan(t, runtest.Small)
	c := config(t, w, p)
	var dead *servers.ExitError
	w.OnStep = func(n int) {
		if n == runtest.Numbered(t, p, "WATCH") {
			dead = w.Die("a-1")
			<-w.Context.Done()
		}
	}
	assert.Equal(t, error(dead), Run(runtest.Bounded(t), c))
	assert.Empty(t, w.Left())
	closed := slices.DeleteFunc(load(t, c).Watches, func(w history.Watch) bool { return w.Event != history.WatchClosed })
	assert.Len(t, closed, 2)
}
