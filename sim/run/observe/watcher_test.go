package observe

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/run/runtest"
)

// TestWatchesRecordPanics: the record of a WATCH that breaks off has the panic from the
// server's log, if the log has one.
func TestWatchesRecordPanics(t *testing.T) {
	for _, logged := range []*client.Panic{{Value: "nil", Function: "x.list", Line: "x/y.go:7"}, nil} {
		x := watching(t, runtest.BreakingOff)
		x.replica.Conn = runtest.Logging(t, x.replica.Process, logged)
		watcher := x.add(4)
		require.NoError(t, watcher.begin(t.Context()))
		<-watcher.done
		all := x.load().Watches
		closed := all[len(all)-1]
		assert.Equal(t, history.WatchClosed, closed.Event)
		assert.Equal(t, (*history.Panic)(logged), closed.Panic)
	}
}
