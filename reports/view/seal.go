package view

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// The oracle writes fingerprints instead of confidential values: those of Secrets, and
// those that the scenario marks. The functions here check that, because reports are
// published: they withhold values that are not fingerprints, also in servers' messages and
// in paths.

// Sealed returns the run without confidential values in its Result and Ledger, and in
// servers' messages. Bodies are sealed where they are drawn. Writers that take a Run seal
// it themselves; JSON and LedgerJSON, which see no plan and no bodies, take the Result and
// Ledger of what New or Sealed returned.
func Sealed(r Run) Run {
	s := sealer{r.Policy(), r.Salt}
	r.Result = s.result(r.Result)
	r.Ledger = s.ledger(r.Ledger)
	if values := r.Confidential(); len(values) > 0 {
		r.scrub(values)
	}
	return r
}

// Policy returns which values of the run are confidential.
func (r Run) Policy() redact.Policy { return redact.For(r.Plan.Confidential) }

// Confidential collects the values in the bodies of confidential kinds.
func (r Run) Confidential() []string {
	policy := r.Policy()
	var values []string
	for _, m := range r.Plan.Manifests {
		values = append(values, policy.Values(m.Kind, m.Body)...)
	}
	for _, c := range r.Ledger.Copies {
		if !policy.Covers(c.Kind) {
			continue
		}
		for _, digest := range Digests(c) {
			if body, ok := r.DecodedBody(digest); ok {
				values = append(values, policy.Values(c.Kind, body)...)
			}
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// Digests returns the digests of the bodies that were sent, answered and served for a copy.
func Digests(c result.CopyLedger) []string {
	var all []string
	for _, row := range c.Rows {
		for _, q := range row.Requests {
			all = append(all, q.Sent, q.Answer)
		}
		for _, v := range row.Views {
			all = append(all, v.Answer)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// certain is the length from which on a value cannot be an ordinary word, and is also
// removed from sentences about other objects.
const certain = 8

// scrub removes the confidential values from every sentence about a confidential kind that
// may quote a server. In other sentences a short value may be an ordinary word; long values
// are removed, because the last words of a server that died may repeat them. The oracle
// omits servers' words about confidential kinds.
func (r *Run) scrub(values []string) {
	policy, whole, open := r.Policy(), redact.Scrubber(values), r.open()
	long := redact.Scrubber(slices.DeleteFunc(slices.Clone(values), func(v string) bool { return len(v) < certain || strings.Contains(open, v) }))
	for i := range r.Result.Findings {
		f := &r.Result.Findings[i]
		f.Message = long.Replace(f.Message)
	}
	for i := range r.Ledger.Copies {
		if !policy.Covers(r.Ledger.Copies[i].Kind) {
			continue
		}
		for j := range r.Ledger.Copies[i].Rows {
			scrubRow(&r.Ledger.Copies[i].Rows[j], whole)
		}
	}
	scrubSentences(&r.Result, long)
	r.Servers = slices.Clone(r.Servers)
	for i := range r.Servers {
		r.Servers[i] = scrubbedServer(r.Servers[i], long)
	}
}

// scrubSentences scrubs a result's sentences about the whole run. Its slices already belong
// to the run.
func scrubSentences(res *result.Result, values *strings.Replacer) {
	res.Reason = values.Replace(res.Reason)
	for i := range res.Notes {
		res.Notes[i] = values.Replace(res.Notes[i])
	}
	for i := range res.Skipped {
		res.Skipped[i].Reason = values.Replace(res.Skipped[i].Reason)
	}
	for i := range res.Checks {
		res.Checks[i].Reason = values.Replace(res.Checks[i].Reason)
	}
}

// open holds names that reports always show: copies, their objects and kinds, and skewsim's
// own words. A value that is equal to one of them, or to a part of one, cannot be
// recognized there, and stays.
func (r Run) open() string {
	words := slices.Concat([]string{redact.Withheld}, term.Checks().Words(), term.Rules().Words(), term.Classes().Words(), term.RunOutcomes().Words(),
		term.Causes().Words(), term.Verdicts().Words(), term.Roles().Words(), term.Rollouts().Words(), term.CopyRoles().Words(),
		term.Clients().Words(), term.Verbs().Words(), term.Changes().Words(), term.Generations().Words())
	for _, f := range r.Result.Findings {
		words = append(words, f.Copy, f.Object, f.Kind)
	}
	for _, c := range r.Ledger.Copies {
		words = append(words, c.Copy, c.Object, c.Kind)
	}
	return strings.Join(words, "\n")
}

func scrubbedServer(s history.Server, values *strings.Replacer) history.Server {
	s.Message = values.Replace(s.Message)
	return s
}

// scrubRow scrubs one row of the ledger. Its slices already belong to the run.
func scrubRow(row *result.Row, values *strings.Replacer) {
	for i := range row.Requests {
		q := &row.Requests[i]
		q.Message = values.Replace(q.Message)
		for j := range q.Warnings {
			q.Warnings[j] = values.Replace(q.Warnings[j])
		}
	}
	for i := range row.Views {
		row.Views[i].Message = values.Replace(row.Views[i].Message)
	}
}

// sealer withholds confidential values and paths.
type sealer struct {
	policy redact.Policy
	salt   string
}

// SealedResult withholds the values of Secrets in findings, as far as known without the
// plan.
func SealedResult(res result.Result) result.Result { return sealer{}.result(res) }

// SealedLedger withholds the values of Secrets in a ledger, as far as known without the
// plan.
func SealedLedger(ledger result.Ledger) result.Ledger { return sealer{}.ledger(ledger) }

// result withholds confidential values in findings. It copies what scrub writes to.
func (s sealer) result(res result.Result) result.Result {
	res.Findings = slices.Clone(res.Findings)
	for i := range res.Findings {
		f := &res.Findings[i]
		if !s.policy.Covers(f.Kind) {
			continue
		}
		path := s.policy.Path(f.Kind, f.Path, s.salt)
		if path != f.Path {
			f.Message = strings.ReplaceAll(f.Message, f.Path, path)
		}
		f.Before = s.policy.Withhold(f.Kind, f.Path, f.Before)
		f.After = s.policy.Withhold(f.Kind, f.Path, f.After)
		f.Path = path
	}
	res.Notes, res.Skipped, res.Checks = slices.Clone(res.Notes), slices.Clone(res.Skipped), slices.Clone(res.Checks)
	return res
}

// ledger withholds confidential values in the ledger. It shares the entries of other kinds
// with the given ledger: only one ledger of a large run fits into memory.
func (s sealer) ledger(ledger result.Ledger) result.Ledger {
	ledger.Copies = slices.Clone(ledger.Copies)
	for i := range ledger.Copies {
		if s.policy.Covers(ledger.Copies[i].Kind) {
			s.copy(&ledger.Copies[i])
		}
	}
	return ledger
}

// copy withholds confidential values in one copy's ledger, on slices of its own.
func (s sealer) copy(c *result.CopyLedger) {
	c.Fields, c.Rows = slices.Clone(c.Fields), slices.Clone(c.Rows)
	for i := range c.Fields {
		f := &c.Fields[i]
		f.Value = s.policy.Withhold(c.Kind, f.Path, f.Value)
		f.Path = s.policy.Path(c.Kind, f.Path, s.salt)
	}
	for i := range c.Rows {
		row := &c.Rows[i]
		row.Requests, row.Views = slices.Clone(row.Requests), slices.Clone(row.Views)
		for j := range row.Requests {
			row.Requests[j].Warnings = slices.Clone(row.Requests[j].Warnings)
		}
		for j := range row.Views {
			row.Views[j].Diff = s.diff(c.Kind, row.Views[j].Diff)
			row.Views[j].Outcomes = s.states(c.Kind, row.Views[j].Outcomes)
		}
	}
}

// diff withholds confidential values in the differences of a view.
func (s sealer) diff(kind string, diff []result.Difference) []result.Difference {
	diff = slices.Clone(diff)
	for i := range diff {
		d := &diff[i]
		d.Before = s.policy.Withhold(kind, d.Path, d.Before)
		d.After = s.policy.Withhold(kind, d.Path, d.After)
		d.Path = s.policy.Path(kind, d.Path, s.salt)
	}
	return diff
}

// states withholds confidential paths of a view's states.
func (s sealer) states(kind string, states map[string]term.Outcome) map[string]term.Outcome {
	if states == nil {
		return nil
	}
	masked := make(map[string]term.Outcome, len(states))
	for _, path := range slices.Sorted(maps.Keys(states)) {
		masked[s.policy.Path(kind, path, s.salt)] = states[path]
	}
	return masked
}
