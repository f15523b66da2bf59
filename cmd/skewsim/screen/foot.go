package screen

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// foot is the lines at the bottom of a terminal, which are redrawn in their place below
// everything that is printed. Its user makes sure that only one goroutine draws.
type foot struct {
	w             io.Writer
	size          func() (width, height int) // asked each time: a window may change
	width, height int                        // as they were last
	drawn         []string
}

// measure asks how large the terminal is. It keeps the last size if the terminal does not
// know its size.
func (f *foot) measure() {
	if width, height := f.size(); width > 0 && height > 0 {
		f.width, f.height = width, height
	}
}

// draw prints lines above the foot, which stay, and then the foot. It cuts lines of the foot
// that are too long, so that none wraps. It writes lines over each other, because some
// terminals that are cleared from the top keep the old content in their scrollback.
func (f *foot) draw(lines []string, above ...string) {
	f.measure()
	var frame strings.Builder
	rows := f.rows()
	if rows > 0 {
		fmt.Fprintf(&frame, "\r\x1b[%dA", rows)
	}
	if rows > 0 && len(above) > 0 { // it may wrap
		frame.WriteString("\x1b[J")
	}
	for _, text := range above {
		frame.WriteString(text + "\n")
	}
	f.drawn = nil
	for _, line := range lines {
		line = runewidth.Truncate(line, f.width-1, "…")
		f.drawn = append(f.drawn, line)
		frame.WriteString(line + "\x1b[K\n")
	}
	if rows > len(lines) {
		frame.WriteString("\x1b[J")
	}
	if frame.Len() > 0 {
		_, _ = io.WriteString(f.w, frame.String()) // a foot that cannot be drawn stops nothing
	}
}

// rows returns how many rows of the terminal the foot has. Its lines take more rows in a
// window that was made narrower.
func (f *foot) rows() (n int) {
	for _, line := range f.drawn {
		n += max(1, (runewidth.StringWidth(line)+f.width-1)/f.width)
	}
	return min(n, f.height-1)
}
