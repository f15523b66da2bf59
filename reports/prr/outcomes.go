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
	for _, f := range view.WorstFirst(found) {
		if text := m.outcome(f); !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

// outcome says what one finding is, and who did it.
func (m Measured) outcome(f result.Finding) string {
	what, release := m.subject(f), m.release(f.Via)
	kind := view.FirstOf(f.Kind, "object")
	switch f.State {
	case term.Lost:
		return fmt.Sprintf("%s is lost when %s", what, m.writer(f))
	case term.NotAccepted:
		if f.Verb.Creates() {
			return fmt.Sprintf("a new %s is created without %s through %s%s", kind, what, release, m.answered(f))
		}
		return fmt.Sprintf("%s drops %s from what clients send%s", release, what, m.answered(f))
	case term.Refused:
		if f.Verb.Creates() {
			return fmt.Sprintf("%s refuses to create a %s with %s%s", release, kind, what, m.answered(f))
		}
		return fmt.Sprintf("%s refuses writes of %s%s", release, what, m.answered(f))
	case term.Frozen:
		return fmt.Sprintf("a stored %s can no longer be written through %s", kind, release)
	case term.Undecodable:
		return fmt.Sprintf("%s cannot read a stored %s", release, kind)
	case term.Changed:
		return fmt.Sprintf("%s is changed when %s", what, m.writer(f))
	case term.Hidden:
		return fmt.Sprintf("%s hides %s, which stays stored", release, what)
	case term.Resurrected:
		return fmt.Sprintf("%s comes back", what)
	case term.Accepted:
		return fmt.Sprintf("%s accepts %s with its gate off", release, what)
	}
	return fmt.Sprintf("%s: %s, through %s", what, f.State.Text(), release)
}

// subject is what a finding is about.
func (m Measured) subject(f result.Finding) string {
	if f.Path == "" {
		return "the " + view.FirstOf(f.Kind, "object")
	}
	return markdown.Code(view.Visible(f.Path))
}

// release is the version of a release, or which one it is.
func (m Measured) release(role term.Role) string {
	if version := roleVersions(m)[role]; version != "" {
		return markdown.Prose(version)
	}
	if role == "" {
		return "a server"
	}
	return "the " + string(role) + " release"
}

// writer says who writes when a value goes.
func (m Measured) writer(f result.Finding) string {
	role, typed := f.Client.Role()
	switch {
	case typed && slices.Contains([]term.Cause{term.ClientOmitted, term.ListReplaced, term.ApplyReleased, term.Misread}, f.Cause):
		return "clients of " + m.release(role) + " write the object"
	case f.Cause == term.ReadHidden:
		return "clients that read through " + m.release(f.Read) + " write the object"
	}
	return "servers of " + m.release(f.Via) + " write the object"
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
