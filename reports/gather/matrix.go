package gather

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// part is a matrix, whole or a shard, with its gathered runs.
type part struct {
	dir   string
	state matrix.State
}

// addMatrix adds the runs that the matrix.json of a directory names, and no other files
// there, which an earlier matrix may have left. It returns false if the directory holds no
// matrix.
func (g *Runs) addMatrix(dir string) bool {
	s, err := leftIn(dir)
	if err == nil && s.Shard != nil && (s.Shard.Index < 1 || s.Shard.Index > s.Shard.Of) {
		err = fmt.Errorf("has the invalid shard %s", s.Shard)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false
	case err != nil: // its runs are not known, so everything in the directory counts
		g.add(filepath.Join(dir, matrix.FileName), result.Source{Problem: rundir.WithoutPath(err).Error()}, nil)
		return false
	case s.Phase == matrix.Waiting: // a list of cells that would be executed
		return false
	case len(s.Cells) == 0 && s.Shard == nil:
		return false
	}
	g.AddCells(dir, s)
	g.parts = append(g.parts, part{dir, s})
	if n := foreignRuns(dir, s); n > 0 {
		g.notes = append(g.notes, fmt.Sprintf("%s holds %s that its %s does not name: not counted", relative(g.out, dir), term.Numbered(n, "run"), matrix.FileName))
	}
	return true
}

// leftIn returns the state of a matrix in its directory.
func leftIn(dir string) (matrix.State, error) {
	raw, err := rundir.ReadRegular(filepath.Join(dir, matrix.FileName))
	if err != nil {
		return matrix.State{}, err
	}
	return matrix.Read(raw)
}

// AddCells adds the cells of a matrix, each with its run or without.
func (g *Runs) AddCells(dir string, s matrix.State) {
	for _, c := range s.Cells {
		at := filepath.FromSlash(c.Dir)
		if !filepath.IsLocal(at) {
			g.add(filepath.Join(dir, matrix.FileName), result.Source{Problem: fmt.Sprintf("names the directory %q, which is outside of its own", c.Dir)}, nil)
			continue
		}
		if c.Phase == matrix.NotApplicable {
			g.addNotApplicable(c)
			continue
		}
		run := filepath.Join(dir, at)
		source, raw := cellSource(run, c)
		g.add(run, ofCell(source, c, s.Seed), raw)
	}
}

// notApplicable is a pair that scenarios do not apply to, and why.
type notApplicable struct{ pair, why string }

// addNotApplicable adds a note for a cell whose scenario turned out not to apply to its builds.
func (g *Runs) addNotApplicable(c matrix.Cell) {
	key := notApplicable{c.Pair, c.Reason}
	if g.notApplicable[key] == nil {
		g.notApplicable[key] = map[string]bool{}
	}
	g.notApplicable[key][c.Scenario] = true
}

// notApplicableNotes returns, for each pair and reason, which scenarios were not executed. The
// notes do not depend on how cells were split into shards.
func (g *Runs) notApplicableNotes() (notes []string) {
	const told = 3
	for at, scenarios := range g.notApplicable {
		all := slices.Sorted(maps.Keys(scenarios))
		names := strings.Join(all[:min(told, len(all))], ", ")
		if more := len(all) - told; more > 0 {
			names += fmt.Sprintf(" and %d more", more)
		}
		notes = append(notes, fmt.Sprintf("%s was not played with %s: %s", at.pair, names, at.why))
	}
	return notes
}

// cellSource returns the run of a cell as it counts: a run that was interrupted does not
// count, whatever it saw by then.
func cellSource(run string, c matrix.Cell) (result.Source, []byte) {
	if c.Phase != matrix.Done || c.Earlier || c.Result == "" || c.IsRefused() {
		return unplayed(c), nil
	}
	source, raw := Run(run)
	if source.Problem != "" {
		return source, raw
	}
	has := source.Result.Verdict
	if source.Result = c.Counts(source.Result); source.Result.Verdict != has {
		return source, nil // a copy of the run is another run, without the cell's state
	}
	return source, raw
}

// foreignRuns counts the runs below a matrix's directory that are not one of its cells.
func foreignRuns(dir string, s matrix.State) (n int) {
	named := map[string]bool{}
	for _, c := range s.Cells {
		named[filepath.Join(dir, filepath.FromSlash(c.Dir))] = true
	}
	_ = filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return skipUnread(entry)
		case !entry.IsDir() || name == dir || !rundir.IsRun(name):
			return nil
		case !named[name]:
			n++
		}
		return filepath.SkipDir
	}) // an unreadable file does not count as a run
	return n
}
