package servers

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// goroutine matches the line that begins the stack of a goroutine.
var goroutine = regexp.MustCompile(`^goroutine [0-9]+ \[`)

// ReadPanic returns a panic with that value, whose function and line are those of a stack as Go
// prints it: two lines for each function, without the space before them.
func ReadPanic(stack []string, value string) *Panic {
	p := &Panic{Value: value}
	at := origin(stack)
	if at+1 < len(stack) {
		p.Function = functionOf(stack[at])
		p.Line = lineOf(p.Function, stack[at+1])
	}
	return p
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
