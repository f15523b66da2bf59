package prr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/document"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// maxOutcomes is how many outcomes an answer has in sight; the details have all.
const maxOutcomes = 6

// outcomesOf says what findings are, each outcome with its actor once, the worst first.
func (m Measured) outcomesOf(found []result.Finding) (all []string) {
	outcomes := view.Outcomes{Versions: view.VersionsOf(m.result), Code: document.CodeSpan, Prose: document.ProseOf, Answered: m.answered}
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

// harmsUser reports whether a finding says that a stored object that uses the change lost a value, or cannot be read
// or written as before.
func harmsUser(f result.Finding) bool {
	if f.CopyRole == term.Bystander || f.CopyRole == term.Control {
		return false
	}
	return slices.Contains([]term.Outcome{term.Lost, term.Changed, term.Frozen, term.Undecodable, term.Panicked, term.Failed, term.Hidden, term.Varies}, f.Outcome) ||
		f.Outcome == term.Refused && !f.Verb.Creates()
}

// keeps says what stays of stored objects if none of some findings says otherwise; "" if one does.
func (m Measured) keeps(found []result.Finding) string {
	if slices.ContainsFunc(found, harmsUser) || len(m.kinds) == 0 {
		return ""
	}
	return fmt.Sprintf("stored %s objects keep the value and can be written", strings.Join(m.kinds, ", "))
}

// stillServes says what later roll-outs left of the values that were stored before a roll-out, as far as objects that
// use the change have them; "" if none was stored, or if findings say that what is served cannot be written.
func (m Measured) stillServes(turn string, found []result.Finding) string {
	stored := m.storedBefore(turn)
	total := 0
	for state, n := range stored {
		if state != term.Withdrawn {
			total += n
		}
	}
	_, writable := m.checkWords(term.CheckStaysWritable)
	unwritable := slices.ContainsFunc(found, func(f result.Finding) bool {
		return f.Outcome == term.Frozen || harmsUser(f) && f.Outcome == term.Refused
	})
	var words string
	switch kept := stored[term.Kept]; {
	case total == 0:
		return ""
	case kept == total:
		words = "values that were stored before are still served"
	default:
		words = fmt.Sprintf("of %s that were stored before %d are still served", term.Numbered(total, "value"), kept)
	}
	if writable && !unwritable {
		words += ", and their objects can be written"
	}
	return words
}

// storedBefore counts the values that were acknowledged before a roll-out began by their states at the end.
func (m Measured) storedBefore(turn string) map[term.Outcome]int {
	all := map[term.Outcome]int{}
	for _, name := range slices.Concat([]string{""}, namesOf(m.turns)) {
		if name == turn {
			break
		}
		for state, n := range m.stored[name] {
			all[state] += n
		}
	}
	return all
}

func namesOf(turns []rollOut) (names []string) {
	for _, t := range turns {
		names = append(names, t.name)
	}
	return names
}

// storedIn counts the acknowledged values of objects that use the change by the roll-out that stored them, "" for none,
// and by their states at the end.
func storedIn(r view.Run, phases map[string]string) map[string]map[term.Outcome]int {
	all := map[string]map[term.Outcome]int{}
	uses := usesOf(r)
	for _, c := range r.Ledger.Copies {
		turns := map[int]string{}
		for _, row := range c.Rows {
			turns[row.Step] = phases[row.Stage]
		}
		for _, f := range c.Fields {
			turn, known := turns[f.Step]
			if f.Step == 0 || !known || !slices.ContainsFunc(c.Rows, func(row result.Row) bool { return uses(c, row) }) {
				continue
			}
			if all[turn] == nil {
				all[turn] = map[term.Outcome]int{}
			}
			all[turn][f.Outcome]++
		}
	}
	return all
}
