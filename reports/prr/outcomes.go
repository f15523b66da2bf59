package prr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/markdown"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// maxOutcomes is how many outcomes an answer has in sight; the details have all.
const maxOutcomes = 6

// outcomesOf says what findings are, each outcome with its actor once, the worst first.
func (m Measured) outcomesOf(found []result.Finding) (all []string) {
	outcomes := view.Outcomes{Versions: view.VersionsOf(m.result), Code: markdown.Code, Prose: markdown.Prose, Answered: m.answered}
	for _, f := range view.WorstFirst(found) {
		if text := outcomes.Sentence(f); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// answered says how the server answered the request of a finding: its code and warnings; "" if that is not
// recorded.
func (m Measured) answered(f result.Finding) string {
	answer, known := m.answers[stepOf{f.Copy, f.Step}]
	switch {
	case !known:
		return ""
	case answer.warned:
		return fmt.Sprintf(", %d with a warning", answer.code)
	case answer.code >= 400:
		return fmt.Sprintf(", %d", answer.code)
	}
	return fmt.Sprintf(", %d and no warning", answer.code)
}

// stepOf is a step on a copy.
type stepOf struct {
	copy string
	step int
}

// answer is what a server answered to the last request of a step.
type answer struct {
	code   int
	warned bool
}

// answersTo returns the answers to the steps that findings are about.
func answersTo(ledger result.Ledger, findings []result.Finding) map[stepOf]answer {
	wanted, all := map[stepOf]bool{}, map[stepOf]answer{}
	for _, f := range findings {
		wanted[stepOf{f.Copy, f.Step}] = true
	}
	for _, c := range ledger.Copies {
		for _, row := range c.Rows {
			at := stepOf{c.Copy, row.Step}
			if !wanted[at] || row.Edge || len(row.Requests) == 0 {
				continue
			}
			last := row.Requests[len(row.Requests)-1]
			all[at] = answer{last.Code, len(last.Warnings) > 0}
		}
	}
	return all
}

// keeps says what stays of stored objects if none of some findings says otherwise; "" if one does.
func (m Measured) keeps(found []result.Finding) string {
	harmed := slices.ContainsFunc(found, func(f result.Finding) bool {
		return slices.Contains([]term.State{term.Lost, term.Changed, term.Frozen, term.Undecodable, term.Panicked, term.Failed, term.Hidden, term.Varies}, f.State) ||
			f.State == term.Refused && !f.Verb.Creates()
	})
	if harmed || len(m.kinds) == 0 {
		return ""
	}
	return fmt.Sprintf("stored %s objects keep the value and can be written", strings.Join(m.kinds, ", "))
}
