package process

import (
	"os"
	"syscall"
)

// attributes gives the child a process group of its own, out of reach of the
// terminal's Ctrl-C, and has the kernel kill it when its parent dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func signalGroup(p *os.Process, s syscall.Signal) error {
	return syscall.Kill(-p.Pid, s)
}
