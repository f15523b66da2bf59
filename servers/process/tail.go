package process

import (
	"io"
	"os"
	"strings"
)

const (
	// tailBytes bounds how much of a log's end Tail reads, so that a server that prints
	// gigabytes does not use as much memory.
	tailBytes = 256 << 10
	// lineBytes bounds one line; kube-apiserver prints whole objects.
	lineBytes = 2 << 10
)

// Tail returns the last n lines of the child's output, oldest first, from at most the last 256
// KiB; longer lines are cut to 2 KiB. If the log cannot be read, it returns one line with the
// reason.
func (p *Process) Tail(n int) []string { return Tail(p.logPath, n) }

// Tail is like [Process.Tail] for the file at path.
func Tail(path string, n int) []string { return TailFrom(path, 0, n) }

// TailFrom is Tail of what a log received since it had a size.
func TailFrom(path string, start int64, n int) []string {
	if path == "" || n <= 0 {
		return nil
	}
	end, whole, err := readEnd(path, start)
	if err != nil {
		return []string{"(log unreadable: " + err.Error() + ")"}
	}
	lines := strings.Split(strings.TrimRight(end, "\n"), "\n")
	if !whole && len(lines) > 1 {
		lines = lines[1:] // the first line is incomplete
	}
	if len(lines) == 1 && lines[0] == "" {
		return nil
	}
	lines = lines[max(0, len(lines)-n):]
	for i, line := range lines {
		lines[i] = cut(line)
	}
	return lines
}

func readEnd(path string, start int64) (end string, whole bool, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", false, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", false, err
	}
	from := max(start, info.Size()-tailBytes)
	b, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	return string(b), from == start, err
}

func cut(line string) string {
	if len(line) <= lineBytes {
		return line
	}
	return strings.ToValidUTF8(line[:lineBytes], "") + " ..."
}
