package play

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/rundir"
)

// write writes the objects of violations, fuzz.json and fuzz.txt. It sets the File of each
// violation.
func write(dir *rundir.Dir, r *fuzz.Result) error {
	err := writeObjects(dir, r)
	return errors.Join(err,
		rundir.WriteFile(dir.Path, "fuzz.json", func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetIndent("", "  ")
			enc.SetEscapeHTML(false)
			return enc.Encode(*r)
		}),
		rundir.WriteFile(dir.Path, "fuzz.txt", func(w io.Writer) error { return fuzz.Text(w, *r) }),
	)
}

func writeObjects(dir *rundir.Dir, r *fuzz.Result) error {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Class != term.Violation {
			continue
		}
		f.File = filepath.Join("objects", fmt.Sprintf("%02d-%s-%d.yaml", i+1, f.Check, f.First))
		if err := os.MkdirAll(dir.File("objects"), 0o700); err != nil {
			return err
		}
		body, err := strict.Marshal(f.Object)
		if err != nil {
			return err
		}
		err = rundir.WriteFile(dir.Path, f.File, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "# %s\n# %s\n%s", strings.ReplaceAll(f.Message, "\n", "\n# "), r.Again(fuzz.Object{Kind: f.Kind, Number: f.First}), body)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
