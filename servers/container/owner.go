package container

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// The labels of every container.
const (
	runLabel   = "dev.skewsim.run"   // the run that it is of
	ownerLabel = "dev.skewsim.owner" // the process that started it
)

// thisProcess returns a name for this process that is unique on this machine: the boot of the
// kernel, the namespace of process IDs, the ID, and the start time.
func thisProcess() (string, error) {
	boot, space, err := where()
	if err != nil {
		return "", err
	}
	began, err := startOf(os.Getpid())
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s %s %d %s", boot, space, os.Getpid(), began), nil
}

// where returns the kernel's boot ID, and the namespace of process IDs.
func where() (boot, space string, err error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", "", err
	}
	space, err = os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(id)), space, err
}

// errUnburied reports a process that has ended and was not waited for yet.
var errUnburied = errors.New("it has ended")

// startOf returns when a process started, in the kernel's ticks.
func startOf(pid int) (string, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return "", err
	}
	// The second field is a name in parentheses, which may contain anything. Of the fields
	// after it the first is the state, and the twentieth the start.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	const state, start = 0, 19
	if len(fields) <= start {
		return "", fmt.Errorf("/proc/%d/stat: %q has no start", pid, text)
	}
	if fields[state] == "Z" {
		return "", errUnburied
	}
	return fields[start], nil
}

// isDead reports whether the process that an owner label names is known to have ended. It
// returns false for a process in another namespace.
func isDead(owner string) bool {
	boot, space, err := where()
	parts := strings.Fields(owner)
	if err != nil || len(parts) != 4 {
		return false
	}
	if parts[0] != boot {
		return true // no process outlives its kernel
	}
	pid, err := strconv.Atoi(parts[2])
	if err != nil || parts[1] != space {
		return false
	}
	return ended(pid, parts[3], startOf, isGone)
}

// ended reports whether a process with that start time is known to have ended. If /proc hides
// other users' processes (hidepid), a missing entry proves nothing, and it asks the kernel.
func ended(pid int, start string, startOf func(int) (string, error), isGone func(int) bool) bool {
	began, err := startOf(pid)
	switch {
	case err == nil:
		return began != start
	case errors.Is(err, os.ErrNotExist):
		return isGone(pid)
	}
	return errors.Is(err, errUnburied)
}
