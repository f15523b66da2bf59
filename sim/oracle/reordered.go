package oracle

import (
	"fmt"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// order is a list whose elements are all still there, in another order.
type order struct {
	at            fieldpath.Path
	before, after []any
}

// reordered tells whether a value that is not where it was acknowledged only
// changed places with others: the plain list that it is in, whose elements have
// no names but their indexes, holds the same elements in another order. That is
// one fact about the list, not a loss of what is in it.
func (e *evidence) reordered(l *life, n *entry, lost loss) (order, bool) {
	i := slices.IndexFunc(n.leaf.Path, func(e fieldpath.PathElement) bool { return e.Index != nil })
	if i < 0 {
		return order{}, false
	}
	o := order{at: n.leaf.Path[:i]}
	o.before = e.listIn(e.acknowledgement(n), o.at)
	for _, role := range newestFirst() {
		for _, s := range lost.seen.views[role] {
			o.after = e.listIn(s.answer, o.at)
			if !slices.Equal(elementTexts(o.before), elementTexts(o.after)) && slices.Equal(inOneOrder(o.before), inOneOrder(o.after)) {
				return o, true
			}
		}
	}
	return order{}, false
}

// acknowledgement is the answer that showed what a client had sent, else what it sent.
func (e *evidence) acknowledgement(n *entry) string {
	x := e.acts[n.offered].Exchange
	if e.history.HasObject(x.Answer) {
		return x.Answer
	}
	return x.Sent
}

func (e *evidence) listIn(digest string, at fieldpath.Path) []any {
	v, _ := path.Get(e.history.Object(digest), at)
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

// orderFinding tells of a list whose order changed.
func (e *evidence) orderFinding(l *life, n *entry, lost loss, o order) result.Finding {
	f := e.finding(l, term.NothingLost, lost.version.step)
	f.Path, f.State = path.String(o.at), term.Changed
	f.Cause = e.causeAt(l, n, lost.version)
	f.Class, f.Rule = e.class(l, o.at)
	f.Before, f.After = e.shown(l, f.Path, o.before), e.shown(l, f.Path, o.after)
	f.AcknowledgedStep = n.offered
	f.Message = fmt.Sprintf("%s %s: the elements of %s, acknowledged in step %d (%s), are all there, and were put in another order %s: %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Path, f.AcknowledgedStep, e.servedBy(f.AcknowledgedStep), e.when(l, f, lost), e.wrote(l, f, lost.version),
		f.Cause, e.why(f), f.Class, f.Rule)
	return f
}
