package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/cmd/skewsim/screen"
	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/gather"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/rundir"
)

// reportFlags are those of report.
type reportFlags struct{ format, output, scenario string }

func newReport(a *App) *cobra.Command {
	var f reportFlags
	c := &cobra.Command{
		Use:   "report DIR...",
		Short: "Rewrite the reports of run directories, or print one format",
		Long: `report judges run directories and writes report.html, report.md and junit.xml
again. It needs no server, cache or network. For a chain it writes the reports of
every leg, and chain.txt and junit.xml for the whole chain.

With --format it prints one report on all the directories, and writes nothing into
them:

` + reports.FormatLines() + `
For a chain, text describes the whole chain, junit the chain and its legs, and every other
format its legs. To draw several runs on one page see skewsim report merge.

Exit codes: 0 the reports are written, whatever the verdict; 2 not a run
directory, or an unknown format; 3 a directory could not be judged.`,
		Example: `  skewsim report out/emptydir-mode
  skewsim report --format text out/emptydir-mode
  skewsim report --format prr out/gate-* -o answers.md
  skewsim report merge out -o out/merged`,
		Args:              AtLeastOne("run directories"),
		ValidArgsFunction: completeDirectory,
		RunE:              func(_ *cobra.Command, args []string) error { return runReport(a, args, f) },
	}
	c.Flags().StringVarP(&f.format, "format", "f", "", "`format` to print: "+strings.Join(reports.FormatWords(), ", "))
	a.ImpactsFor(c, `how junit.xml reports impacts if the scenario has no key expect: "fail" as failures, "allow" as passed`)
	c.Flags().StringVarP(&f.output, "output", "o", "", "with --format, write to this `file`")
	completeFlag(c, "format", completeFormat)
	scenarioFlag(c, &f.scenario)
	c.AddCommand(newMerge(a))
	return c
}

// completeDirectory offers directories to shells.
func completeDirectory(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeFormat offers the formats to shells, each with what it is.
func completeFormat(*cobra.Command, []string, string) (words []string, _ cobra.ShellCompDirective) {
	for _, known := range reports.Formats() {
		words = append(words, known.Word+"\t"+known.What)
	}
	return words, cobra.ShellCompDirectiveNoFileComp
}

// completeFlag offers a flag's values to shells.
func completeFlag(c *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is the command's own
	}
}

func runReport(a *App, dirs []string, f reportFlags) (err error) {
	for _, dir := range dirs {
		err = errors.Join(err, fault.ByUser(gather.RunDirectory(dir)))
	}
	switch {
	case err != nil:
		return err
	case f.format == "" && f.output != "":
		return fault.ByUser(errors.New("--output: requires --format; without --format, report writes into the run directory"))
	case f.scenario != "" && len(dirs) > 1:
		return fault.ByUser(fmt.Errorf("--scenario: requires one run directory, got %d: name one of them", len(dirs)))
	case f.scenario != "" && rundir.IsChain(dirs[0]):
		return ofNoChain(dirs[0])
	case f.format != "":
		return reportAs(a, dirs, f)
	}
	for _, dir := range dirs {
		err = errors.Join(err, reportAnew(a, dir, f.scenario))
	}
	return err
}

// reportAnew writes the reports of a directory into it.
func reportAnew(a *App, dir, scenario string) error {
	if rundir.IsChain(dir) {
		return reportChain(a.Out, dir, a.AllowsImpacts())
	}
	r, err := reports.Judge(dir, scenario)
	if err != nil {
		return err
	}
	r.AllowImpacts = a.AllowsImpacts()
	if err := reports.WriteRun(dir, r); err != nil {
		return err
	}
	fmt.Fprintln(a.Out, screen.ReportPath(dir))
	return nil
}

// reportAs prints one format, or writes it to a file.
func reportAs(a *App, dirs []string, f reportFlags) error {
	format, err := reports.FormatOf(f.format)
	if err != nil {
		return fault.ByUser(fmt.Errorf("--format %w", err))
	}
	if !format.WholeChains {
		if dirs, err = gather.Legs(dirs); err != nil {
			return err
		}
	}
	if format.One && len(dirs) > 1 {
		return fault.ByUser(fmt.Errorf("--format %s: requires one run directory, got %d, such as %s: name one of them, or draw them on one page with skewsim report merge",
			format.Word, len(dirs), dirs[0]))
	}
	options := reports.FormatOptions{
		AllowImpacts: a.AllowsImpacts(), Judge: func(dir string) (reports.Run, error) { return reports.Judge(dir, f.scenario) },
	}
	if f.output == "" {
		options.Text = screen.TextOptions(a.Out, "")
		return format.Write(a.Out, dirs, options)
	}
	if err := canHold(f.output); err != nil {
		return err
	}
	return rundir.WriteFile(filepath.Dir(f.output), filepath.Base(f.output), func(w io.Writer) error {
		return format.Write(w, dirs, options)
	})
}

// canHold refuses what cannot become a file, before anything is judged for it.
func canHold(output string) error {
	if at, err := os.Stat(output); err == nil && at.IsDir() {
		return fault.ByUser(fmt.Errorf("--output %q: is a directory: name a file in it", output))
	}
	if at, err := os.Stat(filepath.Dir(output)); err != nil || !at.IsDir() {
		return fault.ByUser(fmt.Errorf("--output %q: %q is not a directory: create it first, or name another file", output, filepath.Dir(output)))
	}
	return nil
}
