package oracle

import (
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// ledger is what reports draw: of each copy its values, and row by row what
// happened, what each replica then served, and what etcd held. It is the last that
// is asked of the evidence: what is known of a copy goes when its rows are drawn, so
// that all of both is never held at once.
func (e *evidence) ledger() result.Ledger {
	ledger := result.Ledger{SchemaVersion: result.LedgerVersion, Lists: e.listKeys(), Copies: []result.CopyLedger{}}
	e.askForms()
	for _, l := range e.byCopy {
		ledger.Copies = append(ledger.Copies, e.copyLedger(l))
		l.sights, l.asides, l.versions, l.entries = nil, nil, nil, nil
	}
	return ledger
}

func (e *evidence) copyLedger(l *life) result.CopyLedger {
	c := result.CopyLedger{
		Copy: l.copy.Name, Object: l.copy.Object, Role: l.copy.Role,
		APIVersion: l.manifest.APIVersion, Kind: l.manifest.Kind, State: term.Kept,
		Fields: []result.Field{}, Rows: []result.Row{},
	}
	for _, n := range l.entries {
		f := result.Field{Path: n.name, Value: e.shown(l, n.name, n.leaf.Value), Step: n.offered, State: n.end()}
		if !n.acknowledged {
			f.Step = 0
		}
		c.Fields = append(c.Fields, f)
	}
	b := rowBuilder{e: e, l: l, served: map[term.Role]string{}}
	groups := byStep(l.sights)
	c.Rows = slices.Grow(c.Rows, len(groups))
	for _, group := range groups {
		row := b.row(group)
		row.Views = shared(c.Rows, row.Views)
		c.Rows = append(c.Rows, row)
		c.State = worst(c.State, row.State)
	}
	return c
}

// end is what has become of the value when the journey ends.
func (n *entry) end() term.State {
	switch {
	case n.unread:
		return term.Untold
	case !n.acknowledged:
		return term.NotAccepted
	case len(n.losses) > 0 && !n.back:
		return n.losses[len(n.losses)-1].state
	case n.withdrawn > 0:
		return term.Withdrawn
	case n.open:
		return term.Untold
	case n.resurrected > 0:
		return term.Resurrected
	}
	return term.Kept
}

func byStep(sights []sight) [][]sight {
	var groups [][]sight
	for len(sights) > 0 {
		n := 1
		for n < len(sights) && sights[n].step == sights[0].step {
			n++
		}
		groups, sights = append(groups, sights[:n]), sights[n:]
	}
	return groups
}

// shared are the views of a row, or those of one of the rows before it that are equal: what
// replicas serve of a copy is the same from edge to edge, and a long history has many.
func shared(rows []result.Row, views []result.View) []result.View {
	for _, before := range slices.Backward(rows[max(0, len(rows)-lately):]) {
		if slices.EqualFunc(before.Views, views, sameView) {
			return before.Views
		}
	}
	return views
}

// sameView reports whether two views show the same, as far as a glance tells: those that
// differ from what was acknowledged, or from what was served before, are few.
func sameView(a, b result.View) bool {
	if len(a.States)+len(b.States)+len(a.Diff)+len(b.Diff) > 0 {
		return false
	}
	return a.Answer == b.Answer && a.Replica == b.Replica && a.Role == b.Role && a.Version == b.Version && a.Code == b.Code &&
		a.Message == b.Message && a.State == b.State
}

// rowBuilder goes through a copy's rows in order.
type rowBuilder struct {
	e      *evidence
	l      *life
	served map[term.Role]string // what each release served last, for the diffs
	stored *version
	told   *result.Stored // what rows say of stored
}

func (b *rowBuilder) row(group []sight) result.Row {
	at := b.e.steps[group[0].step]
	row := result.Row{Step: group[0].step, Stage: at.stage, State: term.Kept, Views: make([]result.View, 0, len(group))}
	row.Edge = at.step.Action != plan.Operate
	row.Title = "LIST at the stage's edge"
	if !row.Edge {
		row.Title = b.e.made(row.Step)
		row.Requests = b.requests(row.Step)
	}
	for _, s := range group {
		if v := b.l.version(s.revision); v != nil && s.dated() && v != b.stored {
			b.stored, b.told = v, storedAs(v.change)
		}
		if s.list() || s.purpose == history.Look {
			view := b.view(s)
			row.Views = append(row.Views, view)
			row.State = worst(row.State, view.State)
		}
	}
	row.State = worst(row.State, b.answered(row))
	row.Stored = b.told
	slices.SortStableFunc(row.Views, func(x, y result.View) int { return strings.Compare(x.Replica, y.Replica) })
	return row
}

// answered is the state that the answer to the row's own write gives it.
func (b *rowBuilder) answered(row result.Row) term.State {
	act, ok := b.e.acts[row.Step]
	if !ok || row.Edge {
		return term.Kept
	}
	if !act.Done() {
		return outcomeOf(act).callState()
	}
	state := term.Kept
	for _, n := range b.l.entries {
		if n.offered == row.Step && !n.acknowledged && !n.unread {
			state = term.NotAccepted
		}
	}
	return state
}

func (b *rowBuilder) requests(step int) []result.Request {
	var all []result.Request
	for _, from := range []map[int]history.Operation{b.e.reads, b.e.acts} {
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
			Method: x.Method, Path: x.Path, Replica: op.Replica, Version: b.e.history.Releases[op.Role].Version,
			Code: x.Code, Sent: x.Sent, Answer: x.Answer, Warnings: b.e.words(b.l, x.Warnings), Message: b.e.word(b.l, message),
		})
	}
	return all
}

// word is what a server said, left out of reports when it is about something confidential,
// which it may quote.
func (e *evidence) word(l *life, text string) string {
	if text != "" && e.policy.Covers(l.manifest.Kind) {
		return redact.Withheld
	}
	return text
}

func (e *evidence) words(l *life, texts []string) []string {
	var all []string
	for _, text := range texts {
		all = append(all, e.word(l, text))
	}
	return all
}

func storedAs(c history.Change) *result.Stored {
	return &result.Stored{
		Revision: c.Revision, Encoding: c.Encoding, APIVersion: c.APIVersion, Kind: c.Kind, Size: c.Size,
		Value: c.Value, Deleted: c.Deleted,
	}
}

// view is what one replica served, value by value.
func (b *rowBuilder) view(s sight) result.View {
	v := result.View{
		Replica: s.replica, Role: s.role, Version: b.e.history.Releases[s.role].Version,
		Code: s.code, Answer: s.answer, Message: b.e.word(b.l, s.message), State: term.Kept,
	}
	if !s.ok() {
		v.State = b.unserved(s)
		return v
	}
	leaves := b.e.leavesOf(b.l, s.answer)
	differs := map[string]bool{}
	for _, n := range b.l.entries {
		state, got := b.stateAt(n, s, leaves)
		if state == term.Kept || state == term.Withdrawn {
			continue
		}
		if v.States == nil {
			v.States = map[string]term.State{}
		}
		v.States[n.name] = state
		v.State = worst(v.State, state)
		differs[n.name] = true
		v.Diff = append(v.Diff, b.difference(n.name, n.leaf, true, got))
	}
	v.Diff = append(v.Diff, b.since(s, leaves, differs)...)
	b.served[s.role] = s.answer
	return v
}

func (b *rowBuilder) unserved(s sight) term.State {
	if b.l.created > 0 && b.l.gone(s.step) {
		return term.Withdrawn
	}
	return outcomeOfAnswer(history.Exchange{Code: s.code, Message: s.message}).readState()
}

// stateAt is the state of an entry in one answer.
func (b *rowBuilder) stateAt(n *entry, s sight, leaves schema.Leaves) (term.State, *schema.Leaf) {
	if s.step < n.offered || b.withdrawnAt(n, s) {
		return term.Withdrawn, nil
	}
	leaf, shown := n.in(leaves)
	switch {
	case shown && leaf.Semantic == n.leaf.Semantic && n.resurrected > 0 && s.step >= n.resurrected:
		return term.Resurrected, &leaf
	case shown && leaf.Semantic == n.leaf.Semantic:
		return term.Kept, &leaf
	case n.unread:
		return term.Untold, nil
	case !n.acknowledged:
		return term.NotAccepted, nil
	case shown:
		return term.Changed, &leaf
	}
	for _, lost := range n.losses {
		if s.revision >= lost.version.change.Revision {
			return term.Lost, nil
		}
	}
	if v := b.l.version(s.revision); v != nil {
		if found, _ := b.e.look(b.l, v, n); found == untold {
			return term.Untold, nil
		}
	}
	return term.Hidden, nil
}

// withdrawnAt tells whether what a sight shows came to be when the value was
// withdrawn already. Steps of a stage overlap, so the version decides, where
// one is known.
func (b *rowBuilder) withdrawnAt(n *entry, s sight) bool {
	if v := b.l.version(s.revision); v != nil {
		return n.over(v)
	}
	return n.withdrawn > 0 && s.step >= n.withdrawn
}

// since is what differs from what the same release served of the copy before,
// beyond the acknowledged values that are told already.
func (b *rowBuilder) since(s sight, leaves schema.Leaves, told map[string]bool) []result.Difference {
	before, ok := b.served[s.role]
	if !ok || before == s.answer {
		return nil
	}
	var all []result.Difference
	was := b.e.leavesOf(b.l, before)
	for _, name := range union(was, leaves) {
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
		d.Before = b.e.shown(b.l, name, before.Value)
	}
	if after != nil {
		d.After = b.e.shown(b.l, name, after.Value)
	}
	return d
}

func union(a, b schema.Leaves) []string {
	names := slices.Collect(maps.Keys(a))
	names = slices.AppendSeq(names, maps.Keys(b))
	slices.Sort(names)
	return slices.Compact(names)
}
