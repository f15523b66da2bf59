package machine

import (
	"syscall"
	"time"
)

// Used returns what this process and its children that have ended took of the machine.
func Used() (u Usage, known bool) {
	var own, children syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &own) != nil || syscall.Getrusage(syscall.RUSAGE_CHILDREN, &children) != nil {
		return u, false
	}
	return Usage{CPU: cpu(own), Children: cpu(children), Memory: own.Maxrss << 10}, true
}

func cpu(r syscall.Rusage) time.Duration { return time.Duration(r.Utime.Nano() + r.Stime.Nano()) }
