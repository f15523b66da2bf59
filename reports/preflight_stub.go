package reports

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/rundir"
)

// WritePreflight writes the files of a preflight.
func WritePreflight(dir string, r preflight.Result) error {
	return rundir.WriteFile(dir, "preflight.json", func(w io.Writer) error {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(r)
	})
}

// PreflightText prints the answer.
func PreflightText(w io.Writer, r preflight.Result, dir string) error {
	for _, h := range r.Hops {
		for _, a := range h.Answers {
			fmt.Fprintln(w, a)
		}
		for i, f := range h.Findings {
			if i < 40 {
				fmt.Fprintf(w, "  %s %s %s %s/%s %s %s | %s | %s\n", f.Direction, f.Class, f.Kind, f.Namespace, f.Name, f.Path, f.Release, f.Phase, f.Message)
			}
		}
	}
	return nil
}
