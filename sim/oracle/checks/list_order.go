package checks

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// order is a list that has all its elements, in another order.
type order struct {
	at            fieldpath.Path
	before, after []any
}

// reordered reports whether a value that is not where it was acknowledged only changed places
// with others: the list that it is in identifies elements by index alone, and holds the same
// elements in another order. That is one fact about the list, not a loss of its values.
func reordered(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss) (order, bool) {
	i := slices.IndexFunc(acked.Leaf.Path, func(e fieldpath.PathElement) bool { return e.Index != nil })
	if i < 0 {
		return order{}, false
	}
	o := order{at: acked.Leaf.Path[:i]}
	o.before = listIn(ev, acknowledgement(ev, acked), o.at)
	for _, role := range trace.NewestFirst() {
		for _, obs := range lost.Seen.Views[role] {
			o.after = listIn(ev, obs.Answer, o.at)
			if !slices.Equal(elementTexts(o.before), elementTexts(o.after)) && slices.Equal(inOneOrder(o.before), inOneOrder(o.after)) {
				return o, true
			}
		}
	}
	return order{}, false
}

// acknowledgement returns the answer that showed what a client had sent, else what it sent.
func acknowledgement(ev *trace.Evidence, acked *trace.AckedValue) string {
	x := ev.Acts[acked.Offered].Exchange
	if ev.History.HasObject(x.Answer) {
		return x.Answer
	}
	return x.Sent
}

func listIn(ev *trace.Evidence, digest string, at fieldpath.Path) []any {
	v, _ := path.Get(ev.History.Object(digest), at)
	list, _ := v.([]any)
	return list
}

func inOneOrder(list []any) []string {
	all := elementTexts(list)
	slices.Sort(all)
	return all
}

func elementTexts(list []any) []string {
	all := make([]string, len(list))
	for i, element := range list {
		all[i] = schema.Text(element)
	}
	return all
}

// orderFinding returns the finding about a list whose order changed.
func orderFinding(ev *trace.Evidence, tl *trace.Timeline, acked *trace.AckedValue, lost trace.Loss, o order) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckNothingLost, lost.Version.Step)
	f.Path, f.Outcome = path.String(o.at), term.Changed
	f.Cause = blame.CauseAt(ev, tl, acked, lost.Version)
	f.Class, f.Rule = blame.ClassOf(ev, tl, o.at)
	f.Before, f.After = blame.Redacted(ev, tl, f.Path, o.before), blame.Redacted(ev, tl, f.Path, o.after)
	f.AcknowledgedStep = acked.Offered
	f.Message = fmt.Sprintf("%s %s: the elements of %s, acknowledged in step %d (%s), are all there, and were put in another order %s: %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, f.AcknowledgedStep, servedBy(ev, f.AcknowledgedStep), when(ev, tl, f, lost), blame.WriterText(ev, tl, f, lost.Version),
		f.Cause, blame.CauseText(ev, f), f.Class, f.Rule)
	return f
}
