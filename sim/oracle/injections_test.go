package oracle_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// injection is a defect that is written into a run, and the same edit where it
// means nothing: the first must fail the verdict and name itself, the second
// must change nothing.
type injection struct {
	name string
	// at says into which steps it is written, one at a time; nil: into
	// bystanders' touches.
	at     func(s *oracletest.Run) []plan.Step
	inject func(s *oracletest.Run, g cleanRun, at plan.Step) string // the finding that is due; "": not here
	mutant func(s *oracletest.Run, g cleanRun, at plan.Step)
	// contradicts says that the record then contradicts itself: where that
	// moves no finding, the verdict is unknown, and says whose record it is.
	contradicts bool
}

// touches are those of bystanders, one for each release, number of releases
// that then live, and whole body or part, at the earliest stage that has one.
func touches(run *oracletest.Run) []plan.Step {
	var all []plan.Step
	seen := map[string]bool{}
	stepsOf(run, func(stage string, step plan.Step, role term.CopyRole) {
		mixed := roleOf(run, step, "a") != roleOf(run, step, "b")
		key := fmt.Sprint(mixed, step.Verb.Whole(), step.ViaRole)
		if role == term.Bystander && step.Verb.Modifies() && stage != "old" && !seen[key] {
			seen[key] = true
			all = append(all, step)
		}
	})
	return all
}

// births are those of the copies that touches are about.
func births(run *oracletest.Run) []plan.Step {
	var all []plan.Step
	for _, touch := range touches(run) {
		for _, stage := range run.History.Header.Plan.Stages {
			for _, step := range stage.Steps {
				if step.Copy == touch.Copy && step.Verb == term.Create {
					all = append(all, step)
				}
			}
		}
	}
	return all
}

// everywhere changes what each answer about a copy shows, from a step on, and
// what its stored versions hold.
func everywhere(run *oracletest.Run, step plan.Step, at string, value any) {
	from := revisionOf(run, step)
	run.EditAnswers(step.Number, step.Copy, "", at, value)
	for i := range run.History.Trials {
		if t := &run.History.Trials[i]; t.Copy == step.Copy && t.Answer != "" && t.Revision >= from {
			t.Answer = run.Edited(t.Answer, at, value)
		}
	}
	for i := range run.History.Watches {
		if w := &run.History.Watches[i]; w.Copy == step.Copy && w.Answer != "" && w.Revision >= from {
			w.Answer = run.Edited(w.Answer, at, value)
		}
	}
}

func revisionOf(run *oracletest.Run, step plan.Step) int64 {
	return run.Exchange(step.Number, history.Act, step.Via).Revision
}

const owned = ".metadata.generation" // what servers own

func bystander(format string, at plan.Step, g cleanRun) string {
	return fmt.Sprintf("nothing-lost violation rule-6 "+format+" in step %d", at.Copy, g.text, at.Number)
}

// tally counts what was caught of each injection.
type tally struct{ caught, injected, kept, mutants int }

// Every defect that is written into a run turns its verdict, and is named as what it is;
// the same edit where it means nothing turns nothing. Each is written into the first step
// of the recorded run that it fits, and into some of the written run.
func TestInjections(t *testing.T) {
	t.Parallel()
	for i, most := range []int{1, 4} {
		sweep(t, cleanRuns()[i], most)
	}
}

// The same in every step that it fits.
func TestNightlyInjections(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	for _, g := range tiers.Shard(t, cleanRuns()) {
		sweep(t, g, math.MaxInt)
	}
}

// sweep writes each defect into that many steps of the ground, and each into one at least,
// except for those that the ground says it has no place for.
func sweep(t *testing.T, g cleanRun, most int) {
	base := g.reported(t)
	before := found(base)
	if before.Verdict != term.Pass {
		t.Fatalf("%s: %s: %s\n%s", g.name, before.Verdict, before.Reason, unexpected(before))
	}
	counts := map[string]*tally{}
	for _, in := range injections() {
		count := &tally{}
		counts[in.name] = count
		in.run(t, base, g, before, count, most)
		if fits := count.injected > 0 && count.kept > 0; fits == slices.Contains(g.noPlace, in.name) {
			t.Errorf("%s: %s: %d injected, %d controls kept; in noPlace: %t", g.name, in.name, count.injected, count.kept, fits)
		}
	}
	t.Log("\n" + g.name + "\n" + table(counts))
}

func (in injection) run(t *testing.T, base *oracletest.Run, g cleanRun, before result.Result, count *tally, most int) {
	if in.at == nil {
		in.at = touches
	}
	for _, at := range in.at(base) {
		name := fmt.Sprintf("%s: %s, step %d (%s of %s via %s)", g.name, in.name, at.Number, at.Verb, at.Copy, at.ViaRole)
		run := fresh(base, t)
		want := in.inject(run, g, at)
		if want == "" {
			continue
		}
		count.injected++
		if problem := in.missed(found(run), want, at.Copy); problem != "" {
			t.Errorf("%s: missed: %s", name, problem)
		} else {
			count.caught++
		}
		count.mutants++
		run = fresh(base, t)
		in.mutant(run, g, at)
		if res := found(run); res.Verdict != before.Verdict || len(res.Findings) != len(before.Findings) {
			t.Errorf("%s: its control: %s: %s\n%s", name, res.Verdict, res.Reason, unexpected(res))
		} else {
			count.kept++
		}
		if count.injected >= most {
			return
		}
	}
}

// missed says what a verdict lacks: it must fail, by a finding that names the
// injection, and by none about another copy. %s matches any word.
func (in injection) missed(res result.Result, want, name string) string {
	if in.contradicts && res.Verdict == term.Unknown && strings.Contains(res.Reason, name) {
		return ""
	}
	if res.Verdict != term.Fail {
		return fmt.Sprintf("%s: %s", res.Verdict, res.Reason)
	}
	named := false
	for _, f := range res.Findings {
		if f.Expected {
			continue
		}
		named = named || like(oracletest.Brief(f), want)
		if f.Copy != name && f.Copy != "" && !in.contradicts {
			return "another copy is named: " + oracletest.Brief(f)
		}
	}
	if !named {
		return fmt.Sprintf("no %s in\n%s", want, unexpected(res))
	}
	return ""
}

func like(got, want string) bool {
	for i, part := range strings.Split(want, "%s") {
		at := strings.Index(got, part)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		got = got[at+len(part):]
	}
	return true
}

func table(counts map[string]*tally) string {
	var b strings.Builder
	total := tally{}
	line := func(name string, c tally) {
		fmt.Fprintf(&b, "%-58s caught %3d of %3d, controls kept %3d of %3d\n", name, c.caught, c.injected, c.kept, c.mutants)
	}
	for _, in := range injections() {
		c := *counts[in.name]
		line(in.name, c)
		total = tally{total.caught + c.caught, total.injected + c.injected, total.kept + c.kept, total.mutants + c.mutants}
	}
	line("total", total)
	return b.String()
}
