package lint

import (
	"cmp"
	"fmt"
	"io"
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
	_, err := fmt.Fprintf(w, "%s (%s): %d fields, %d of them with a lifecycle, %d excused: %d findings\n",
		s.Name, cmp.Or(s.Version, "unknown version"), r.Fields, r.Marked, r.Excused, len(r.Findings))
	return err
}
