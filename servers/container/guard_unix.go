//go:build unix

package container

import (
	"errors"
	"os/signal"
	"syscall"
)

// session gives the guard a session of its own, so that nothing which ends the
// owner's terminal or process group reaches it.
func session() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// ignoreSignals are those that ask politely.
func ignoreSignals() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
}

// isGone tells whether there is no process of that ID. One that may not be sent a signal
// is there.
func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
