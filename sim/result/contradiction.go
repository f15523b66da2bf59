package result

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Contradictions returns an error that names every part of a run's result that contradicts
// another part, or nil. skewsim never writes such a result: somebody changed the file, or it is
// incomplete.
func (r Result) Contradictions() error {
	shown := r.shown()
	problems := slices.Concat(r.contradictedReleases(), r.negative(), r.unknownWords())
	problems = append(problems, r.contradictedFindings(shown)...)
	checks := map[term.VerdictWord]int{}
	if len(r.Checks) == 0 {
		problems = append(problems, fmt.Errorf("checks: the list is empty, and the verdict is %s", r.Verdict))
	}
	for _, c := range r.Checks {
		checks[c.Verdict]++
		problems = append(problems, c.contradicted(shown[c.Name]))
	}
	return errors.Join(append(problems, r.contradictedVerdict(checks), r.Mutant.contradicted(shown.unexpected()))...)
}

// contradictedReleases returns an error if the releases, or their builds, are not those of a
// pair. A run that ended before any server reported its version may have none.
func (r Result) contradictedReleases() (problems []error) {
	if n := len(r.Releases); n != 2 && (n > 0 || r.Verdict != term.Unknown) {
		problems = append(problems, fmt.Errorf("releases: there are %d, and a run plays 2", n))
	}
	if slices.Contains(r.Releases, "") {
		problems = append(problems, errors.New("releases: one has no name"))
	}
	roles := map[term.Role]int{}
	for _, b := range r.Builds {
		roles[b.Role]++
	}
	if n := len(r.Builds); n > 0 && (n != 2 || roles[term.Old] != 1 || roles[term.New] != 1) {
		problems = append(problems, fmt.Errorf("builds: %d are of the old release and %d of the new one, of %d", roles[term.Old], roles[term.New], n))
	}
	return problems
}

// unknownWords returns an error if the run has no scenario name, and one for each unknown word
// of a finding or a check.
func (r Result) unknownWords() (problems []error) {
	if r.Scenario == "" {
		problems = append(problems, errors.New("scenario: has no name"))
	}
	told := map[string]bool{}
	note := func(wrong bool, what string) {
		if wrong && !told[what] {
			told[what] = true
			problems = append(problems, errors.New(what))
		}
	}
	for _, c := range r.Checks {
		note(!term.Checks().Has(c.Name), fmt.Sprintf("checks: %q is not one", c.Name))
	}
	for _, f := range r.Findings {
		note(f.Class != "" && !term.Classes().Has(f.Class), fmt.Sprintf("findings: %q is not a class", f.Class))
		note(f.Outcome != "" && !term.Outcomes().Has(f.Outcome), fmt.Sprintf("findings: %q is not an outcome", f.Outcome))
		note(f.Cause != "" && !term.Causes().Has(f.Cause), fmt.Sprintf("findings: %q is not a cause", f.Cause))
	}
	return problems
}

// negative returns an error for each part with a negative count, place or time.
func (r Result) negative() (problems []error) {
	least := map[string]float64{
		"timing": min(r.Timing.Total, r.Timing.Starts, r.Timing.Stops, r.Timing.Operations, r.Timing.Looks),
		"counts": float64(min(r.Counts.Copies, r.Counts.Steps, r.Counts.Orders, r.Counts.OrderSteps, r.Counts.Operations, r.Counts.Looks, r.Counts.Changes)),
	}
	note := func(part string, numbers ...int) { least[part] = min(least[part], float64(slices.Min(numbers))) }
	for _, f := range r.Findings {
		note("findings", f.Step, f.AcknowledgedStep, f.Order, f.Expectation)
	}
	for _, m := range r.Missing {
		note("missing", m.Place, m.Seen)
	}
	for _, e := range r.Expired {
		note("expired", e.Place, e.Seen)
	}
	for _, e := range r.Elsewhere {
		note("elsewhere", e.Place)
	}
	for _, s := range r.Skipped {
		note("skipped", s.Step, s.Line)
	}
	for _, part := range slices.Sorted(maps.Keys(least)) {
		if least[part] < 0 {
			problems = append(problems, fmt.Errorf("%s: has the negative number %v", part, least[part]))
		}
	}
	return problems
}

// shown is what the other parts of a result show about one check.
type shown struct {
	listed     int // how often checks names it
	findings   int
	unexpected int // of the findings
	broken     int // of the unexpected ones, those that are not impacts
	different  int // expectations that are missing, or have expired
	elsewhere  int // violations of its rule that other checks report
	asExpected int // such violations that the scenario expects
}

type shownByCheck map[term.CheckName]*shown

func (all shownByCheck) of(name term.CheckName) *shown {
	if all[name] == nil {
		all[name] = &shown{}
	}
	return all[name]
}

func (all shownByCheck) unexpected() (n int) {
	for _, s := range all {
		n += s.unexpected
	}
	return n
}

func (r Result) shown() shownByCheck {
	all := shownByCheck{}
	for _, c := range r.Checks {
		all.of(c.Name).listed++
	}
	for _, f := range r.Findings {
		of := all.of(f.Check)
		of.findings++
		if f.Expected {
			continue
		}
		of.unexpected++
		if f.Class != term.Impact {
			of.broken++
		}
	}
	for _, c := range r.Checks {
		all.of(c.Name).elsewhere, _ = r.BrokenElsewhere(c.Name)
		all.of(c.Name).asExpected, _ = r.BrokenElsewhereAsExpected(c.Name)
	}
	for _, m := range r.Missing {
		all.of(m.Expectation.Check).different++
	}
	for _, e := range r.Expired {
		all.of(e.Expectation.Check).different++
	}
	return all
}

// contradictedFindings returns an error for each check with findings and without a verdict, and
// one if findings are expected without a line that expects them.
func (r Result) contradictedFindings(shown shownByCheck) (problems []error) {
	told, unlined := map[term.CheckName]bool{}, 0
	for _, f := range r.Findings {
		if shown[f.Check].listed == 0 && !told[f.Check] {
			told[f.Check] = true
			problems = append(problems, fmt.Errorf("findings: %d are of %s, and checks does not list it", shown[f.Check].findings, f.Check))
		}
		// All impacts on a copy with an order are expected.
		if f.Expected && f.Expectation == 0 && (f.Order == 0 || f.Class != term.Impact) {
			unlined++
		}
	}
	if unlined > 0 {
		problems = append(problems, fmt.Errorf("findings: %d are expected, but no line of expect names them", unlined))
	}
	return problems
}

// contradicted returns an error if a check's verdict or counts do not agree with the rest of
// the result.
func (c Check) contradicted(s *shown) error {
	decided := c.Verdict == term.Pass || c.Verdict == term.Impacts
	var what string
	switch {
	case !term.Verdicts().Has(c.Verdict):
		return fmt.Errorf("checks: %s has the verdict %q, which is not one", c.Name, c.Verdict)
	case s.listed > 1:
		return fmt.Errorf("checks: %s is listed %d times", c.Name, s.listed)
	case min(c.Judged, c.Indeterminate, c.Findings) < 0:
		what = "a negative count"
	case c.Findings != s.findings:
		return fmt.Errorf("checks: %s counts %s, and findings has %d of it", c.Name, term.Numbered(c.Findings, "finding"), s.findings)
	case decided && c.Judged+s.asExpected == 0:
		what = "judged 0 facts"
	case decided && c.Indeterminate > 0:
		what = "could not decide " + term.Numbered(c.Indeterminate, "fact")
	case c.Verdict == term.NotApplicable && c.Judged+c.Indeterminate+c.Findings > 0:
		what = fmt.Sprintf("judged %d facts, could not decide %d, and has %d findings", c.Judged, c.Indeterminate, c.Findings)
	case c.Verdict == term.Pass && s.unexpected > 0, c.Verdict != term.Fail && s.broken > 0:
		what = fmt.Sprintf("%d findings that were not expected", cmp.Or(s.broken, s.unexpected))
	case decided && s.different > 0:
		what = fmt.Sprintf("%d expectations that are missing or have expired", s.different)
	case c.Verdict == term.Fail && s.unexpected+s.different+s.elsewhere == 0:
		what = "neither a finding that was not expected nor an expectation that is missing or has expired"
	case c.Verdict == term.Impacts && s.unexpected == 0:
		what = "no finding that was not expected"
	default:
		return nil
	}
	return fmt.Errorf("checks: %s has the verdict %s, and %s", c.Name, c.Verdict, what)
}

// contradictedVerdict returns an error if the run's verdict does not follow from the number of
// its checks with each verdict and from its expectations.
func (r Result) contradictedVerdict(checks map[term.VerdictWord]int) error {
	failed, different := checks[term.Fail], len(r.Missing)+len(r.Expired)
	undecided := fmt.Sprintf("%d checks failed, %d are unknown, and %d expectations are missing or have expired", failed, checks[term.Unknown], different)
	noneApplies := checks[term.NotApplicable] == len(r.Checks) // then a run that completes passes
	switch clean := failed+checks[term.Unknown]+different == 0; {
	case len(r.Checks) == 0: // and no other contradiction is reported
		return nil
	case r.Verdict == term.NotApplicable:
		return errors.New("verdict: is not-applicable, which only a check can be")
	case (r.Verdict == term.Pass || r.Verdict == term.Impacts) && !clean,
		r.Verdict == term.Fail && failed+different == 0, r.Verdict == term.Unknown && checks[term.Unknown]+failed == 0 && !noneApplies:
		return fmt.Errorf("verdict: is %s, and %s", r.Verdict, undecided)
	case r.Verdict == term.Pass && (checks[term.Pass] == 0 && !noneApplies || checks[term.Impacts] > 0),
		r.Verdict == term.Impacts && checks[term.Impacts] == 0:
		return fmt.Errorf("verdict: is %s, and %d checks passed, %d found impacts", r.Verdict, checks[term.Pass], checks[term.Impacts])
	}
	return nil
}

// contradicted returns an error if the number of findings that match a mutant's expectation
// contradicts whether it was caught.
func (t *Mutant) contradicted(unexpected int) error {
	switch {
	case t == nil:
		return nil
	case t.Seen < 0 || t.Seen > unexpected:
		return fmt.Errorf("mutant: %d findings agree with its expectation, and %d were not expected", t.Seen, unexpected)
	case t.Caught != (t.Seen > 0 && (t.Expectation.Count == 0 || t.Expectation.Count == t.Seen)):
		return fmt.Errorf("mutant: caught is %t, and %d findings agree with its expectation", t.Caught, t.Seen)
	}
	return nil
}
