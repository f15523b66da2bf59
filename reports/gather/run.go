package gather

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Run reads the result of the run in a directory, and returns its bytes. A missing, damaged
// or unknown result is a problem of the source, and not an error.
func Run(dir string) (result.Source, []byte) {
	raw, err := rundir.ReadRegular(filepath.Join(dir, rundir.ResultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return result.Source{Problem: fmt.Sprintf("holds no %s: skewsim judge makes one of its history", rundir.ResultFile)}, nil
	}
	var s result.Source
	if err == nil {
		err = json.Unmarshal(raw, &s.Result)
	}
	if err == nil {
		err = known(s.Result)
	}
	if err != nil {
		return result.Source{Problem: fmt.Sprintf("%s: %v: skewsim judge makes it anew of the history", rundir.ResultFile, rundir.WithoutPath(err))}, nil
	}
	s.Result = view.Sealed(view.Run{Result: s.Result}).Result
	return s, raw
}

// known refuses a result that this skewsim cannot read, or whose parts contradict each
// other.
func known(res result.Result) error {
	if res.SchemaVersion != result.SchemaVersion {
		return fmt.Errorf("is of the form %q, and not %s", res.SchemaVersion, result.SchemaVersion)
	}
	if !term.Verdicts().Has(res.Verdict) {
		return fmt.Errorf("has the unknown verdict %q", res.Verdict)
	}
	if err := res.Contradictions(); err != nil {
		return fmt.Errorf("contradicts itself: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// contentOf returns a file's content, or nil.
func contentOf(name string) []byte {
	raw, err := rundir.ReadRegular(name)
	if err != nil {
		return nil
	}
	return raw
}
