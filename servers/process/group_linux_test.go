package process_test

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/skewsim/skewsim/servers/process"
)

// TestEndsGroup: what a child left behind ends with it if the command says so, and else goes on.
func TestEndsGroup(t *testing.T) {
	for _, ends := range []bool{true, false} {
		p, err := process.Start(process.Command{
			Path: "/bin/sh", Args: []string{"-c", "sleep 600 & echo $!; exit 3"}, LogPath: filepath.Join(t.TempDir(), "log"), EndsGroup: ends,
		})
		if err != nil {
			t.Fatal(err)
		}
		<-p.Done()
		if got := p.Status(); got != "exited with status 3" {
			t.Errorf("Status said %q", got)
		}
		pid, err := strconv.Atoi(p.Tail(1)[0])
		if err != nil {
			t.Fatal(err)
		}
		if ends {
			eventually(t, "what it left behind is gone", func() bool { return !alive(pid) })
			continue
		}
		if !alive(pid) {
			t.Error("it was not asked to end what it left behind")
		}
		if left, err := os.FindProcess(pid); err == nil {
			_ = left.Kill()
		}
	}
}
