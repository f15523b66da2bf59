package apiserver

import (
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// panicLogBytes is how much of a log's end is searched for a panic: a stack takes some 20 KB.
const panicLogBytes = 8 << 20

// Panicked implements servers.PanicTeller.
func (s *server) Panicked(auditID string) *servers.Panic {
	return panicIn(logEnd(s.LogPath(), panicLogBytes), auditID)
}

// logEnd returns the end of a file, or "" if the file cannot be read.
func logEnd(path string, most int64) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		if _, err := f.Seek(-most, io.SeekEnd); err != nil {
			return ""
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return ""
	}
	return string(text)
}

var (
	// entry matches the beginning of a klog entry; the lines of a stack do not match.
	entry = regexp.MustCompile(`^[IWEF][0-9]{4} [0-9:.]+ `)
	// panicking matches the entry of k8s.io/apiserver's filter that recovers a request's panic.
	panicking = regexp.MustCompile(`apiserver panic'd.* auditID="([^"]*)"`)
)

// observed is the beginning of the entry with the panic's stack. A server writes it before the
// entry that has the request's audit ID.
const observed = "Observed a panic"

// panicIn returns the panic of a request from a log, or nil if the log has none.
func panicIn(log, auditID string) *servers.Panic {
	if !strings.Contains(log, auditID) {
		return nil
	}
	var stacks [][]string // panics whose request is not known yet
	open := false
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\n")
		if !entry.MatchString(line) {
			if open {
				stacks[len(stacks)-1] = append(stacks[len(stacks)-1], strings.TrimSpace(line))
			}
			continue
		}
		if open = strings.Contains(line, observed); open {
			stacks = append(stacks, []string{line})
			continue
		}
		m := panicking.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		var stack []string
		if n := len(stacks); n > 0 {
			stack, stacks = stacks[n-1], stacks[:n-1]
		}
		if m[1] == auditID {
			return servers.ReadPanic(stack, panicValue(stack))
		}
	}
	return nil
}

// panicValue returns the value of the panic: the entry's panic="...", or the first line of a
// value with several lines.
func panicValue(stack []string) string {
	if len(stack) == 0 {
		return "the log does not contain the value"
	}
	if _, rest, found := strings.Cut(stack[0], ` panic="`); found {
		if value, err := strconv.QuotedPrefix(`"` + rest); err == nil {
			text, _ := strconv.Unquote(value)
			first, _, _ := strings.Cut(text, "\n")
			return first
		}
	}
	if len(stack) > 1 && !strings.HasPrefix(stack[1], "goroutine ") {
		return stack[1]
	}
	_, rest, _ := strings.Cut(stack[0], observed)
	return strings.TrimPrefix(rest, ": ")
}
