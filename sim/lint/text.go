package lint

import (
	"cmp"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Text writes the findings, then their number.
func Text(w io.Writer, s Server, r Report) error {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, fmt.Sprint(f))
	}
	for _, reason := range r.Unchecked {
		lines = append(lines, "not checked: "+reason)
	}
	for _, pattern := range r.Unused {
		lines = append(lines, "excuses nothing: "+pattern)
	}
	lines = append(lines, fmt.Sprintf("%s (%s): %s, %d of them with a lifecycle, %d excused: %s",
		s.Name, cmp.Or(s.Version, "unknown version"), term.Numbered(r.Fields, "field"), r.Marked, r.Excused, term.Numbered(len(r.Findings), "finding")))
	for _, line := range lines {
		if _, err := fmt.Fprintln(w, term.Visible(line)); err != nil {
			return err
		}
	}
	return nil
}
