package checks

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// Converts reports whether the plan writes an object through another API version than its own,
// which the called release serves.
func Converts(ev *trace.Evidence, steps []int) bool {
	return slices.ContainsFunc(steps, func(number int) bool {
		step := ev.Steps[number].Step
		return throughAnotherVersion(ev, number) && ev.MayServe(step.ViaRole, step.APIVersion)
	})
}

// throughAnotherVersion reports whether a step writes its copy through another
// API version than that of the copy's manifest.
func throughAnotherVersion(ev *trace.Evidence, number int) bool {
	step := ev.Steps[number].Step
	tl := ev.ByCopy[step.Copy]
	return tl != nil && step.Action == plan.Operate && step.Verb.Writes() && !step.Verb.Deletes() &&
		step.APIVersion != "" && step.APIVersion != tl.Manifest.APIVersion
}

// byConversion reports whether the conversion between versions caused a loss: the write used
// another version, and there is no other cause.
func byConversion(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
	if !throughAnotherVersion(ev, lost.Version.Step) {
		return false
	}
	cause := blame.CauseOf(ev, tl, acked, lost.Version.Step)
	return (cause == term.Unattributed || cause == term.Converted) && !doneAnyway(ev, tl, acked, lost)
}

// doneAnyway reports whether the same release did the same to the value of an equal object that
// was written in that object's own version, without another cause: then the server causes the
// loss, not the conversion.
func doneAnyway(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) bool {
	role := ev.Acts[lost.Version.Step].Role
	for _, other := range ev.Timelines {
		if other.Copy.Manifest != tl.Copy.Manifest || other == tl {
			continue
		}
		for _, m := range other.AckedValues {
			if m.Name != acked.Name || m.Leaf.Semantic != acked.Leaf.Semantic {
				continue
			}
			for _, its := range m.Losses {
				step := its.Version.Step
				alike := its.After.Semantic == lost.After.Semantic && ev.Acts[step].Role == role
				if alike && step > 0 && !throughAnotherVersion(ev, step) && blame.CauseOf(ev, other, m, step) == term.Unattributed {
					return true
				}
			}
		}
	}
	return false
}

// Rule4 judges that an object which is written through another version than its own keeps its
// values. Its facts are its values at each such write.
func Rule4(ev *trace.Evidence) blame.Judged {
	var j blame.Judged
	for _, tl := range ev.Timelines {
		told := blame.Collector{J: &j, Said: map[string]bool{}}
		for _, acked := range tl.AckedValues {
			if !acked.Acknowledged {
				continue
			}
			j.Facts += converted(ev, tl, acked)
			for _, lost := range acked.Losses {
				if byConversion(ev, tl, acked, lost) {
					for _, f := range conversionFindings(ev, tl, acked, lost) {
						told.Add(f, lost.Version)
					}
				}
			}
		}
	}
	return j
}

// converted counts the writes in other versions that a value went through.
func converted(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue) int {
	writes := 0
	for _, step := range tl.Acts {
		if step > acked.Offered && (acked.Withdrawn == 0 || step < acked.Withdrawn) && throughAnotherVersion(ev, step) && ev.Acts[step].Exchange.Succeeded() {
			writes++
		}
	}
	return writes
}

// conversionFindings returns the findings about one loss. A value that a default replaced was
// lost by the conversion, and then changed.
func conversionFindings(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) []result.Finding {
	f := conversionFinding(ev, tl, acked, lost)
	if lost.Outcome != term.Changed || !defaulted(ev, tl, acked, lost) {
		return []result.Finding{f}
	}
	gone := lost
	gone.Outcome = term.Lost
	f.Cause = term.Defaulted
	f.Message = conversionMessage(ev, tl, acked, lost, f)
	return []result.Finding{conversionFinding(ev, tl, acked, gone), f}
}

func conversionFinding(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) result.Finding {
	f := lossFinding(ev, tl, acked, lost)
	f.Check, f.Rule, f.Class, f.Cause = term.CheckRule4, term.Rule4, term.Violation, term.Converted
	f.Message = conversionMessage(ev, tl, acked, lost, f)
	return f
}

func conversionMessage(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss, f result.Finding) string {
	became := "was lost"
	if f.Outcome == term.Changed {
		became = "became " + schema.Text(f.After)
	}
	if _, moved := reordered(ev, tl, acked, lost); moved {
		became = "has all its elements, in another order: " + schema.Text(f.After)
	}
	return fmt.Sprintf("%s %s: %s = %s, acknowledged in step %d (%s) in %s, %s when step %d (%s: %s) wrote it through %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, schema.Text(f.Before), f.AcknowledgedStep, servedBy(ev, f.AcknowledgedStep), tl.Manifest.APIVersion, became,
		f.Step, f.Stage, blame.StepText(ev, f.Step), ev.Steps[f.Step].Step.APIVersion, f.Cause, blame.CauseText(ev, f), f.Class, f.Rule)
}
