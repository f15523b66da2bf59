package process

import (
	"regexp"
	"slices"

	"github.com/skewsim/skewsim/servers/fault"
)

// Shortage finds, in the last lines of a program that ended, what of the machine was short;
// fault.None: no line says so. Callers pass only lines that hold nobody else's words: what
// a server quotes of what it read is hostile. The patterns are the words of Go, which ends
// lines with those of Linux, and of its runtime, which begins lines.
func Shortage(lines []string) fault.Failure {
	for _, s := range shortages() {
		if slices.ContainsFunc(lines, s.line.MatchString) {
			return s.failure
		}
	}
	return fault.None
}

// shortage is a line that says what was short.
type shortage struct {
	failure fault.Failure
	line    *regexp.Regexp
}

// shortages are in the order of how much they tell.
func shortages() []shortage {
	return []shortage{
		{fault.ServerTooSlow, regexp.MustCompile(`^F\d{4} .*\] PostStartHook "[a-z-]+" failed: unable to perform initial IP and Port allocation check( \(timeout\))?$`)},
		{fault.PortTaken, regexp.MustCompile(`\blisten (tcp|udp|unix)[46]? \S+: bind: address already in use$`)},
		{fault.DiskFull, regexp.MustCompile(`: (no space left on device|disk quota exceeded)$`)},
		{fault.StoreFull, regexp.MustCompile(`: database space exceeded$`)},
		{fault.MemoryShort, regexp.MustCompile(`: cannot allocate memory$|^(fatal error: )?runtime: (out of memory|cannot allocate memory)`)},
		{fault.FilesShort, regexp.MustCompile(`: too many open files( in system)?$`)},
		{fault.ProcessesShort, regexp.MustCompile(`\bfork/exec \S+: resource temporarily unavailable$|^runtime: failed to create new OS thread`)},
	}
}
