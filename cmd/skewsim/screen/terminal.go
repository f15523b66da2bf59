package screen

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/skewsim/skewsim/reports"
)

// file is an *os.File, or what embeds one.
type file interface{ Fd() uintptr }

// terminal returns the descriptor of the terminal that a writer writes to; false: it writes
// to a pipe or a file.
func terminal(w io.Writer) (fd int, ok bool) {
	f, ok := w.(file)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return 0, false
	}
	return int(f.Fd()), true
}

// The smallest terminal on which a table is readable.
const leastWidth, leastHeight = 60, 5

// sized returns what measures the terminal of a writer. It returns false where nothing can be
// redrawn in its place: a pipe or a file, a dumb terminal, a terminal that is too small, and
// one that does not know its size, such as those of CI.
func sized(w io.Writer) (size func() (width, height int), ok bool) {
	fd, ok := terminal(w)
	if !ok {
		return nil, false
	}
	size = func() (int, int) {
		width, height, err := term.GetSize(fd)
		if err != nil {
			return 0, 0
		}
		return width, height
	}
	return size, canDraw(os.Getenv("TERM"), size)
}

func canDraw(kind string, size func() (width, height int)) bool {
	width, height := size()
	return kind != "" && kind != "dumb" && width >= leastWidth && height >= leastHeight
}

// TextOptions fits a summary to the writer that it goes to: its width, and colours unless
// NO_COLOR is set. report is the path of the report that the summary names; "": none.
func TextOptions(w io.Writer, report string) reports.TextOptions {
	options := reports.TextOptions{ReportPath: report}
	fd, ok := terminal(w)
	if !ok {
		return options
	}
	options.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(fd); err == nil {
		options.Width = width
	}
	return options
}
