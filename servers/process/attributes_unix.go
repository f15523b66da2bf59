//go:build unix && !linux

package process

import (
	"os"
	"syscall"
)

// attributes gives the child a process group of its own, out of reach of the
// terminal's Ctrl-C. These systems have no parent-death signal: a parent ended
// by SIGKILL leaves the child running.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true}
}

func signalGroup(p *os.Process, s syscall.Signal) error {
	return syscall.Kill(-p.Pid, s)
}

// endGroup does nothing: when the child has ended, its group's ID may be another's.
func endGroup(*os.Process) {}
