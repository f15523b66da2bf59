package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
)

// foot is lines that stand below all that was printed on a terminal, and are drawn anew
// in their place. Who draws it keeps others from drawing.
type foot struct {
	w             io.Writer
	size          func() (width, height int) // is asked each time: a window may change
	width, height int                        // as they were last
	drawn         []string
}

// measure asks how large the terminal is. What it does not say stays as it was.
func (f *foot) measure() {
	if width, height := f.size(); width > 0 && height > 0 {
		f.width, f.height = width, height
	}
}

// draw prints what stands above for good, and the foot below it. No line of the foot
// wraps: one that is too long is cut. Lines are written over each other, for terminals
// that are cleared from their top on may keep what stood there as if it had scrolled by.
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
		_, _ = io.WriteString(f.w, frame.String()) // what cannot be drawn is no reason to stop
	}
}

// rows are those that the foot takes, of those that there are. In a window that was made
// narrower its lines take more.
func (f *foot) rows() (n int) {
	for _, line := range f.drawn {
		n += max(1, (runewidth.StringWidth(line)+f.width-1)/f.width)
	}
	return min(n, f.height-1)
}
