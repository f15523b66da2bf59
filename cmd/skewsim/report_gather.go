package main

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/rundir"
)

// resultFile is what merge reads of a run.
const resultFile = "result.json"

// gathering is the runs that are to be merged, while they are found.
type gathering struct {
	out     string // where links lead from
	sources []result.Source
	copies  map[[sha256.Size]byte][]string // the paths of results with these bytes
	given   map[string]int                 // how often a path was met
	parts   []part                         // the matrices among them
	notes   []string                       // what was left out
	inapt   map[inapt]map[string]bool      // scenarios that turned out not to apply
}

// gather takes in the run in a directory, or every one below it, and of a matrix the
// cells. A directory without any has its place too: what should be there nobody has seen.
func (g *gathering) gather(dir string) {
	root := dir
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		root = real // a walk does not follow links, and one may be what was given
	}
	found := false
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			found = true
			g.add(name, result.Source{Problem: withoutPath(err).Error()}, nil)
			return skipUnread(entry)
		}
		if !entry.IsDir() && name != root {
			return nil
		}
		if g.gatherMatrix(name) {
			found = true
			return filepath.SkipDir
		}
		if !rundir.IsRun(name) {
			return nil
		}
		found = true
		if rundir.IsChain(name) {
			g.add(name, chainSource(name), contentOf(filepath.Join(name, rundir.ChainFile)))
			return nil // its legs are below
		}
		source, raw := readRun(name)
		g.add(name, source, raw)
		return filepath.SkipDir
	})
	if err == nil && !found {
		err = errors.New("holds no run: give the directory that a run left, or one above it")
	}
	if err != nil {
		g.add(dir, result.Source{Problem: withoutPath(err).Error()}, nil)
	}
}

// withoutPath is an error about a file that is named beside it.
func withoutPath(err error) error {
	if named := (*fs.PathError)(nil); errors.As(err, &named) {
		return named.Err
	}
	return err
}

// skipUnread goes on beside a directory that cannot be read.
func skipUnread(entry fs.DirEntry) error {
	if entry != nil && entry.IsDir() {
		return filepath.SkipDir
	}
	return nil
}

// add takes in a run, once: what has the bytes of another's result is that run.
func (g *gathering) add(dir string, s result.Source, raw []byte) {
	if g.given == nil {
		g.given, g.copies = map[string]int{}, map[[sha256.Size]byte][]string{}
	}
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
	if isThere(reportPath(dir)) {
		s.Report = relative(g.out, reportPath(real))
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

// replace keeps of equal runs the one whose path comes first, so that their order does
// not matter.
func (g *gathering) replace(s result.Source, all []string) {
	if all[0] != s.Path {
		return
	}
	for i := range g.sources {
		if g.sources[i].Path == all[1] {
			g.sources[i] = s
		}
	}
}

// told tells what was given more than once, and what was left out.
func (g *gathering) told() []string {
	notes := slices.Concat(g.notes, g.inaptNotes())
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

// readRun reads a run's result, and returns its bytes.
func readRun(dir string) (result.Source, []byte) {
	raw, err := rundir.ReadRegular(filepath.Join(dir, resultFile))
	if errors.Is(err, fs.ErrNotExist) {
		return result.Source{Problem: fmt.Sprintf("holds no %s: skewsim judge makes one of its history", resultFile)}, nil
	}
	var s result.Source
	if err == nil {
		err = json.Unmarshal(raw, &s.Result)
	}
	if err == nil {
		err = known(s.Result)
	}
	if err != nil {
		return result.Source{Problem: fmt.Sprintf("%s: %v: skewsim judge makes it anew of the history", resultFile, withoutPath(err))}, nil
	}
	s.Result = reports.Sealed(reports.Run{Result: s.Result}).Result
	return s, raw
}

// known refuses a result that this skewsim does not read, or whose parts contradict each
// other.
func known(res result.Result) error {
	if res.SchemaVersion != result.SchemaVersion {
		return fmt.Errorf("is of the form %q, and not %s", res.SchemaVersion, result.SchemaVersion)
	}
	if !term.Verdicts().Has(res.Verdict) {
		return fmt.Errorf("has the verdict %q, which is none", res.Verdict)
	}
	if err := res.Contradictions(); err != nil {
		return fmt.Errorf("contradicts itself: %s", strings.ReplaceAll(err.Error(), "\n", "; "))
	}
	return nil
}

// contentOf is a file's, or nothing.
func contentOf(name string) []byte {
	raw, err := rundir.ReadRegular(name)
	if err != nil {
		return nil
	}
	return raw
}

// chainSource is a chain as a run among others: what only the whole shows. Its legs
// are runs of their own.
func chainSource(dir string) result.Source {
	v, err := rundir.ReadChain(dir)
	if err == nil && !term.Verdicts().Has(v.Verdict) {
		err = fmt.Errorf("%s: has the verdict %q, which is none", rundir.ChainFile, v.Verdict)
	}
	if err == nil {
		if problem := v.Contradiction(); problem != nil {
			err = fmt.Errorf("%s: contradicts itself: %w: skewsim judge makes it anew of the legs", rundir.ChainFile, problem)
		}
	}
	if err != nil {
		return result.Source{Path: dir, Problem: err.Error()}
	}
	s := result.Source{Path: dir, Result: chainResult(v)}
	for _, leg := range v.Legs { // which tell what the releases are that the chain names
		if filepath.IsLocal(leg.Directory) && s.Component == "" {
			of, _ := readRun(filepath.Join(dir, "legs", leg.Directory))
			s.Component = of.Result.Component()
		}
	}
	return s
}

// chainResult has the chain's verdict, with the differences between its legs as
// findings. The releases are the ends of the chain.
func chainResult(v chain.Verdict) result.Result {
	res := result.Result{
		SchemaVersion: result.SchemaVersion, Scenario: v.Scenario, About: v.About, Seed: v.Seed,
		Verdict: v.Verdict, Reason: v.Reason, Missing: v.Missing,
	}
	if n := len(v.Releases); n > 0 {
		first, last := v.Releases[0], v.Releases[n-1]
		res.Builds = []result.Build{{Role: term.Old, Reference: first}}
		res.Releases = []string{versionOf(first), fmt.Sprintf("%s over %d legs", versionOf(last), v.Planned)}
	}
	for _, f := range v.Findings {
		res.Findings = append(res.Findings, result.Finding{
			Check: term.NothingLost, Object: f.Object, Copy: f.Copy, Path: f.Path, Message: f.Message,
		})
	}
	for _, leg := range v.Legs {
		if len(res.Journey) == 0 || res.Journey[len(res.Journey)-1] != leg.Rollout {
			res.Journey = append(res.Journey, leg.Rollout)
		}
	}
	return res
}

// versionOf is a reference without its component.
func versionOf(reference string) string {
	if _, version, named := strings.Cut(reference, "@"); named {
		return version
	}
	return reference
}
