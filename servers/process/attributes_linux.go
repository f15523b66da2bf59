package process

import (
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// attributes gives the child a process group of its own, out of reach of the
// terminal's Ctrl-C, and has the kernel kill it when its parent dies.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

func signalGroup(p *os.Process, s syscall.Signal) error {
	return syscall.Kill(-p.Pid, s)
}

// endGroup waits until a child has ended, and kills what is left of its group. The child is not reaped before, so the
// group's ID is nobody else's.
func endGroup(p *os.Process) {
	for {
		err := unix.Waitid(unix.P_PID, p.Pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err == nil {
			_ = signalGroup(p, syscall.SIGKILL) // nothing is left in most cases
		}
		return
	}
}
