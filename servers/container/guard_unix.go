//go:build unix

package container

import (
	"errors"
	"os/signal"
	"syscall"
)

// session gives the guard its own session, so that it survives the end of the owner's terminal
// or process group.
func session() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// ignoreSignals ignores the signals that ask a process to end.
func ignoreSignals() {
	signal.Ignore(syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
}

// isGone reports whether no process has that ID. A process that may not be signalled exists.
func isGone(pid int) bool { return errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
