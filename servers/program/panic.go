package program

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// panicking matches the line of a log that begins a panic, with its value: of net/http, of a
// program that ends, and of k8s.io/apimachinery, which recovers.
var panicking = regexp.MustCompile(`^(?:.*http: panic serving [^ ]+: (.*)|panic: (.*)|.*Observed a panic.* panic=(".*)|.*Observed a panic:? ?(.*))$`)

// panicIn returns the first panic in a log, or nil if the log has none.
func panicIn(log string) *servers.Panic {
	lines := strings.Split(log, "\n")
	for i, line := range lines {
		m := panicking.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value := m[1] + m[2] + m[4]
		if quoted, err := strconv.QuotedPrefix(m[3]); err == nil {
			value, _ = strconv.Unquote(quoted)
		}
		stack := make([]string, 0, len(lines)-i)
		for _, l := range lines[i+1:] {
			stack = append(stack, strings.TrimSpace(l))
		}
		value, _, _ = strings.Cut(value, "\n")
		found := servers.ReadPanic(withPanic(stack, line), value)
		return found
	}
	return nil
}

// withPanic returns a stack that has the line of the panic itself. The runtime prints none for a
// panic that nobody recovers.
func withPanic(stack []string, first string) []string {
	if !strings.HasPrefix(first, "panic: ") {
		return stack
	}
	for i, line := range stack {
		if strings.HasPrefix(line, "goroutine ") {
			return append([]string{line, "panic()", ""}, stack[i+1:]...)
		}
	}
	return stack
}
