package reports

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// The oracle gives fingerprints for the values of Secrets. The functions here
// make sure of it, since a report leaves the machine: a value that is none is
// withheld, and so is one that a server's message repeats.

// Sealed returns the run with nothing of a Secret in its Result and Ledger.
// Bodies are sealed where they are drawn. Writers that take a Run seal it
// themselves; JSON and LedgerJSON, which see no bodies, are given the Result
// and Ledger of what New or Sealed returned.
func Sealed(r Run) Run {
	r.Result = sealResult(r.Result)
	r.Ledger = sealLedger(r.Ledger)
	if values := r.confidential(); len(values) > 0 {
		scrub(&r, redact.Scrubber(values))
	}
	return r
}

// confidential collects what the bodies of Secrets hold.
func (r Run) confidential() []string {
	var values []string
	for _, m := range r.Plan.Manifests {
		values = append(values, redact.Values(m.Kind, m.Body)...)
	}
	for _, c := range r.Ledger.Copies {
		if c.Kind != redact.Kind {
			continue
		}
		for _, digest := range digests(c) {
			if body, ok := r.decoded(digest); ok {
				values = append(values, redact.Values(c.Kind, body)...)
			}
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// digests lists the bodies that were sent, answered and served for a copy.
func digests(c result.CopyLedger) []string {
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

// scrub takes the confidential values out of every sentence about a Secret
// that a server, or the oracle quoting it, may have put them in. Other
// sentences stay: a value may be a word like any other.
func scrub(r *Run, values *strings.Replacer) {
	for i := range r.Result.Findings {
		if f := &r.Result.Findings[i]; f.Kind == redact.Kind {
			f.Message = values.Replace(f.Message)
		}
	}
	for i := range r.Ledger.Copies {
		if r.Ledger.Copies[i].Kind != redact.Kind {
			continue
		}
		for j := range r.Ledger.Copies[i].Rows {
			scrubRow(&r.Ledger.Copies[i].Rows[j], values)
		}
	}
}

// scrubRow scrubs one row of the ledger. Its slices are the run's own by now.
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

// sealResult withholds what findings would show of Secrets.
func sealResult(res result.Result) result.Result {
	res.Findings = slices.Clone(res.Findings)
	for i := range res.Findings {
		f := &res.Findings[i]
		f.Before = redact.Withhold(f.Kind, f.Path, f.Before)
		f.After = redact.Withhold(f.Kind, f.Path, f.After)
	}
	return res
}

// sealLedger withholds what the ledger would show of Secrets. What is of other
// kinds is shared with the ledger that was given: a large run's fits into
// memory once.
func sealLedger(ledger result.Ledger) result.Ledger {
	ledger.Copies = slices.Clone(ledger.Copies)
	for i := range ledger.Copies {
		if ledger.Copies[i].Kind == redact.Kind {
			sealCopy(&ledger.Copies[i])
		}
	}
	return ledger
}

// sealCopy withholds what one copy's ledger would show, on slices of its own.
func sealCopy(c *result.CopyLedger) {
	c.Fields, c.Rows = slices.Clone(c.Fields), slices.Clone(c.Rows)
	for i := range c.Fields {
		c.Fields[i].Value = redact.Withhold(c.Kind, c.Fields[i].Path, c.Fields[i].Value)
	}
	for i := range c.Rows {
		row := &c.Rows[i]
		row.Requests, row.Views = slices.Clone(row.Requests), slices.Clone(row.Views)
		for j := range row.Requests {
			row.Requests[j].Warnings = slices.Clone(row.Requests[j].Warnings)
		}
		for j := range row.Views {
			row.Views[j].Diff = sealDiff(c.Kind, row.Views[j].Diff)
		}
	}
}

// sealDiff withholds what the differences of a view would show.
func sealDiff(kind string, diff []result.Difference) []result.Difference {
	diff = slices.Clone(diff)
	for i := range diff {
		diff[i].Before = redact.Withhold(kind, diff[i].Path, diff[i].Before)
		diff[i].After = redact.Withhold(kind, diff[i].Path, diff[i].After)
	}
	return diff
}
