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
// wraps: one that is too long is cut.
func (f *foot) draw(lines []string, above ...string) {
	f.measure()
	var frame strings.Builder
	frame.WriteString(f.erase())
	for _, text := range above {
		frame.WriteString(text + "\n")
	}
	f.drawn = nil
	for _, line := range lines {
		line = runewidth.Truncate(line, f.width-1, "…")
		f.drawn = append(f.drawn, line)
		frame.WriteString(line + "\n")
	}
	if frame.Len() > 0 {
		_, _ = io.WriteString(f.w, frame.String()) // what cannot be drawn is no reason to stop
	}
}

// erase takes the foot away. In a window that was made narrower its lines take more rows.
func (f *foot) erase() string {
	rows := 0
	for _, line := range f.drawn {
		rows += max(1, (runewidth.StringWidth(line)+f.width-1)/f.width)
	}
	if rows = min(rows, f.height-1); rows == 0 {
		return ""
	}
	return fmt.Sprintf("\r\x1b[%dA\x1b[J", rows)
}
