//go:build !unix

package process

import (
	"os"
	"syscall"
)

// attributes asks for nothing: this system has neither process groups nor a
// parent-death signal. A parent that dies leaves the child running.
func attributes() *syscall.SysProcAttr { return nil }

// signalGroup can only kill: there is no polite signal to send.
func signalGroup(p *os.Process, _ syscall.Signal) error { return p.Kill() }

// endGroup does nothing: when the child has ended, nothing tells what it started.
func endGroup(*os.Process) {}
