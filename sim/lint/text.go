package lint

import (
	"cmp"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Text writes the findings, then their number.
func Text(w io.Writer, s Server, r Report) error {
	for _, f := range r.Findings {
		fmt.Fprintln(w, f)
	}
	for _, reason := range r.Unchecked {
		fmt.Fprintln(w, "not checked:", reason)
	}
	for _, pattern := range r.Unused {
		fmt.Fprintln(w, "excuses nothing:", pattern)
	}
	_, err := fmt.Fprintf(w, "%s (%s): %s, %d of them with a lifecycle, %d excused: %s\n",
		s.Name, cmp.Or(s.Version, "unknown version"), term.Numbered(r.Fields, "field"), r.Marked, r.Excused, term.Numbered(len(r.Findings), "finding"))
	return err
}
