package oracle

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// converts tells whether the plan writes an object through another API version
// than its own, which the release that it is to go through serves.
func converts(e *evidence, steps []int) bool {
	return slices.ContainsFunc(steps, func(number int) bool {
		step := e.steps[number].step
		return e.throughAnotherVersion(number) && e.mayServe(step.ViaRole, step.APIVersion)
	})
}

// mayServe tells whether a release serves a version, as far as is known of it.
func (e *evidence) mayServe(role term.Role, apiVersion string) bool {
	published := e.history.Releases[role].Schemas
	return published == nil || published[apiVersion] != "" // an empty map is of one that serves none that was asked for
}

// mayServeKind tells whether a release serves a kind in a version, as far as is known
// of it.
func (e *evidence) mayServeKind(role term.Role, apiVersion, kind string) bool {
	_, publishes := e.schemas[role].Kind(apiVersion, kind)
	return e.mayServe(role, apiVersion) && (publishes || e.history.Releases[role].Schemas == nil)
}

// throughAnotherVersion tells whether a step writes its copy through another
// API version than that of the copy's manifest.
func (e *evidence) throughAnotherVersion(number int) bool {
	step := e.steps[number].step
	l := e.calls.lives[step.Copy]
	return l != nil && step.Action == plan.Operate && step.Verb.Writes() && !step.Verb.Deletes() &&
		step.APIVersion != "" && step.APIVersion != l.manifest.APIVersion
}

// byConversion tells whether a loss is that of the conversion between versions:
// the write went through another version, and nothing else accounts for it.
func (e *evidence) byConversion(l *life, n *entry, lost loss) bool {
	if !e.throughAnotherVersion(lost.version.step) {
		return false
	}
	cause := e.cause(l, n, lost.version.step)
	return (cause == term.Unattributed || cause == term.Converted) && !e.doneAnyway(l, n, lost)
}

// doneAnyway tells whether the same release did the very same to the value of an
// equal object which was written in that object's own version, and nothing accounts
// for it: then it is the server's doing, and none of the conversion's.
func (e *evidence) doneAnyway(l *life, n *entry, lost loss) bool {
	role := e.acts[lost.version.step].Role
	for _, other := range e.byCopy {
		if other.copy.Manifest != l.copy.Manifest || other == l {
			continue
		}
		for _, m := range other.entries {
			if m.name != n.name || m.leaf.Semantic != n.leaf.Semantic {
				continue
			}
			for _, its := range m.losses {
				step := its.version.step
				alike := its.after.Semantic == lost.after.Semantic && e.acts[step].Role == role
				if alike && step > 0 && !e.throughAnotherVersion(step) && e.cause(other, m, step) == term.Unattributed {
					return true
				}
			}
		}
	}
	return false
}

// rule4 judges that an object which is written through another version than
// its own keeps what it held. Its facts are its values at each such write.
func rule4(e *evidence) judged {
	var j judged
	for _, l := range e.byCopy {
		told := telling{j: &j, said: map[string]bool{}}
		for _, n := range l.entries {
			if !n.acknowledged {
				continue
			}
			j.facts += e.converted(l, n)
			for _, lost := range n.losses {
				if e.byConversion(l, n, lost) {
					for _, f := range e.conversionFindings(l, n, lost) {
						told.tell(f, lost.version)
					}
				}
			}
		}
	}
	return j
}

// converted counts the writes through other versions that a value went through.
func (e *evidence) converted(l *life, n *entry) int {
	writes := 0
	for _, step := range l.acts {
		if step > n.offered && (n.withdrawn == 0 || step < n.withdrawn) && e.throughAnotherVersion(step) && e.acts[step].Exchange.Succeeded() {
			writes++
		}
	}
	return writes
}

// conversionFindings are the facts about one loss. A value whose place a default
// took was lost by the conversion, and then changed.
func (e *evidence) conversionFindings(l *life, n *entry, lost loss) []result.Finding {
	f := e.conversionFinding(l, n, lost)
	if lost.state != term.Changed || !e.defaulted(l, n, lost) {
		return []result.Finding{f}
	}
	gone := lost
	gone.state = term.Lost
	f.Cause = term.Defaulted
	f.Message = e.conversionMessage(l, n, lost, f)
	return []result.Finding{e.conversionFinding(l, n, gone), f}
}

func (e *evidence) conversionFinding(l *life, n *entry, lost loss) result.Finding {
	f := e.lossFinding(l, n, lost)
	f.Check, f.Rule, f.Class, f.Cause = term.CheckRule4, term.Rule4, term.Violation, term.Converted
	f.Message = e.conversionMessage(l, n, lost, f)
	return f
}

func (e *evidence) conversionMessage(l *life, n *entry, lost loss, f result.Finding) string {
	became := "was lost"
	if f.State == term.Changed {
		became = "became " + schema.Text(f.After)
	}
	if _, moved := e.reordered(l, n, lost); moved {
		became = "has all its elements, in another order: " + schema.Text(f.After)
	}
	return fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s) in %s, %s when step %d (%s: %s) wrote it through %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.AcknowledgedStep, e.servedBy(f.AcknowledgedStep), l.manifest.APIVersion, became,
		f.Step, f.Stage, e.made(f.Step), e.steps[f.Step].step.APIVersion, f.Cause, e.why(f), f.Class, f.Rule)
}
