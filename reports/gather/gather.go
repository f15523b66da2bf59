package gather

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Runs collects the runs of one page.
type Runs struct {
	out           string // the directory of the page, which links are relative to
	sources       []result.Source
	copies        map[[sha256.Size]byte][]string    // the paths of results with these bytes
	given         map[string]int                    // how often a path was found
	parts         []part                            // the matrices among them
	notes         []string                          // what was left out
	notApplicable map[notApplicable]map[string]bool // scenarios that turned out not to apply
}

// Into returns an empty collection for a page in a directory, which links are relative to.
func Into(out string) *Runs {
	return &Runs{out: out, given: map[string]int{}, copies: map[[sha256.Size]byte][]string{}, notApplicable: map[notApplicable]map[string]bool{}}
}

// Sources returns the runs that were found.
func (g *Runs) Sources() []result.Source { return g.sources }

// Add adds the run in a directory, or every run below it, and the cells of a matrix. A
// directory without a run is on the page as a problem, because one was expected there.
func (g *Runs) Add(dir string) {
	root := dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root = real // a walk does not follow links, and the given path may be one
	}
	found := false
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			found = true
			g.add(name, result.Source{Problem: rundir.WithoutPath(err).Error()}, nil)
			return skipUnread(entry)
		}
		if !entry.IsDir() && name != root {
			return nil
		}
		if g.addMatrix(name) {
			found = true
			return filepath.SkipDir
		}
		if !rundir.IsRun(name) {
			return nil
		}
		found = true
		if rundir.IsChain(name) {
			g.add(name, Chain(name), contentOf(filepath.Join(name, rundir.ChainFile)))
			return nil // its legs are below
		}
		source, raw := Run(name)
		g.add(name, source, raw)
		return filepath.SkipDir
	})
	if err == nil && !found {
		err = errors.New("holds no run: give the directory that a run left, or one above it")
	}
	if err != nil {
		g.add(dir, result.Source{Problem: rundir.WithoutPath(err).Error()}, nil)
	}
}

// skipUnread continues after a directory that cannot be read.
func skipUnread(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

// add adds a run once: a run whose result has the same bytes as another's is the same run.
func (g *Runs) add(dir string, s result.Source, raw []byte) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		real = dir
	}
	if real, err = filepath.Abs(real); err != nil {
		real = dir
	}
	s.Path = relative(g.out, real)
	if g.given[s.Path]++; g.given[s.Path] > 1 {
		return
	}
	if rundir.Exists(filepath.Join(dir, view.ReportFile)) {
		s.Report = relative(g.out, filepath.Join(real, view.ReportFile))
	}
	if raw != nil {
		sum := sha256.Sum256(raw)
		g.copies[sum] = append(g.copies[sum], s.Path)
		slices.Sort(g.copies[sum])
		if all := g.copies[sum]; len(all) > 1 {
			g.replace(s, all)
			return
		}
	}
	g.sources = append(g.sources, s)
}

// replace keeps, of equal runs, the one whose path comes first, so that their order does
// not matter.
func (g *Runs) replace(s result.Source, all []string) {
	if all[0] != s.Path {
		return
	}
	for i := range g.sources {
		if g.sources[i].Path == all[1] {
			g.sources[i] = s
		}
	}
}

// Notes returns notes about duplicates and about what was left out.
func (g *Runs) Notes() []string {
	notes := slices.Concat(g.notes, g.notApplicableNotes())
	for path, times := range g.given {
		if times > 1 {
			notes = append(notes, fmt.Sprintf("%s was given %d times: it counts once", path, times))
		}
	}
	for _, all := range g.copies {
		for _, path := range all[1:] {
			notes = append(notes, fmt.Sprintf("%s is the same run as %s: it counts once", path, all[0]))
		}
	}
	slices.Sort(notes)
	return notes
}

// relative returns a path as a page in another directory links to it.
func relative(from, to string) string {
	name, err := filepath.Rel(from, to)
	if err != nil { // another drive
		name = to
	}
	name = filepath.ToSlash(name)
	return strings.TrimPrefix(name, "./")
}
