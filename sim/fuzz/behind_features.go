package fuzz

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// behindFeatures turns a violation into an impact if a release dropped the value in an
// earlier lap, and in this one keeps it, or reports another difference: the feature gates
// are the cause, whether or not a schema or the source says so of the field. A value that
// is dropped in both laps stays a violation.
func (l *lap) behindFeatures(ctx context.Context) error {
	for i, f := range l.result.Findings {
		if f.Class != term.Violation || f.Outcome != term.Dropped || slices.Contains(f.Laps, l.plan.name) || f.Object == nil {
			continue
		}
		t := l.travellerFrom(f.origin, Object{f.Kind, f.First})
		if t == nil {
			continue
		}
		c, a, err := t.Create(ctx, f.Object)
		if err != nil {
			return err
		}
		drops := c != nil && slices.ContainsFunc(NotAccepted(t.ValuesOf(t.Origin, runtime.DeepCopyJSON(f.Object)), c.Acknowledged), func(d Difference) bool {
			return Pattern(d.Path) == f.Path
		})
		if !drops && !statuscode.MayBeLast(a.Code) && a.Panic == nil {
			l.result.Findings[i].Class, l.result.Findings[i].Rule = term.Impact, term.RuleLifecycle
		}
		t.Clear(ctx)
	}
	return nil
}
