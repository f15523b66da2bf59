package fault

import (
	"fmt"
	"syscall"
)

// Failure is the kind of an infrastructure failure. The order is that of significance: if a
// server was killed and then the store ended, the killed server counts.
type Failure int

const (
	None              Failure = iota // no known failure
	ExecutableKilled                 // while it was asked for its version
	ExecutableChanged                // since its digest was taken
	OutOfTime                        // of the run
	ServerLost                       // its end is unknown
	ServerKilled                     // by the kernel, short of memory, or by a person
	ClientKilled                     // a typed client, in the same way
	ClientLate                       // a typed client does not answer, as when it is stopped
	ServerTooSlow                    // to start, by its own account
	PortTaken                        // by another program
	DiskFull                         // or the quota of a disk
	StoreFull                        // etcd has a quota of its own
	MemoryShort                      // of the machine
	FilesShort                       // too many are open
	ProcessesShort                   // too many run
	NetworkDown                      // for builds
	EngineFailed                     // the Docker engine
	RegistryDown                     // of images
	StoreFailed                      // or does not answer
	ServerLate                       // not ready in time
)

// of returns the failure in words. They are in matrix.json, where readers compare them.
func (f Failure) of(subject string) string {
	switch f {
	case ServerLost:
		return fmt.Sprintf("server %s was lost with its Docker engine", subject)
	case ServerKilled:
		return fmt.Sprintf("server %s was killed", subject)
	}
	return words()[f]
}

func words() map[Failure]string {
	return map[Failure]string{
		ExecutableKilled: "an executable was killed", ExecutableChanged: "an executable was changed", OutOfTime: "it was out of time",
		ClientKilled: "a typed client was killed", ClientLate: "a typed client did not answer", ServerTooSlow: "a server was too slow to start",
		PortTaken: "a port was taken", DiskFull: "the disk is full", StoreFull: "the disk is full", MemoryShort: "memory is short",
		FilesShort: "too many files are open", ProcessesShort: "too many processes run", NetworkDown: "the network cannot be reached",
		EngineFailed: "the Docker engine failed", RegistryDown: "a registry of images cannot be reached",
		StoreFailed: "the store failed", ServerLate: "a server was not ready in time",
	}
}

// shortages maps errors of the kernel to resources that a machine lacks temporarily.
func shortages() map[syscall.Errno]Failure {
	return map[syscall.Errno]Failure{
		syscall.EADDRINUSE: PortTaken, syscall.ENOSPC: DiskFull, syscall.EDQUOT: DiskFull, syscall.ENOMEM: MemoryShort,
		syscall.EMFILE: FilesShort, syscall.ENFILE: FilesShort, syscall.EAGAIN: ProcessesShort,
	}
}

// IsSlowStart reports whether a server could not start in time, as on an overloaded machine.
func (f Fault) IsSlowStart() bool {
	return f.Kind == Infrastructure && (f.Failure == ServerTooSlow || f.Failure == ServerLate)
}
