package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/schema"
)

func newJudge(a *app) *cobra.Command {
	var scenario string
	c := &cobra.Command{
		Use:   "judge DIR",
		Short: "Judge a run directory again",
		Long: `judge reads the history and the schemas in a run directory and writes result.json
and ledger.json anew. It needs no server, cache or network, and gives the same
bytes for the same directory, wherever it was copied.

It compares the findings with the key expect that the run recorded. With --scenario it
compares them with that of a file, such as the scenario's own after you edited it, and
writes the reports anew too. The file must plan what the run did.`,
		Example: `  skewsim judge out/emptydir-mode
  skewsim judge out/my-field --scenario my-field.yaml`,
		Args: exactly(1, "one run directory"),
		RunE: func(_ *cobra.Command, args []string) error { return a.judge(args[0], scenario) },
	}
	a.impactsFlag(c)
	scenarioFlag(c, &scenario)
	return c
}

func (a *app) judge(dir, scenario string) error {
	if err := isDirectory(dir); err != nil {
		return err
	}
	if isChain(dir) {
		if scenario != "" {
			return ofNoChain(dir)
		}
		return a.judgeChain(dir)
	}
	r, err := judgeDir(dir, scenario)
	if err != nil {
		return err
	}
	files := []map[string]writer{judgements()}
	if scenario != "" { // which the reports are to agree with
		r.AllowImpacts = a.allowsImpacts()
		files = append(files, drawings())
	}
	if err := writeAll(dir, r, files...); err != nil {
		return err
	}
	if err := reports.Text(a.out, r, a.textOptions(reportPath(dir))); err != nil {
		return err
	}
	if command := judgedAnew(dir, r.Plan); command != "" && scenario == "" && r.Result.Verdict != term.Pass {
		fmt.Fprintf(a.out, "judged with the key expect that the run recorded; with that of an edited file: %s\n", command)
	}
	return verdict(r, nil)
}

// isDirectory refuses a file where a run directory is wanted. What there is not, who
// reads it tells.
func isDirectory(name string) error {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return usage(fmt.Errorf("%s: is a file: give the directory that a run left (default out/<scenario>)", name))
	}
	return nil
}

func reportPath(dir string) string { return filepath.Join(dir, "report.html") }

// verdict is the error that gives the exit code of a result. What ended the run
// early leaves it unjudged, unless what was seen by then fails it. That a file
// which no server took was refused is the file's fault, where it is all there is.
func verdict(r reports.Run, ended error) error {
	var refused *run.RefusedError
	switch {
	case errors.As(ended, &refused) && !foundMore(r):
		return ended
	case r.Result.Verdict == term.Fail:
		return verdictError{r.Result.Verdict, ended}
	case ended != nil || r.Result.Verdict == term.Pass:
		return ended
	}
	return verdictError{verdict: r.Result.Verdict}
}

// foundMore tells whether a finding that nobody expected is about more than that
// an object could not be made.
func foundMore(r reports.Run) bool {
	births := map[int]bool{}
	for _, stage := range r.Plan.Stages {
		for _, step := range stage.Steps {
			births[step.Number] = step.Birth
		}
	}
	return slices.ContainsFunc(r.Result.Findings, func(f result.Finding) bool {
		return !f.Expected && !(f.Check == term.Answers && f.State == term.Refused && births[f.Step])
	})
}

// judgeDir judges a run directory. scenario is as of judgeRun.
func judgeDir(dir, scenario string) (reports.Run, error) {
	j, err := judgeRun(dir, scenario)
	if err != nil {
		return reports.Run{}, err
	}
	r := reports.New(j.history, j.result, j.ledger)
	return r, j.history.Err()
}

// judgement is a run directory's history with what the oracle makes of it, which
// holds the values of Secrets still.
type judgement struct {
	history *history.History
	schemas oracle.Schemas
	result  result.Result
	ledger  result.Ledger
}

// judgeRun judges a run directory. scenario is the file whose key expect counts; "" for
// the one that the run recorded.
func judgeRun(dir, scenario string) (judgement, error) {
	h, err := history.Load(dir)
	if err != nil {
		return judgement{}, err
	}
	spareMemory(dir)
	var notes []string
	if scenario != "" {
		if notes, err = expecting(h, scenario); err != nil {
			return judgement{}, usage(err)
		}
	}
	schemas, err := loadSchemas(dir, h)
	if err != nil {
		return judgement{}, err
	}
	res, ledger := oracle.Judge(h, schemas)
	res.Notes = append(res.Notes, notes...)
	return judgement{h, schemas, res, ledger}, h.Err()
}

// largeHistory is from where on a history is judged with memory spared: that of some two
// thousand copies.
const largeHistory = 64 << 20

// spareMemory has garbage collected earlier, for good, once a large history is judged: there
// is then less than half as much of it beside what is held. Who has set GOGC knows better.
func spareMemory(dir string) {
	info, err := os.Stat(filepath.Join(dir, history.FileName))
	if err == nil && info.Size() >= largeHistory && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40)
	}
}

// writer writes one file about a run.
type writer func(io.Writer, reports.Run) error

// judgements are the files that judge writes, drawings those that report does.
func judgements() map[string]writer {
	return map[string]writer{
		"result.json": func(w io.Writer, r reports.Run) error { return reports.JSON(w, r.Result) },
		"ledger.json": func(w io.Writer, r reports.Run) error { return reports.LedgerJSON(w, r.Ledger) },
	}
}

func drawings() map[string]writer {
	return map[string]writer{"report.html": reports.HTML, "report.md": reports.Markdown, "junit.xml": reports.JUnit}
}

// writeAll writes files of a run directory, side by side: they only read.
func writeAll(dir string, r reports.Run, sets ...map[string]writer) error {
	var group errgroup.Group
	for _, files := range sets {
		for name, content := range files {
			group.Go(func() error { return write(dir, name, func(w io.Writer) error { return content(w, r) }) })
		}
	}
	return group.Wait()
}

// loadSchemas reads what each release published, side by side. A run that ended
// before it asked has none; its history says so.
func loadSchemas(dir string, h *history.History) (oracle.Schemas, error) {
	var (
		group errgroup.Group
		mu    sync.Mutex
		all   = oracle.Schemas{}
	)
	for role, release := range h.Releases {
		load := func(role term.Role, files map[string]string, tags string) {
			group.Go(func() error {
				parsed, err := loadSchema(dir, release.Version, files, tags)
				mu.Lock()
				defer mu.Unlock()
				all[role] = parsed
				return err
			})
		}
		load(role, release.Schemas, release.GateTags)
		if release.Types != nil {
			load(oracle.OfClients(role), release.Types, "")
		}
	}
	return all, group.Wait()
}

func loadSchema(dir, version string, files map[string]string, tags string) (*schema.Schema, error) {
	var documents [][]byte
	for _, gv := range slices.Sorted(maps.Keys(files)) {
		document, err := loadDocument(dir, version, gv, files[gv])
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
	parsed, err := schema.Parse(documents)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s: %w", dir, version, err)
	}
	if tags == "" {
		return parsed, nil
	}
	text, err := loadDocument(dir, version, "the gates", tags)
	if err != nil {
		return nil, err
	}
	named, err := schema.ReadTags(text)
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s: %w", dir, version, err)
	}
	return parsed.WithTags(named), nil
}

// loadDocument reads one file of a run's schemas, and holds it against its name.
func loadDocument(dir, version, what, file string) ([]byte, error) {
	document, err := readSchema(filepath.Join(dir, "schemas", filepath.Base(file)))
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of %s is missing, and nothing can be judged without it: %w", dir, version, err)
	}
	if named, _, _ := strings.Cut(file, "."); history.Digest(document) != named {
		return nil, fmt.Errorf("%s: the schema of %s of %s is not the one that the run recorded: its content is not what its name says, and nothing can be judged by it",
			dir, what, version)
	}
	return document, nil
}

// readSchema reads a schema's file, which may come from elsewhere: what is
// longer than any that can be parsed is left unread.
func readSchema(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, schema.MaxDocument+1))
}

// write makes a file of a run directory whole or not at all. The new file is
// written piece by piece, since a large run's is larger than need be in
// memory. A run directory may come from elsewhere: its links are replaced,
// never followed.
func write(dir, name string, content func(io.Writer) error) error {
	if err := servers.WriteWhole(filepath.Join(dir, name), content); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
