package prr

import (
	"net/http"
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// usersOf counts the objects that were created and used the change, as far as the scenario
// says what uses it: its treated forms, and the values that its lines set and patch. A run
// without any proves nothing about users of the change.
func usersOf(r view.Run) (users int) {
	uses := usesOf(r)
	for _, c := range r.Ledger.Copies {
		if slices.ContainsFunc(c.Rows, func(row result.Row) bool { return uses(c, row) && wrote(row) }) {
			users++
		}
	}
	return users
}

// usesOf returns a function that reports whether a copy uses the change by a row.
func usesOf(r view.Run) func(result.CopyLedger, result.Row) bool {
	treated, sets := map[string]bool{}, map[int]bool{}
	form := map[string]string{}
	for _, c := range r.Plan.Copies {
		form[c.Name] = c.Manifest
		treated[c.Manifest] = treated[c.Manifest] || c.Role == term.Treated
	}
	for _, stage := range r.Plan.Stages {
		for _, step := range stage.Steps {
			sets[step.Number] = step.Change != nil && (step.Change.Kind == plan.Fields || step.Change.Kind == plan.Body)
		}
	}
	return func(c result.CopyLedger, row result.Row) bool {
		return c.Role != term.Control && treated[form[c.Copy]] || sets[row.Step]
	}
}

// wrote reports whether a request of the row wrote, and was answered with success.
func wrote(row result.Row) bool {
	return slices.ContainsFunc(row.Requests, func(q result.Request) bool {
		return q.Method != http.MethodGet && q.Code >= http.StatusOK && q.Code < http.StatusMultipleChoices
	})
}
