//go:build !unix

package container

import "syscall"

// session asks for nothing: no engine of such a system shares its network, so no
// guard is ever started.
func session() *syscall.SysProcAttr { return nil }

func ignoreSignals() {}

// isGone knows of no process.
func isGone(int) bool { return false }
