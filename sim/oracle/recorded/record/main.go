package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/skewsim/skewsim/sim/oracle/recorded"
)

type recorder struct {
	archive *recorded.Archive
	skewsim string // the binary
	out     string // the directory that run directories are in
}

func main() {
	dir := flag.String("archive", "sim/oracle/testdata/histories", "`directory` of the recorded histories")
	skewsim := flag.String("skewsim", "bin/skewsim", "the skewsim `binary` to play with")
	out := flag.String("out", "", "`directory` to leave the run directories in; a run that is complete there is not played again (default: a temporary one)")
	judge := flag.Bool("judge", false, "judge the recorded histories anew, and play nothing")
	flag.Parse()
	if err := run(*dir, *skewsim, *out, *judge, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

func run(dir, skewsim, out string, judge bool, patterns []string) error {
	archive, err := recorded.Open(dir)
	if err != nil {
		return err
	}
	if judge {
		return archive.Judge()
	}
	runs, err := recorded.Match(patterns)
	if err != nil {
		return err
	}
	if out == "" {
		if out, err = os.MkdirTemp("", "record-"); err != nil {
			return err
		}
		defer os.RemoveAll(out)
	}
	r := recorder{archive, skewsim, out}
	failed := 0
	for i, run := range runs {
		err := r.record(run)
		if err != nil {
			failed++ // the others are worth recording
			fmt.Fprintf(os.Stderr, "record: %v\n", err)
			continue
		}
		fmt.Printf("%d of %d: %s\n", i+1, len(runs), run.Name)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d runs were not recorded", failed, len(runs))
	}
	return archive.RemoveUnused()
}

// record executes a run, unless its run directory exists, and records its history. A run that
// exits with 1 may be a mutant's, which fails; Record refuses right releases that do not pass.
func (r recorder) record(run recorded.Run) error {
	out := filepath.Join(r.out, run.Name)
	if _, err := os.Stat(filepath.Join(run.Dir(out), "result.json")); err != nil {
		play := exec.Command(r.skewsim, append([]string{"run", "--quiet", "--out", out}, run.Args...)...)
		if text, err := play.CombinedOutput(); play.ProcessState == nil || play.ProcessState.ExitCode() > 1 {
			return fmt.Errorf("%w: %s", err, text)
		}
	}
	return r.archive.Record(run.Name, run.Dir(out))
}
