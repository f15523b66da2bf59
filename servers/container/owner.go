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

// thisProcess names this process as no other is ever named on this machine: by the
// boot of the kernel, the namespace that process IDs count in, the ID, and when it
// started.
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

// where is the kernel's boot, and the namespace of process IDs.
func where() (boot, space string, err error) {
	id, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return "", "", err
	}
	space, err = os.Readlink("/proc/self/ns/pid")
	return strings.TrimSpace(string(id)), space, err
}

// errUnburied tells of a process that has ended, and nobody took notice yet.
var errUnburied = errors.New("it has ended")

// startOf is when a process started, in the kernel's ticks.
func startOf(pid int) (string, error) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return "", err
	}
	// The second field is a name in parentheses, which may hold anything. Of those behind
	// it the first is the state, and the twentieth the start.
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

// isDead tells whether the process that an owner label names is known to have ended.
// Of one that cannot be looked at nothing is known.
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

// ended tells whether a process that started then is known to have ended. Where /proc
// shows each user his own processes alone (hidepid), that one is not seen there tells
// nothing: the kernel is asked then.
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
