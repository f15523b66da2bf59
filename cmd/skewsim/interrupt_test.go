package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFurtherSignals: a second signal ends the process at once where nothing waits for a
// report, and else when that takes too long; a third does at once. Neither does if the
// command ends first, and one signal alone never ends the process.
func TestFurtherSignals(t *testing.T) {
	const never = -1
	for name, c := range map[string]struct {
		signals   int
		open, own bool          // a directory of a run, or of one of several
		ends      time.Duration // the command, by itself; 0: it does not
		exits     time.Duration // after the last signal
	}{
		"one":                   {signals: 1, open: true, ends: time.Hour, exits: never},
		"two, of no run":        {signals: 2, exits: 0},
		"two, and it ends":      {signals: 2, open: true, own: true, ends: time.Second, exits: never},
		"two of several":        {signals: 2, open: true, ends: time.Second, exits: never},
		"two, and it is stuck":  {signals: 2, open: true, exits: time.Minute},
		"three, and it goes on": {signals: 3, open: true, ends: time.Hour, exits: 0},
	} {
		t.Run(name, func(t *testing.T) {
			secrets := filepath.Join(t.TempDir(), "secrets")
			require.NoError(t, os.Mkdir(secrets, 0o700))
			synctest.Test(t, func(t *testing.T) {
				a := &App{Err: &bytes.Buffer{}}
				run := a.Beside(nil)
				run.Temporary(secrets)
				if c.own {
					run = a
				}
				run.Opened.Store(c.open)
				signals, canceled := make(chan os.Signal), make(chan struct{})
				began, exited := time.Time{}, time.Duration(never)
				go a.heed(signals, func() { close(canceled) }, time.Minute, func(code int) {
					assert.Equal(t, ExitUnjudged, code)
					exited = time.Since(began)
				})
				for range c.signals {
					began = time.Now()
					signals <- syscall.SIGINT
				}
				<-canceled
				if c.ends > 0 {
					time.Sleep(c.ends)
				} else {
					time.Sleep(2 * time.Minute)
				}
				close(signals)
				synctest.Wait()
				assert.Equal(t, c.exits, exited)
			})
			if c.signals == 1 {
				assert.DirExists(t, secrets, "whoever plays the run removes it")
			} else {
				assert.NoDirExists(t, secrets)
			}
		})
	}
}

// TestOneSignalWithoutServers: a command that has started no server ends on the first signal, also where
// it waits for something that no context ends.
func TestOneSignalWithoutServers(t *testing.T) {
	for name, c := range map[string]struct {
		secrets bool // as of servers
		exits   bool
	}{
		"nothing was started": {exits: true},
		"servers run":         {secrets: true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				a := &App{Err: &bytes.Buffer{}}
				if c.secrets {
					a.Beside(nil).Temporary(filepath.Join(t.TempDir(), "secrets"))
				}
				signals, exited := make(chan os.Signal), false
				go a.heed(signals, func() {}, time.Minute, func(int) { exited = true })
				signals <- syscall.SIGTERM
				time.Sleep(time.Hour)
				synctest.Wait()
				assert.Equal(t, c.exits, exited)
				close(signals)
			})
		})
	}
}
