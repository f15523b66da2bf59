package fault

import (
	"fmt"
	"syscall"
)

// Failure is what of the infrastructure failed. Their order is that of how much they tell:
// where a server was killed and the store ended then, the server counts.
type Failure int

const (
	None              Failure = iota // nothing, as far as is known
	ExecutableKilled                 // while it was asked what it is
	ExecutableChanged                // since its digest was taken
	OutOfTime                        // of the run
	ServerLost                       // nobody knows how it ended
	ServerKilled                     // by the kernel, short of memory, or by a person
	ClientKilled                     // a typed client, likewise
	ServerTooSlow                    // to start, as it says itself
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

// of is a failure in words. They stand in matrix.json: readers compare them.
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
		ClientKilled: "a typed client was killed", ServerTooSlow: "a server was too slow to start",
		PortTaken: "a port was taken", DiskFull: "the disk is full", StoreFull: "the disk is full", MemoryShort: "memory is short",
		FilesShort: "too many files are open", ProcessesShort: "too many processes run", NetworkDown: "the network cannot be reached",
		EngineFailed: "the Docker engine failed", RegistryDown: "a registry of images cannot be reached",
		StoreFailed: "the store failed", ServerLate: "a server was not ready in time",
	}
}

// shortages are what the kernel says that a machine lacks now, and may have later.
func shortages() map[syscall.Errno]Failure {
	return map[syscall.Errno]Failure{
		syscall.EADDRINUSE: PortTaken, syscall.ENOSPC: DiskFull, syscall.EDQUOT: DiskFull, syscall.ENOMEM: MemoryShort,
		syscall.EMFILE: FilesShort, syscall.ENFILE: FilesShort, syscall.EAGAIN: ProcessesShort,
	}
}

// IsSlowStart reports whether a server could not start in time, as on a machine with too
// much to do.
func (f Fault) IsSlowStart() bool {
	return f.Kind == Infrastructure && (f.Failure == ServerTooSlow || f.Failure == ServerLate)
}
