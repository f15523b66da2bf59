package build

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"github.com/skewsim/skewsim/servers/fault"
)

// ErrOffline is wrapped by the errors of builds that could not reach the
// network.
var ErrOffline = fault.Failed(fault.NetworkDown, errors.New("the network cannot be reached"))

// ErrForbidden is wrapped by the errors of builds that BuildsVariable forbids.
var ErrForbidden = errors.New("unset the variable, or fill the cache with skewsim builds get")

// ErrDiskFull is wrapped by the errors of builds that ran out of space.
var ErrDiskFull = fault.Failed(fault.DiskFull, errors.New("no space left on the disk"))

// ErrNoMemory is wrapped by the errors of builds that ran out of memory.
var ErrNoMemory = fault.Failed(fault.MemoryShort, errors.New("memory is short"))

// explainGo turns a go command's complaint into an error that says what to do.
func explainGo(command, complaint, status string) error {
	if complaint == "" {
		complaint = status
	}
	if err := Explain(command, complaint); err != nil {
		return err
	}
	return fmt.Errorf("go %s: %s", command, complaint)
}

// Explain recognises, in what a go command complained of, troubles of this
// machine: a full disk, no memory, no network, a Go that is too old. The error says the way
// out. It is nil for any other complaint.
func Explain(command, complaint string) error {
	switch {
	case containsAny(complaint, "no space left on device", "disk quota exceeded"):
		return fmt.Errorf("go %s: %w: a first build needs some 6 GB in Go's caches and 300 MB in skewsim's; "+
			"free some, or point GOCACHE, GOMODCACHE and SKEWSIM_CACHE to a larger disk; go said: %s", command, ErrDiskFull, complaint)
	case containsAny(complaint, ": signal: killed", "was killed by signal 9", "cannot allocate memory", "fatal error: runtime: out of memory"):
		return fmt.Errorf("go %s: %w: linking a kube-apiserver takes 1.9 GB; end other programs, or build fewer at once; go said: %s",
			command, ErrNoMemory, complaint)
	case containsAny(complaint, "(running go ", "requires go >=", "toolchain not available"):
		return fmt.Errorf("go %s: this release needs a newer Go; install it from https://go.dev/dl, "+
			"or let Go fetch it (GOTOOLCHAIN=auto); go said: %s", command, complaint)
	case containsAny(complaint, "dial tcp", "no such host", "connection refused", "i/o timeout", "network is unreachable",
		"TLS handshake timeout", "module lookup disabled by GOPROXY=off", "server misbehaving"):
		return fmt.Errorf("go %s: %w: modules come from the proxy that GOPROXY names; go online once, "+
			"or use path:FILE with an executable built elsewhere; go said: %s", command, ErrOffline, complaint)
	}
	return nil
}

// explainFile does the same for an error of our own file operations.
func explainFile(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) {
		return fmt.Errorf("%w: free some, or point SKEWSIM_CACHE to a larger disk: %w", ErrDiskFull, err)
	}
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) || errors.Is(err, syscall.ENOTDIR) {
		return fmt.Errorf("%w; set SKEWSIM_CACHE to a directory that can be written", err)
	}
	return err
}

func containsAny(s string, parts ...string) bool {
	for _, part := range parts {
		if strings.Contains(s, part) {
			return true
		}
	}
	return false
}
