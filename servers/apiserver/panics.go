package apiserver

import (
	"io"
	"os"
	"path"
	"path/filepath"
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
	goroutine = regexp.MustCompile(`^goroutine [0-9]+ \[`)
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
			return readPanic(stack)
		}
	}
	return nil
}

// readPanic parses an entry with a panic and its stack.
func readPanic(stack []string) *servers.Panic {
	p := &servers.Panic{Value: panicValue(stack)}
	at := origin(stack)
	if at+1 < len(stack) {
		p.Function = functionOf(stack[at])
		p.Line = lineOf(p.Function, stack[at+1])
	}
	return p
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
	if len(stack) > 1 && !goroutine.MatchString(stack[1]) {
		return stack[1]
	}
	_, rest, _ := strings.Cut(stack[0], observed)
	return strings.TrimPrefix(rest, ": ")
}

// origin returns the index of the stack line with the function that panicked: the line below
// the last panic of the first goroutine. Two goroutines serve a request, and the second one
// panics again with the value of the first.
func origin(stack []string) int {
	at, goroutines := len(stack), 0
	for i, line := range stack {
		if goroutine.MatchString(line) {
			goroutines++
		}
		if goroutines > 1 {
			break
		}
		if strings.HasPrefix(line, "panic(") {
			at = i + 2
		}
	}
	for at+1 < len(stack) && strings.HasPrefix(stack[at], "runtime.") {
		at += 2
	}
	return at
}

// functionOf returns a function's name without its arguments.
func functionOf(line string) string {
	if open := strings.LastIndex(line, "("); open > 0 {
		depth := 0
		for i := len(line) - 1; i > 0; i-- { // arguments may contain brackets
			switch line[i] {
			case ')':
				depth++
			case '(':
				if depth--; depth == 0 {
					return line[:i]
				}
			}
		}
	}
	return line
}

// lineOf returns a file and line without the program counter. A path of the machine that built
// the binary is replaced by the package's path.
func lineOf(function, line string) string {
	at, _, _ := strings.Cut(line, " +0x")
	if !filepath.IsAbs(at) {
		return at
	}
	slash := strings.LastIndex(function, "/") + 1
	last, _, _ := strings.Cut(function[slash:], ".")
	return path.Join(function[:slash]+last, filepath.Base(at))
}
