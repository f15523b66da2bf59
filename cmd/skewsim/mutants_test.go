package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/result"
)

func TestFrobberMutants(t *testing.T) { playMutants(t, tiers.Frobber, shortest) }
func TestNightlyMutants(t *testing.T) { playMutants(t, tiers.Nightly, whole) }

// playMutants plays mutants, each a mistake that the guide warns of, and prints which
// check caught which. A run that a mutant does not fail, and a mutant that another check
// catches, or at another step than its scenario says, fail the test.
func playMutants(t *testing.T, tier tiers.Tier, of func(*scenarios.Scenario)) {
	withFrobber(t)
	table := &mutantTable{}
	t.Run("played", func(t *testing.T) {
		all := frobberOf(t, tiers.Plays(t, tier).Mutants)
		wantSome(t, all)
		for _, s := range all {
			m := &mutantRun{mutant: s.FullName()} // missed, should no result come of it
			*table = append(*table, m)
			t.Run(m.mutant, func(t *testing.T) {
				t.Parallel()
				m.play(t, s, of)
			})
		}
	})
	if err := table.print(t.Output()); err != nil {
		t.Error(err)
	}
}

// whole leaves a mutant's journey as its scenario has it.
func whole(*scenarios.Scenario) {}

// shortest shortens the journey of a mutant to the roll-outs up to the stage at which the
// scenario says that it is caught: most mutants show in the first upgrade.
func shortest(s *scenarios.Scenario) {
	last := 1
	for _, stage := range s.Mutants[s.Mutant].Caught.Stage {
		if strings.Contains(string(stage), "roll") {
			last = max(last, 2)
		}
		if strings.HasPrefix(string(stage), "re-upgrad") {
			last = max(last, 3)
		}
	}
	s.Journey = s.Journey[:min(last, len(s.Journey))]
}

// play plays the mutant, which must fail its run and be caught.
func (m *mutantRun) play(t *testing.T, s *scenarios.Scenario, of func(*scenarios.Scenario)) {
	t.Helper()
	var code int
	code, m.res = playWith(t, m.mutant, runFlags{}, of)
	if code != ExitDiffers || m.res.Verdict != term.Fail {
		t.Errorf("exit code %d, %s: %s: want the run to fail", code, m.res.Verdict, m.res.Reason)
	}
	if m.res.Mutant == nil || !m.res.Mutant.Caught {
		t.Errorf("mutant: %+v: want it caught by %+v", m.res.Mutant, s.Mutants[s.Mutant].Caught)
	}
}

// playWith runs a scenario that is changed before it is planned.
func playWith(t *testing.T, name string, flags runFlags, change func(*scenarios.Scenario)) (code int, res result.Result) {
	t.Helper()
	var said bytes.Buffer
	out := filepath.Join(t.TempDir(), "out")
	flags.Dir, flags.Timeout = out, 30*time.Minute
	a := &App{Out: &said, Err: &said}
	began := time.Now()
	job, err := campaign.PrepareOne(t.Context(), a.Builds(), name, flags.Request)
	if err != nil {
		t.Fatal(err)
	}
	change(job.Run.Scenario)
	code = ExitCode(ErrorOfRun(a.Runner().Play(t.Context(), job.Run, a.Screen(a.Out, a.Err, true)))) // which plans anew
	t.Logf("%s: exit code %d after %.1f s", name, code, time.Since(began).Seconds())
	wantNoServers(t, out)
	if _, err := os.Stat(filepath.Join(out, "result.json")); err != nil {
		t.Fatalf("%s: left no result:\n%s", name, tail(said.String()))
	}
	return code, resultOf(t, out)
}

// TestFrobberMutantsAreListed: the server has the mutants and variants that scenarios play,
// and no others.
func TestFrobberMutantsAreListed(t *testing.T) {
	withFrobber(t)
	everyMutantIsPlayed(t)
}

// TestMutantsSayWhatCatches holds each mutant of the catalogue to a cause and a step.
func TestMutantsSayWhatCatches(t *testing.T) {
	for _, s := range frobberScenarios(t) {
		for _, mutant := range s.MutantNames() {
			saysWhatCatches(t, s.Name+"+"+mutant, s.Mutants[mutant].Caught)
		}
	}
}

// everyMutantIsPlayed compares the mutants and variants of the server with those of the scenarios.
func everyMutantIsPlayed(t *testing.T) {
	t.Helper()
	played := map[string]bool{}
	for _, s := range frobberScenarios(t) {
		older, newer, err := servers.ParsePair(s.Releases.Pair)
		if err != nil {
			t.Fatal(err)
		}
		if name := strings.TrimPrefix(newer.String(), onFrobber+"@"); strings.Contains(name, "+") {
			played[name] = true // a variant, which is right
		}
		for _, mutant := range s.MutantNames() {
			of := map[term.Role]servers.Reference{term.Old: older, term.New: newer}[s.Mutants[mutant].Of]
			played[strings.TrimPrefix(of.String(), onFrobber+"@")+"+"+mutant] = true
		}
	}
	others := 0
	for _, name := range frobberReleases(t) {
		if !strings.Contains(name, "+") {
			continue
		}
		others++
		if !played[name] {
			t.Errorf("%s: no scenario plays this mutant or variant", name)
		}
		delete(played, name)
	}
	if others == 0 || len(played) > 0 {
		t.Errorf("the server has %d mutants and variants, and not %v, which scenarios play", others, slices.Sorted(maps.Keys(played)))
	}
}

// saysWhatCatches is stricter with the catalogue than with users' scenarios: a mutant is
// caught for the right cause, through the right release and at the right step.
func saysWhatCatches(t *testing.T, mutant string, caught scenarios.Expectation) {
	t.Helper()
	if caught.Class == nil || caught.Outcome == nil || caught.Cause == nil || len(caught.Stage) == 0 || len(caught.Via)+len(caught.Read) == 0 {
		t.Errorf("%s: caught must give class, state, cause, stage, and via or read: %+v", mutant, caught)
	}
}

// mutantRun is the result of one mutant.
type mutantRun struct {
	mutant string
	res    result.Result
}

// caught reports whether the check that the scenario names caught the mutant.
func (m *mutantRun) caught() bool { return m.res.Mutant != nil && m.res.Mutant.Caught }

// mark returns X if the check caught the mutant, o if it found something else, which
// does not count.
func (m *mutantRun) mark(check term.CheckName) string {
	if m.caught() && m.res.Mutant.Expectation.Check == check {
		return "X"
	}
	for _, f := range m.res.Findings {
		if f.Check == check && !f.Expected {
			return "o"
		}
	}
	return "."
}

// mutantTable is the table of mutants by checks.
type mutantTable []*mutantRun

// print writes the table, and how many mutants were caught.
func (all mutantTable) print(w io.Writer) error {
	fmt.Fprintln(w, "\nmutants: X caught, by the check and at the step that the scenario says; o found something too")
	table := tabwriter.NewWriter(w, 0, 0, 1, ' ', 0)
	fmt.Fprintf(table, "mutant\t%s\t\n", strings.Join(term.Checks().Words(), "\t"))
	caught := 0
	for _, m := range all {
		fmt.Fprint(table, m.mutant)
		for _, check := range term.Checks() {
			fmt.Fprint(table, "\t"+m.mark(check.Word))
		}
		if m.caught() {
			caught++
			fmt.Fprintln(table, "\t")
		} else {
			fmt.Fprintln(table, "\tMISSED")
		}
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "caught %d/%d\n\n", caught, len(all))
	return err
}

// The table distinguishes a mutant that was caught from one for which the checks found
// only something else.
func TestMutantTable(t *testing.T) {
	mutant := func(caught bool) *result.Mutant {
		w := &result.Mutant{Name: "required", Caught: caught}
		w.Expectation.Check = term.CheckRule1
		return w
	}
	found := []result.Finding{{Check: term.CheckRule1}, {Check: term.CheckAnswers}, {Check: term.CheckNothingLost, Expected: true}}
	all := mutantTable{
		{"a+right", result.Result{Mutant: mutant(true), Findings: found}},
		{"a+elsewhere", result.Result{Mutant: mutant(false), Findings: found}},
		{"a+none", result.Result{}},
	}
	var b strings.Builder
	if err := all.print(&b); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\na+right     .            .                  .              .            X      .      .      .      .      .      .        o       .        \n",
		"\na+elsewhere .            .                  .              .            o      .      .      .      .      .      .        o       .        MISSED\n",
		"\na+none      .            .                  .              .            .      .      .      .      .      .      .        .       .        MISSED\n",
		"\ncaught 1/3\n",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("not in the table: %q\n%s", want, b.String())
		}
	}
}
