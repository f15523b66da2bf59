package oracle

import (
	"cmp"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/checks"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
)

// Judge turns a history into its result and the ledger of its copies.
func Judge(h *history.History, schemas trace.Schemas) (result.Result, result.Ledger) {
	return judge(h, schemas, everyCheck)
}

// everyCheck chooses all checks, in their order.
func everyCheck(all []check) []check { return all }

// judge judges with the checks that choose selects.
func judge(h *history.History, schemas trace.Schemas, choose func([]check) []check) (result.Result, result.Ledger) {
	ev, res := find(h, schemas, choose)
	if blame.WithoutOutages(h) != h { // the ledger shows what failed for want of a program too
		ev = trace.Gather(trace.Build(h, schemas))
	}
	ledger := ledger(ev)
	compare(readBack(h, &res), &res)
	return res, ledger
}

// readBack returns the history without its findings if a body could not be read back: the
// findings may result from the missing body, so they are dropped, and the history counts as
// damaged.
func readBack(h *history.History, res *result.Result) *history.History {
	err := h.Err()
	if err == nil {
		return h
	}
	damaged := *h
	damaged.Damage = slices.Concat([]string{err.Error()}, h.Damage)
	res.Findings = []result.Finding{}
	for i := range res.Checks {
		res.Checks[i].Findings = 0
	}
	return &damaged
}

// find returns what the checks found. It does not depend on what the plan expects.
func find(h *history.History, schemas trace.Schemas, choose func([]check) []check) (*trace.Evidence, result.Result) {
	ev := trace.Gather(trace.Build(blame.WithoutOutages(h), schemas))
	res := newResult(h)
	findings, outcomes := judgeAll(ev, choose(allChecks(checks.CompareReadings(ev))))
	res.Findings, res.Checks = append(res.Findings, blame.Outages(ev, h, findings)...), outcomes
	countAgain(&res)
	res.Notes = append(res.Notes, storedForms(ev)...)
	blame.AddGates(ev, res.Findings)
	blame.AddMisreadPaths(ev, res.Findings)
	blame.DescribeOwners(res.Findings)
	blame.AddActors(ev, res.Findings)
	res.Notes = append(res.Notes, blame.WithheldNote(res.Findings)...)
	sortFindings(res.Findings)
	addOrders(h.Header.Plan, res.Findings)
	return ev, res
}

// countAgain counts the findings of each check, some of which an outage has taken the place of.
func countAgain(res *result.Result) {
	for i := range res.Checks {
		res.Checks[i].Findings = 0
		for _, f := range res.Findings {
			if f.Check == res.Checks[i].Name {
				res.Checks[i].Findings++
			}
		}
	}
}

// compare compares the findings with what the plan expects, and decides the verdicts.
func compare(h *history.History, res *result.Result) {
	res.Elsewhere = ofOtherPairs(&h.Header.Plan)
	match(h, res)
	ofLeg(h, res)
	res.Mutant = caughtMutant(h.Header.Plan.Mutant, res.Findings)
	decide(h, res)
	res.Answer = answer(h, res)
}

func sortFindings(all []result.Finding) {
	slices.SortStableFunc(all, func(a, b result.Finding) int {
		return cmp.Or(cmp.Compare(a.Step, b.Step), cmp.Compare(a.Copy, b.Copy), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Check, b.Check), cmp.Compare(a.Replica, b.Replica), cmp.Compare(a.Message, b.Message))
	})
}

func newResult(h *history.History) result.Result {
	p := h.Header.Plan
	res := result.Result{
		SchemaVersion: result.SchemaVersion, Scenario: p.Scenario, About: p.About, Journey: p.Journey, Seed: p.Seed, Store: h.Header.Store,
		Findings: []result.Finding{}, Missing: []result.Missing{}, Skipped: []result.Skip{},
		Notes: slices.Concat(skips(h), unjudged(h), notes(trace.WithTitles(h))), Timing: timing(h), Counts: counts(h),
	}
	for _, planned := range p.Releases {
		r, ok := h.Releases[planned.Role]
		if !ok { // the run ended before the build could be described
			r = history.Release{Role: planned.Role, Reference: planned.Reference, Version: planned.Reference}
		}
		res.Releases = append(res.Releases, p.Title(r.Role, r.Version))
		res.Builds = append(res.Builds, result.Build{
			Role: r.Role, Reference: r.Reference, Version: r.Version, Digest: r.Digest, Component: r.Component, Asked: r.Asked, Substituted: r.Substituted, From: r.From, Adapter: r.Adapter,
			Server: definedOn(r), Gates: r.Gates, Options: optionsOf(planned.Options),
		})
	}
	for _, s := range p.Skipped {
		res.Skipped = append(res.Skipped, result.Skip{Line: s.Line, Stage: s.Stage, Cell: s.Cell, Reason: s.Reason})
	}
	steps := map[int]trace.StagedStep{}
	if len(h.Skips) > 0 {
		steps = trace.StagedSteps(h)
	}
	for _, s := range h.Skips {
		at := steps[s.Step]
		res.Skipped = append(res.Skipped, result.Skip{
			Step: s.Step, Line: at.Step.Line, Stage: at.Stage, Cell: at.Step.String(), Reason: s.Reason,
		})
	}
	slices.SortStableFunc(res.Skipped, func(a, b result.Skip) int { return cmp.Compare(a.Step, b.Step) })
	return res
}

// definedOn returns the server on which a release of definitions is installed, "" for another.
func definedOn(r history.Release) string {
	if len(r.Defines) == 0 {
		return ""
	}
	return r.Server
}

// optionsOf returns the options of a release's servers, nil for none.
func optionsOf(o scenarios.Options) *scenarios.Options {
	if reflect.DeepEqual(o, scenarios.Options{}) {
		return nil
	}
	return &o
}

// notes returns what a reader must know to understand the result.
func notes(h *history.History) []string {
	var owned []string
	for _, at := range trace.ServerOwned() {
		owned = append(owned, path.String(at))
	}
	all := []string{
		"not judged, since servers own them: " + strings.Join(owned, ", "),
		"values that no client sent, such as those that a server fills in, are judged only by rule-2 and rule-6",
	}
	if older := h.Header.Plan.Clients; older != "" {
		all = append(all, fmt.Sprintf("older-typed and older-apply are clients of %s", older))
	}
	return slices.Concat(all, storeNote(h.Header.Store), substitutes(h), unserved(h), approximated(h), endedEarly(h), orderNotes(h))
}

// approximated names the kinds whose typed clients are approximations.
func approximated(h *history.History) []string {
	const how = "they drop what their release's published schema does not declare; a schema does not show which empty values the real types omit"
	has := map[term.Role]bool{}
	for _, stage := range h.Header.Plan.Stages {
		for _, step := range stage.Steps {
			if role, typed := step.Client.Role(); typed {
				has[role] = true
			}
		}
	}
	var all []string
	for _, role := range []term.Role{term.Old, term.New} {
		r := h.Releases[role]
		switch {
		case has[role] && r.Typed == nil: // a history of a version without real typed clients
			return []string{"old-typed and new-typed are approximated: " + how}
		case has[role] && len(r.Typed.Approximate) > 0:
			all = append(all, fmt.Sprintf("%s-typed and %s-apply are approximated for %s: %s", role, role, strings.Join(r.Typed.Approximate, ", "), how))
		}
	}
	return all
}

// unserved names the kinds that a release does not serve: their copies are read through its
// replicas only in another version that it serves.
func unserved(h *history.History) []string {
	var all []string
	for _, file := range slices.Sorted(maps.Keys(h.Header.Plan.Manifests)) {
		m := h.Header.Plan.Manifests[file]
		for _, role := range []term.Role{term.Old, term.New} {
			r, known := h.Releases[role]
			serves := slices.ContainsFunc(r.Resources, func(s history.Resource) bool {
				return s.APIVersion == m.APIVersion && s.Kind == m.Kind
			})
			note := fmt.Sprintf("%s does not serve %s %s: its stored objects are not read through the replicas of this release",
				r.Version, m.APIVersion, m.Kind)
			if in := r.AskedIn(m.APIVersion, m.Kind); in != m.APIVersion {
				note = fmt.Sprintf("%s does not serve %s %s: its stored objects are read and tried through the replicas of this release as %s, and its values are not compared with those",
					r.Version, m.APIVersion, m.Kind, in)
			}
			if known && !serves && !slices.Contains(all, note) { // files may hold the same kind
				all = append(all, note)
			}
		}
	}
	return all
}

// decide gives each check and the whole run its verdict. A run that was interrupted, and a check
// that judged nothing, are unknown, never a pass. An unexpected finding fails either.
func decide(h *history.History, res *result.Result) {
	p := h.Header.Plan
	for i := range res.Checks {
		decideCheck(&res.Checks[i], res, p.NoExpect && p.Mutant == nil) // a mutant should fail
		if c := &res.Checks[i]; (c.Verdict == term.Pass || c.Verdict == term.Impacts) && !h.Complete() {
			c.Verdict, c.Reason = term.Unknown, "the run did not finish"
		}
	}
	res.Verdict, res.Reason = overall(h, res)
}

// unread is the usual reason for indeterminate facts.
const unread = "no release that knows the field read the object after its last write; a journey that ends with an upgrade lets the new release read everything"

// decideCheck gives a check its verdict. If the scenario does not say what it expects, impacts do
// not fail it.
func decideCheck(c *result.Check, res *result.Result, noExpect bool) {
	unexpected, impacts, missing, expired := 0, 0, 0, 0
	for _, f := range res.Findings {
		switch {
		case f.Check != c.Name || f.Expected:
		case noExpect && f.Class == term.Impact:
			impacts++
		default:
			unexpected++
		}
	}
	for _, m := range res.Missing {
		if m.Expectation.Check == c.Name {
			missing++
		}
	}
	for _, e := range res.Expired {
		if e.Expectation.Check == c.Name {
			expired++
		}
	}
	others, by := res.BrokenElsewhere(c.Name)
	switch {
	case others > 0 && unexpected+missing+expired == 0:
		c.Verdict = term.Fail
		c.Reason = fmt.Sprintf("%s of the rule, reported by %s", term.Numbered(others, "violation"), by)
	case c.Verdict == term.NotApplicable: // an expectation of it is missing from the run as a whole
	case unexpected+missing+expired > 0:
		c.Verdict = term.Fail
		c.Reason = differences(unexpected+impacts, missing, expired)
	case c.Judged == 0:
		c.Verdict, c.Reason = term.Unknown, "it saw nothing to judge"
	case c.Indeterminate > 0:
		c.Verdict, c.Reason = term.Unknown, fmt.Sprintf("%s indeterminate: %s", term.Counted(c.Indeterminate, "fact is", "facts are"), cmp.Or(c.Reason, unread))
	case impacts > 0:
		c.Verdict, c.Reason = term.Impacts, term.Numbered(impacts, "impact")
	default:
		c.Verdict = term.Pass
	}
	expected, by := res.BrokenElsewhereAsExpected(c.Name)
	if expected > 0 && (c.Verdict == term.Pass || c.Verdict == term.NotApplicable) {
		c.Verdict = term.Pass
		c.Reason = fmt.Sprintf("%s of the rule, as the scenario expects, reported by %s", term.Numbered(expected, "violation"), by)
	}
}

func overall(h *history.History, res *result.Result) (term.VerdictWord, string) {
	if !h.Complete() {
		return early(h, res)
	}
	if failed := failedOf(res); len(failed) > 0 {
		return term.Fail, strings.Join(failed, ", ") + ": " + differences(unexpectedOf(res, failed), len(res.Missing), len(res.Expired)) + firstExpired(res)
	}
	if len(res.Expired) > 0 { // of a check that does not apply
		return term.Fail, res.Expired[0].Message
	}
	if len(res.Missing) > 0 { // the expectation of a check that does not apply
		return term.Fail, res.Missing[0].Message
	}
	for _, c := range res.Checks {
		if c.Verdict == term.Unknown {
			return term.Unknown, refusedCreate(res) + fmt.Sprintf("%s: %s", c.Name, c.Reason)
		}
	}
	if n := unexpected(res); n > 0 {
		return term.Impacts, fmt.Sprintf("no rule is broken; %s, and the scenario has no key expect to say which it expects", term.Numbered(n, "impact"))
	}
	if playedNothing(res) {
		return term.Pass, "the releases serve no kind that the plan asks for: no call was made, and none was expected"
	}
	if len(res.Findings) == 0 {
		return term.Pass, "no finding, and none was expected"
	}
	return term.Pass, "the findings are exactly those that the scenario expects"
}

// refusedCreate names the first object that a release refused to create, "" for none: what the checks lack in an
// unknown run is that object.
func refusedCreate(res *result.Result) string {
	for _, f := range res.Findings {
		if f.Outcome == term.Refused && f.Verb.Creates() && !f.Expected {
			return fmt.Sprintf("%s refused to create %s %s in step %d (%s), so not everything could be judged; ", f.Release, f.Kind, f.Copy, f.Step, f.Stage)
		}
	}
	return ""
}

// playedNothing reports whether no call of the plan could be executed.
func playedNothing(res *result.Result) bool {
	return slices.ContainsFunc(res.Checks, func(c result.Check) bool { return c.Name == term.CheckAnswers && c.Verdict == term.NotApplicable })
}

// failedOf names the checks that failed, the one with most violations first; not the check of a rule that
// others alone report to be broken.
func failedOf(res *result.Result) (names []string) {
	for _, c := range worstFirst(res) {
		elsewhere, _ := res.BrokenElsewhere(c.Name)
		if c.Verdict == term.Fail && (elsewhere == 0 || res.Differs(c.Name)) {
			names = append(names, string(c.Name))
		}
	}
	return names
}

func unexpected(res *result.Result) (n int) {
	for _, f := range res.Findings {
		if !f.Expected {
			n++
		}
	}
	return n
}

// unexpectedOf counts the findings of some checks that are not expected.
func unexpectedOf(res *result.Result, checks []string) (n int) {
	for _, f := range res.Findings {
		if !f.Expected && slices.Contains(checks, string(f.Check)) {
			n++
		}
	}
	return n
}

// differences says how the findings differ from what the scenario expects.
func differences(unexpected, missing, expired int) string {
	text := fmt.Sprintf("%s not expected, %s not met", term.Numbered(unexpected, "finding"), term.Numbered(missing, "expectation"))
	if expired > 0 {
		text += fmt.Sprintf(", %d expired", expired)
	}
	return text
}

// worstFirst orders the checks by their unexpected violations, most first: an unexpected finding
// is worse than a missing one.
func worstFirst(res *result.Result) []result.Check {
	broken := map[term.CheckName]int{}
	for _, f := range res.Findings {
		if f.Class == term.Violation && !f.Expected {
			broken[f.Check]++
		}
	}
	sorted := slices.Clone(res.Checks)
	slices.SortStableFunc(sorted, func(a, b result.Check) int { return broken[b.Name] - broken[a.Name] })
	return sorted
}

// early returns the verdict on a run that did not finish. Its findings stand: a server that the
// change killed ends the run, and is the finding. In a damaged history the missing part may be
// what would disprove a finding.
func early(h *history.History, res *result.Result) (term.VerdictWord, string) {
	for _, c := range res.Checks {
		if c.Verdict == term.Fail && len(h.Damage) == 0 {
			return term.Fail, fmt.Sprintf("%s: %s%s; and %s", c.Name, c.Reason, firstExpired(res), incomplete(h))
		}
	}
	if len(res.Expired) > 0 && len(h.Damage) == 0 { // of a check that does not apply
		return term.Fail, fmt.Sprintf("%s; and %s", res.Expired[0].Message, incomplete(h))
	}
	return term.Unknown, incomplete(h)
}

func incomplete(h *history.History) string {
	switch {
	case len(h.Damage) > 0:
		return "the history is damaged: " + h.Damage[0]
	case h.End == nil && h.Unsettled > 0:
		return fmt.Sprintf("the run was killed before its end; what it had seen by then is judged, but for the last %d lines of its history, of which the answers are missing", h.Unsettled)
	case h.End == nil:
		return "the run was killed before its end; what it had seen by then is judged"
	case h.End.Outcome == history.Interrupted:
		return "the run was interrupted before its end; what it had seen by then is judged"
	}
	return "the run could not continue: " + strings.Join(strings.Fields(h.End.Message), " ")
}
