package oracle

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// ledger returns what reports draw: for each copy its values and, row by row, what happened, what
// each replica then served, and what etcd held. It is computed last and discards the evidence of
// a copy when its rows are drawn, so that both are never held in full.
func ledger(ev *trace.Evidence) result.Ledger {
	ledger := result.Ledger{SchemaVersion: result.LedgerVersion, Lists: ev.ListKeys(), Copies: []result.CopyLedger{}}
	ev.CompareForms()
	for _, tl := range ev.Timelines {
		ledger.Copies = append(ledger.Copies, copyLedger(ev, tl))
		tl.Observations, tl.Asides, tl.Versions, tl.AckedValues = nil, nil, nil, nil
	}
	return ledger
}

func copyLedger(ev *trace.Evidence, tl *trace.Timeline) result.CopyLedger {
	c := result.CopyLedger{
		Copy: tl.Copy.Name, Object: tl.Copy.Object, Role: tl.Copy.Role,
		APIVersion: tl.Manifest.APIVersion, Kind: tl.Manifest.Kind, Outcome: term.Kept,
		Fields: []result.Field{}, Rows: []result.Row{},
	}
	for _, acked := range tl.AckedValues {
		f := result.Field{Path: acked.Name, Value: blame.Redacted(ev, tl, acked.Name, acked.Leaf.Value), Step: acked.Offered, Outcome: end(acked)}
		if !acked.Acknowledged {
			f.Step = 0
		}
		c.Fields = append(c.Fields, f)
	}
	b := rowBuilder{ev: ev, l: tl, served: map[term.Role]string{}}
	groups := byStep(tl.Observations)
	c.Rows = slices.Grow(c.Rows, len(groups))
	for _, group := range groups {
		row := b.row(group)
		row.Views = shared(c.Rows, row.Views)
		c.Rows = append(c.Rows, row)
		c.Outcome = worst(c.Outcome, row.Outcome)
	}
	return c
}

// end returns the state of the value at the end of the journey.
func end(acked *trace.AckedValue) term.Outcome {
	switch {
	case acked.Unread:
		return term.Indeterminate
	case !acked.Acknowledged:
		return term.Dropped
	case len(acked.Losses) > 0 && !acked.Returned:
		return acked.Losses[len(acked.Losses)-1].Outcome
	case acked.Withdrawn > 0:
		return term.Withdrawn
	case acked.Indeterminate:
		return term.Indeterminate
	case acked.Resurrected > 0:
		return term.Resurrected
	}
	return term.Kept
}

func byStep(observations []trace.Observation) [][]trace.Observation {
	var groups [][]trace.Observation
	for len(observations) > 0 {
		n := 1
		for n < len(observations) && observations[n].Step == observations[0].Step {
			n++
		}
		groups, observations = append(groups, observations[:n]), observations[n:]
	}
	return groups
}

// shared returns the views of a row, or those of an earlier row that are equal: what replicas
// serve of a copy is the same from edge to edge, and a long history has many edges.
func shared(rows []result.Row, views []result.View) []result.View {
	for _, before := range slices.Backward(rows[max(0, len(rows)-trace.RecentObservations):]) {
		if slices.EqualFunc(before.Views, views, sameView) {
			return before.Views
		}
	}
	return views
}

// sameView reports whether two views show the same, by a comparison that is cheap because few
// values differ from what was acknowledged, or from what was served before.
func sameView(a, b result.View) bool {
	if len(a.Outcomes)+len(b.Outcomes)+len(a.Diff)+len(b.Diff) > 0 {
		return false
	}
	return a.Answer == b.Answer && a.Replica == b.Replica && a.Role == b.Role && a.Version == b.Version && a.Code == b.Code &&
		a.Message == b.Message && a.Outcome == b.Outcome
}

// rowBuilder builds a copy's rows in order.
type rowBuilder struct {
	ev     *trace.Evidence
	l      *trace.Timeline
	served map[term.Role]string // what each release served last, to compute differences
	stored *trace.StoredVersion
	told   *result.Stored // what the rows have shown of stored bytes
}

func (b *rowBuilder) row(group []trace.Observation) result.Row {
	at := b.ev.Steps[group[0].Step]
	row := result.Row{Step: group[0].Step, Stage: at.Stage, Outcome: term.Kept}
	row.Edge = at.Step.Action != plan.Operate
	row.Title = "LIST at the stage's edge"
	if !row.Edge {
		row.Title = blame.StepText(b.ev, row.Step)
		row.Requests = b.requests(row.Step)
	}
	row.Views = make([]result.View, 0, count(group, isView)) // a row stays in memory with its copy's ledger
	for _, obs := range group {
		if v := b.l.Version(obs.Revision); v != nil && obs.HasRevision() && v != b.stored {
			b.stored, b.told = v, storedAs(v.Change)
		}
		if isView(obs) {
			view := b.view(obs)
			row.Views = append(row.Views, view)
			row.Outcome = worst(row.Outcome, view.Outcome)
		}
	}
	row.Outcome = worst(row.Outcome, b.answered(row))
	row.Stored = b.told
	slices.SortStableFunc(row.Views, func(x, y result.View) int { return strings.Compare(x.Replica, y.Replica) })
	return row
}

// isView reports whether a row shows an observation: a LIST's item, or a read of the state alone.
func isView(obs trace.Observation) bool { return obs.IsListItem() || obs.Purpose == history.Look }

func count[T any](all []T, is func(T) bool) (n int) {
	for _, one := range all {
		if is(one) {
			n++
		}
	}
	return n
}

// answered returns the state that the answer to the row's own write gives it.
func (b *rowBuilder) answered(row result.Row) term.Outcome {
	act, ok := b.ev.Acts[row.Step]
	if !ok || row.Edge {
		return term.Kept
	}
	if !act.Done() {
		return trace.OutcomeOf(act).OfCall()
	}
	state := term.Kept
	for _, acked := range b.l.AckedValues {
		if acked.Offered == row.Step && !acked.Acknowledged && !acked.Unread {
			state = term.Dropped
		}
	}
	return state
}

func (b *rowBuilder) requests(step int) []result.Request {
	var all []result.Request
	for _, from := range []map[int]history.Operation{b.ev.Reads, b.ev.Acts} {
		op, ok := from[step]
		if !ok {
			continue
		}
		x := op.Exchange
		message := x.Message
		if x.Error != "" {
			message = x.Error
		}
		all = append(all, result.Request{
			Method: x.Method, Path: x.Path, Replica: op.Replica, Version: b.ev.History.Releases[op.Role].Version,
			Code: x.Code, Sent: x.Sent, Answer: x.Answer, Warnings: blame.ServerTexts(b.ev, b.l, x.Warnings), Message: blame.ServerText(b.ev, b.l, message),
			StatusCauses: blame.StatusCauses(b.ev, b.l, x),
		})
	}
	return all
}

func storedAs(c history.Change) *result.Stored {
	return &result.Stored{
		Revision: c.Revision, Encoding: c.Encoding, APIVersion: c.APIVersion, Kind: c.Kind, Size: c.Size,
		Value: c.Value, Deleted: c.Deleted,
	}
}

// view returns what one replica served, value by value.
func (b *rowBuilder) view(obs trace.Observation) result.View {
	v := result.View{
		Replica: obs.Replica, Role: obs.Role, Version: b.ev.History.Releases[obs.Role].Version,
		Code: obs.Code, Answer: obs.Answer, Message: blame.ServerText(b.ev, b.l, obs.Message), Outcome: term.Kept,
	}
	if !obs.ShowsObject() {
		v.Outcome = b.unserved(obs)
		return v
	}
	leaves := b.ev.LeavesOf(b.l, obs.Answer)
	differs := map[string]bool{}
	for _, acked := range b.l.AckedValues {
		state, got := b.stateAt(acked, obs, leaves)
		if state == term.Kept || state == term.Withdrawn {
			continue
		}
		if v.Outcomes == nil {
			v.Outcomes = map[string]term.Outcome{}
		}
		v.Outcomes[acked.Name] = state
		v.Outcome = worst(v.Outcome, state)
		differs[acked.Name] = true
		v.Diff = append(v.Diff, b.difference(acked.Name, acked.Leaf, true, got))
	}
	v.Diff = append(v.Diff, b.since(obs, leaves, differs)...)
	b.served[obs.Role] = obs.Answer
	return v
}

func (b *rowBuilder) unserved(obs trace.Observation) term.Outcome {
	if b.l.Created > 0 && b.l.IsGone(obs.Step) {
		return term.Withdrawn
	}
	return trace.Answer(history.Exchange{Code: obs.Code, Message: obs.Message}).Ending().OfRead()
}

// stateAt returns the state of an acknowledged value in one answer.
func (b *rowBuilder) stateAt(acked *trace.AckedValue, obs trace.Observation, leaves schema.Leaves) (term.Outcome, *schema.Leaf) {
	if obs.Step < acked.Offered || b.withdrawnAt(acked, obs) {
		return term.Withdrawn, nil
	}
	leaf, shown := acked.FoundIn(leaves)
	switch {
	case shown && leaf.Semantic == acked.Leaf.Semantic && acked.Resurrected > 0 && obs.Step >= acked.Resurrected:
		return term.Resurrected, &leaf
	case shown && leaf.Semantic == acked.Leaf.Semantic:
		return term.Kept, &leaf
	case acked.Unread:
		return term.Indeterminate, nil
	case !acked.Acknowledged:
		return term.Dropped, nil
	case shown:
		return term.Changed, &leaf
	}
	for _, lost := range acked.Losses {
		if obs.Revision >= lost.Version.Change.Revision {
			return term.Lost, nil
		}
	}
	if v := b.l.Version(obs.Revision); v != nil {
		if found, _ := b.ev.PresenceOf(b.l, v, acked); found == trace.Indeterminate {
			return term.Indeterminate, nil
		}
	}
	return term.Hidden, nil
}

// withdrawnAt reports whether the value was already withdrawn when the object that an observation
// shows was written. Steps of a stage overlap, so the version decides, if it is known.
func (b *rowBuilder) withdrawnAt(acked *trace.AckedValue, obs trace.Observation) bool {
	if v := b.l.Version(obs.Revision); v != nil {
		return acked.IsWithdrawnAt(v)
	}
	return acked.Withdrawn > 0 && obs.Step >= acked.Withdrawn
}

// since returns what differs from what the same release served of the copy before, except the
// acknowledged values that are already listed.
func (b *rowBuilder) since(obs trace.Observation, leaves schema.Leaves, told map[string]bool) []result.Difference {
	before, ok := b.served[obs.Role]
	if !ok || before == obs.Answer {
		return nil
	}
	var all []result.Difference
	was := b.ev.LeavesOf(b.l, before)
	for _, name := range trace.Union(was, leaves) {
		old, had := was[name]
		now, has := leaves[name]
		if told[name] || name == ".metadata.resourceVersion" || had && has && old.Semantic == now.Semantic {
			continue
		}
		var got *schema.Leaf
		if has {
			got = &now
		}
		all = append(all, b.difference(name, old, had, got))
	}
	return all
}

func (b *rowBuilder) difference(name string, before schema.Leaf, had bool, after *schema.Leaf) result.Difference {
	d := result.Difference{Path: name, HadBefore: had, HasAfter: after != nil}
	if had {
		d.Before = blame.Redacted(b.ev, b.l, name, before.Value)
	}
	if after != nil {
		d.After = blame.Redacted(b.ev, b.l, name, after.Value)
	}
	return d
}
