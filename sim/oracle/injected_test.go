package oracle_test

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

func injections() []injection {
	return slices.Concat(lossesAndChanges(), failures(), broken(), trials(), misattributions(), appearances())
}

func lossesAndChanges() []injection {
	return []injection{
		{
			name: "a value missing from one answer",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				x := run.Exchange(at.Number, history.Look, "a")
				x.Answer = run.Edited(x.Answer, g.text, nil)
				rule := term.Rule6 // through the new release it is not a rollback's
				if roleOf(run, at, "a") == term.New {
					rule = term.Rule2
				}
				return fmt.Sprintf("nothing-lost violation %s hidden unattributed %s %s in step %d", rule, at.Copy, g.text, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				x := run.Exchange(at.Number, history.Look, "a")
				x.Answer = run.Edited(x.Answer, owned, int64(99))
			},
		},
		{
			name: "a value missing from every answer of a version and after",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				everywhere(run, at, g.text, nil)
				return bystander("lost unattributed %s %s", at, g)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { everywhere(run, at, owned, int64(99)) },
		},
		{
			name: "a value changed",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				everywhere(run, at, g.text, "another")
				return bystander("changed unattributed %s %s", at, g)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				everywhere(run, at, ".metadata.resourceVersion", "9")
				everywhere(run, at, ".metadata.managedFields", []any{oracletest.Object{"manager": "m", "time": "2000-01-01T00:00:00Z"}})
			},
		},
		{
			name: "a value that its create is not answered with", at: births,
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				everywhere(run, at, g.text, nil)
				return fmt.Sprintf("nothing-lost violation rule-2 dropped unattributed %s %s in step %d", at.Copy, g.text, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { everywhere(run, at, owned, int64(99)) },
		},
		{
			name: "a value hidden by one release",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				if roleOf(run, at, "a") == roleOf(run, at, "b") {
					return ""
				}
				for _, replica := range []string{"a", "b"} {
					if roleOf(run, at, replica) == term.Old {
						x := run.Exchange(at.Number, history.Look, replica)
						x.Answer = run.Edited(x.Answer, g.text, nil)
					}
				}
				return bystander("hidden unattributed %s %s", at, g)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				x := run.Exchange(at.Number, history.Look, "b")
				x.Answer = run.Edited(x.Answer, owned, int64(99))
			},
		},
	}
}

func roleOf(run *oracletest.Run, step plan.Step, replica string) term.Role {
	for _, stage := range run.History.Header.Plan.Stages {
		for _, one := range stage.Steps {
			for _, r := range stage.Replicas {
				if one.Number == step.Number && r.Replica == replica {
					return r.Role
				}
			}
		}
	}
	return ""
}

const undecodable = "everything-decodes violation storage undecodable"

func lastListing(run *oracletest.Run) *history.Listing {
	return &run.History.Listings[len(run.History.Listings)-1]
}

// firstTouch is for what is about no copy: once is enough.
func firstTouch(run *oracletest.Run) []plan.Step { return touches(run)[:1] }

// triedGet is the GET of a copy in a scratch store, or nil.
func triedGet(run *oracletest.Run, name string) *history.Trial {
	i := slices.IndexFunc(run.History.Trials, func(t history.Trial) bool { return t.Trial == history.TrialGet && t.Copy == name })
	if i < 0 {
		return nil
	}
	return &run.History.Trials[i]
}

// failures are answers about one copy other than the object.
func failures() []injection {
	return []injection{
		{
			name: "a GET answered 500",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				oracletest.Fail(run.Exchange(at.Number, history.Look, "b"), 500, "illegal tag 0")
				return fmt.Sprintf(undecodable+" unattributed %s  in step %d", at.Copy, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				run.Exchange(at.Number, history.Look, "b").Warnings = []string{"odd"}
			},
		},
		{
			name: "a write answered 500",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				x := run.Exchange(at.Number, history.Act, at.Via)
				*x = history.Exchange{Method: x.Method, Sent: x.Sent, Code: 500, Message: "boom"}
				return fmt.Sprintf("%%s violation %%s failed unattributed %s  in step %d", at.Copy, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				for i := range run.History.Operations { // a conflict came before it, and another turn was taken
					if op := &run.History.Operations[i]; op.Step == at.Number && op.Purpose == history.Act {
						op.Turn = 1
						first := *op
						first.Turn = 0
						oracletest.Fail(&first.Exchange, 409, "conflict")
						run.History.Operations = append(run.History.Operations, first)
						return
					}
				}
			},
		},
		{
			name: "a copy that is gone",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				oracletest.Fail(run.Exchange(at.Number, history.Look, "a"), 404, "not found")
				return fmt.Sprintf("everything-decodes violation storage lost unattributed %s  in step %d", at.Copy, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				early := history.Operation{Step: 1, Copy: at.Copy, Purpose: history.Look, Replica: "a", Role: term.Old}
				oracletest.Fail(&early.Exchange, 404, "not found") // before it was made
				run.History.Operations = append(run.History.Operations, early)
			},
		},
	}
}

// broken are LISTs that do not show what they should.
func broken() []injection {
	return []injection{
		{
			name: "a LIST answered 500", at: firstTouch,
			inject: func(run *oracletest.Run, _ cleanRun, _ plan.Step) string {
				l := lastListing(run)
				l.Items = nil
				oracletest.Fail(&l.Exchange, 500, "illegal tag 0")
				return fmt.Sprintf(undecodable+" unattributed   in step %d", l.Step)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, _ plan.Step) { slices.Reverse(lastListing(run).Items) },
		},
		{
			name: "a copy that a LIST leaves out",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				l := lastListing(run)
				l.Items = slices.DeleteFunc(l.Items, func(item history.Item) bool { return item.Copy == at.Copy })
				return fmt.Sprintf("everything-decodes violation storage lost unattributed %s  in step %d", at.Copy, l.Step)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, _ plan.Step) {
				l := lastListing(run)
				l.Items = append(l.Items, history.Item{Copy: "another's", Revision: 1, Answer: l.Items[0].Answer})
			},
		},
	}
}

// trials are what is tried beside the run's own calls, and what a watch shows.
func trials() []injection {
	return []injection{
		{
			name: "a trial answered 500",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				t := triedGet(run, at.Copy)
				if t == nil {
					return ""
				}
				t.Code, t.Answer, t.Message = 500, "", "illegal tag 0"
				return fmt.Sprintf(undecodable+" unattributed %s  in step %d", at.Copy, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { triedGet(run, at.Copy).Seconds++ },
		},
		{
			name: "an attempt answered 422",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				i := slices.IndexFunc(run.History.Operations, func(op history.Operation) bool {
					return op.Purpose == history.Try && op.Copy == at.Copy && op.Attempt == term.LabelAttempt
				})
				if i < 0 {
					return ""
				}
				oracletest.Fail(&run.History.Operations[i].Exchange, 422, "spec: Forbidden")
				return fmt.Sprintf("stays-writable violation stays-writable frozen unattributed %s  in step %d", at.Copy, run.History.Operations[i].Step)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				for i := range run.History.Operations {
					if op := &run.History.Operations[i]; op.Purpose == history.Try && op.Copy == at.Copy {
						op.Exchange.Warnings = []string{"odd"}
					}
				}
			},
		},
		{
			name: "an event missing from a watch",
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				i := slices.IndexFunc(run.History.Watches, func(w history.Watch) bool { return w.Copy == at.Copy && w.Revision == revisionOf(run, at) })
				if i < 0 || !goesOn(run, run.History.Watches[i]) {
					return "" // the watch may have been closed before it
				}
				run.History.Watches = slices.Delete(run.History.Watches, i, i+1)
				return fmt.Sprintf("everything-decodes violation storage %%s %s  in step %%s", at.Copy)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, _ plan.Step) {
				i := slices.IndexFunc(run.History.Watches, func(w history.Watch) bool { return w.Event == history.WatchOpened })
				bookmark := run.History.Watches[i]
				bookmark.Event, bookmark.Revision = history.WatchBookmark, bookmark.Revision+1
				run.History.Watches = slices.Insert(run.History.Watches, i+1, bookmark)
			},
		},
	}
}

// goesOn reports whether a watch showed something after an event.
func goesOn(run *oracletest.Run, event history.Watch) bool {
	return slices.ContainsFunc(run.History.Watches, func(w history.Watch) bool {
		return w.Step == event.Step && w.Replica == event.Replica && w.Kind == event.Kind && w.Copy != "" && w.Revision > event.Revision
	})
}

// misattributions are records that say of a write that it was another's.
func misattributions() []injection {
	treated := func(run *oracletest.Run) []plan.Step { return lossesOf(run) }
	return []injection{
		{
			name: "revisions swapped between two writes", at: treated, contradicts: true,
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				other := touches(run)[0]
				x, y := run.Exchange(at.Number, history.Act, at.Via), run.Exchange(other.Number, history.Act, other.Via)
				x.Revision, y.Revision = y.Revision, x.Revision
				return fmt.Sprintf("nothing-lost impact rule-6 lost unattributed %s %%s in step 0", at.Copy)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				other := touches(run)[0]
				x, y := run.Exchange(at.Number, history.Act, at.Via), run.Exchange(other.Number, history.Act, other.Via)
				x.Seconds, y.Seconds = y.Seconds, x.Seconds
			},
		},
		{
			name: "a loss said to be through the other release", at: treated,
			inject: func(run *oracletest.Run, _ cleanRun, at plan.Step) string {
				for i := range run.History.Operations {
					if op := &run.History.Operations[i]; op.Step == at.Number && op.Purpose == history.Act {
						op.Role = term.New
					}
				}
				return fmt.Sprintf("nothing-lost impact rule-6 lost %%s %s %%s in step %d", at.Copy, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) {
				for i := range run.History.Operations {
					if op := &run.History.Operations[i]; op.Step == at.Number && op.Purpose == history.Act {
						op.Exchange.Path += "?pretty"
					}
				}
			},
		},
		{
			name: "a change that no step made",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				ownWrite(run, at.Copy, g.text, nil)
				return fmt.Sprintf("nothing-lost violation rule-6 lost unattributed %s %s in step 0", at.Copy, g.text)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { ownWrite(run, at.Copy, owned, int64(99)) },
		},
	}
}

// lossesOf are steps that lose a value through the old release, as expected.
func lossesOf(run *oracletest.Run) []plan.Step {
	res := found(run)
	var all []plan.Step
	seen := map[term.Verb]bool{}
	for _, f := range res.Findings {
		if f.Cause == term.UnknownField && f.Outcome == term.Lost && !seen[f.Verb] {
			seen[f.Verb] = true
			all = append(all, *run.PlannedStep(f.Step))
		}
	}
	return all
}

// appearances are values that nobody sent, or that were gone.
func appearances() []injection {
	untouched := func(run *oracletest.Run) []plan.Step {
		for _, c := range run.History.Header.Plan.Copies {
			if c.Role == term.Untouched {
				return []plan.Step{{Copy: c.Name}}
			}
		}
		return nil
	}
	hide := func(run *oracletest.Run, at plan.Step, what string, value any) {
		stages := map[int]string{}
		for _, stage := range run.History.Header.Plan.Stages {
			for _, step := range stage.Steps {
				stages[step.Number] = stage.Name
			}
		}
		for i := range run.History.Listings {
			for j := range run.History.Listings[i].Items {
				if item := &run.History.Listings[i].Items[j]; item.Copy == at.Copy && stages[run.History.Listings[i].Step] == "rolled-back" {
					item.Answer = run.Edited(item.Answer, what, value)
				}
			}
		}
	}
	return []injection{
		{
			name: "a value that comes back", at: untouched,
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				hide(run, at, g.text, nil)
				return fmt.Sprintf("resurrection violation resurrection resurrected unattributed %s %s in step %%s", at.Copy, g.text)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { hide(run, at, owned, int64(99)) },
		},
		{
			name: "a default in a value's place",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				if g.defaulted == "" {
					return ""
				}
				everywhere(run, at, g.defaulted, g.after)
				return fmt.Sprintf("nothing-lost violation rule-6 changed defaulted %s %s in step %d", at.Copy, g.defaulted, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { everywhere(run, at, owned, int64(99)) },
		},
		{
			name: "a default where nothing was",
			inject: func(run *oracletest.Run, g cleanRun, at plan.Step) string {
				if g.appears == "" {
					return ""
				}
				everywhere(run, at, g.appears, "v")
				return fmt.Sprintf("rule-2 violation rule-2 changed defaulted %s %s in step %d", at.Copy, g.appears, at.Number)
			},
			mutant: func(run *oracletest.Run, _ cleanRun, at plan.Step) { everywhere(run, at, owned, int64(99)) },
		},
	}
}
