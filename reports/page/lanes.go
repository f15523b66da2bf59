package page

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// lane is one replica in all stages.
type lane struct {
	Replica, Short string
	Y              int
	Bars           []bar
	Takeovers      []takeover
	Notes          []note
	Spans          []span
}

// bar is the time of one server, or the part of it that was not executed.
type bar struct {
	X, Y, Width int
	Role        term.Role
	Label       string
	Gone        bool // planned, and not executed: the server died, or the run ended before
}

// takeover marks the point at which a server becomes a replica.
type takeover struct {
	X, Y  int
	Arrow bool // it replaces a server
	Up    bool // by a server of the new release
	Title string
}

// note is a text about a server, below its bar.
type note struct {
	X, At, Y int    // X is where the text begins; At is where the sign of a death is, on the bar
	Fault    string // the class of its sign; "" without a fault
	Text     string // cut to the available width
	Full     string
}

// span is a replica in one stage, for the table.
type span struct {
	Role    term.Role
	Version string
	Moved   bool   // it was started, or replaced, at the beginning of the stage
	Note    string // how long it took to be ready, or what went wrong
	Fault   bool
}

// life is one server's time as a replica, as planned.
type serverSpan struct {
	step, stage int
	role        term.Role
	first       bool // it replaces none
	x, end      int
	events      []history.Server
}

// course is a run by stages and steps, looked up once for all lanes.
type course struct {
	run      view.Run
	columns  []column
	versions map[term.Role]string
	servers  map[string][]*serverSpan // by replica
	played   int                      // the last step that is known to have been executed
}

// courseOf returns every server's time as a replica.
func courseOf(r view.Run, columns []column) *course {
	c := &course{run: r, columns: columns, versions: versionsOf(r), servers: map[string][]*serverSpan{}, played: lastPlayed(r)}
	for i, stage := range r.Plan.Stages {
		c.bear(i, stage)
	}
	for _, e := range r.Servers {
		if l := c.serverOf(e); l != nil {
			l.events = append(l.events, e)
		}
	}
	return c
}

// bear adds the servers that start in a stage, and ends those that leave with it. The first
// step of a stage is at its edge,
// however few steps the stage has.
func (c *course) bear(i int, stage plan.Stage) {
	opening := true
	for _, s := range stage.Steps {
		opening = opening && s.Action != plan.Operate
		if before := c.servers[s.Replica]; s.Action == plan.Stop && len(before) > 0 {
			before[len(before)-1].end = c.columns[i].X
		}
		if s.Action != plan.Start && s.Action != plan.Replace {
			continue
		}
		born := &serverSpan{step: s.Number, stage: i, role: s.Role, first: i == 0, x: c.columns[i].X, end: c.right()}
		if !opening {
			born.x = c.at(s.Number)
		}
		if before := c.servers[s.Replica]; len(before) > 0 {
			before[len(before)-1].end = min(before[len(before)-1].end, born.x)
		}
		c.servers[s.Replica] = append(c.servers[s.Replica], born)
	}
}

// versionsOf returns the shortest different names of the releases.
func versionsOf(r view.Run) map[term.Role]string {
	versions := map[term.Role]string{}
	for _, b := range r.Plan.Releases {
		versions[b.Role] = b.Reference
	}
	for _, b := range r.Result.Builds {
		versions[b.Role] = cmp.Or(b.Version, b.Reference)
	}
	if names := r.Result.Releases; len(names) == 2 {
		versions[term.Old], versions[term.New] = names[0], names[1]
	}
	return versions
}

// lastPlayed returns the last step of which the ledger has a row, or at which a server
// became a replica: later steps may never have been executed.
func lastPlayed(r view.Run) int {
	last := 0
	for _, copied := range r.Ledger.Copies {
		if n := len(copied.Rows); n > 0 {
			last = max(last, copied.Rows[n-1].Step)
		}
	}
	for _, e := range r.Servers {
		if e.Event == history.Serving {
			last = max(last, e.Step)
		}
	}
	return last
}

// serverOf returns the server of an event: events have the step that started the server.
func (c *course) serverOf(e history.Server) *serverSpan {
	var found *serverSpan
	for _, l := range c.servers[e.Replica] {
		if l.step <= e.Step {
			found = l
		}
	}
	return found
}

// stage returns the index of the stage with the step.
func (c *course) stage(step int) int {
	i, _ := slices.BinarySearchFunc(c.columns, step, func(a column, s int) int { return cmp.Compare(a.last, s) })
	return min(i, len(c.columns)-1)
}

// at returns the position of a step.
func (c *course) at(step int) int {
	in := c.columns[c.stage(step)]
	steps := max(in.last-in.first+1, 1)
	return in.X + in.Width*min(max(step-in.first, 0), steps)/steps
}

// right returns where the last stage ends.
func (c *course) right() int {
	last := c.columns[len(c.columns)-1]
	return last.X + last.Width
}

// reached returns where the stage ends in which the run was last seen.
func (c *course) reached() int {
	if c.played == 0 {
		return gutter
	}
	in := c.columns[c.stage(c.played)]
	return in.X + in.Width
}

// lane draws one replica.
func (c *course) lane(replica string, y int) lane {
	l := lane{Replica: replica, Y: y, Short: cut(term.Visible(replica), plainType, gutter-60), Spans: c.spans(replica)}
	for _, born := range c.servers[replica] {
		top := y + 4
		if born.role != term.New {
			top += stair
		}
		l.Bars = append(l.Bars, c.bars(born, top)...)
		l.Takeovers = append(l.Takeovers, c.takeover(born, replica, top))
		l.Notes = append(l.Notes, c.notes(born, replica, top)...)
	}
	c.fit(l.Notes)
	return l
}

// bars draws a server's time: as far as it was executed, and the rest.
func (c *course) bars(l *serverSpan, y int) []bar {
	until := max(l.x, min(l.end, c.reached()))
	if death, ok := l.death(); ok {
		until = c.deathAt(l, death)
	}
	label := strings.TrimSpace(string(l.role)+"  "+term.Visible(c.versions[l.role])) + c.definitionsOf(l)
	var drawn []bar
	if until > l.x {
		drawn = append(drawn, bar{X: l.x + 1, Y: y, Width: until - l.x - 2, Role: l.role, Label: cut(label, plainType, until-l.x-36)})
	}
	if l.end > until {
		rest := bar{X: until + 1, Y: y, Width: l.end - until - 2, Role: l.role, Gone: true}
		if until == l.x {
			rest.Label = cut(label+", not played", plainType, l.end-until-36)
		}
		drawn = append(drawn, rest)
	}
	return drawn
}

// definitionsOf returns whose custom resource definitions a server serves, if it refused
// those of its own release.
func (c *course) definitionsOf(l *serverSpan) string {
	refused := slices.ContainsFunc(l.events, func(e history.Server) bool {
		return slices.ContainsFunc(e.Installed, func(one history.Installed) bool { return one.Message != "" || one.Code >= 400 })
	})
	if !refused {
		return ""
	}
	return ", refused: serves " + term.Visible(c.versions[l.role.Other()])
}

// death returns the event that ended a server for good before its time.
func (l *serverSpan) death() (history.Server, bool) {
	for _, e := range l.events {
		if e.Event == history.Died || e.Event == history.Unready {
			return e, true
		}
	}
	return history.Server{}, false
}

// wasReady reports whether the server was ever ready.
func (l *serverSpan) wasReady() bool {
	return slices.ContainsFunc(l.events, func(e history.Server) bool { return e.Event == history.Ready })
}

// deathAt returns where a server ended: at its start, if it was never ready, else where the
// run was last seen, because a run ends with a server that dies.
func (c *course) deathAt(l *serverSpan, e history.Server) int {
	if !l.wasReady() {
		return l.x
	}
	return min(max(c.at(max(e.Step, c.played)), l.x), l.end)
}

// takeover marks the start of a server.
func (c *course) takeover(l *serverSpan, replica string, y int) takeover {
	t := takeover{X: l.x + 15, Y: y + barHigh/2, Title: fmt.Sprintf("step %d: %s starts at %s %s", l.step, term.Visible(replica), l.role, term.Visible(c.versions[l.role]))}
	if !l.first {
		t.Arrow, t.Up = true, l.role == term.New
		t.Title = fmt.Sprintf("step %d: %s is replaced by %s %s", l.step, term.Visible(replica), l.role, term.Visible(c.versions[l.role]))
	}
	return t
}

// notes returns when a server was ready, and what went wrong with it.
func (c *course) notes(l *serverSpan, replica string, y int) []note {
	below := y + barHigh + 13
	var notes []note
	for _, e := range l.events {
		class, words := faultOf(e)
		if class == "" && (e.Event != history.Ready || l.x >= c.reached()) {
			continue // a server that is drawn as not executed has no notes of success
		}
		n := note{X: l.x + 4, At: l.x + 15, Y: below, Fault: class, Text: term.Visible(words)}
		switch {
		case e.Event == history.Ready:
			n.Text = "ready " + view.Seconds(e.Seconds) + n.Text
		case e.Event == history.Died || e.Event == history.Unready:
			n.At = max(c.deathAt(l, e), l.x+15)
			n.X = n.At - 6
		}
		n.Full = fmt.Sprintf("%s (%s) %s", term.Visible(replica), l.role, n.Text)
		if e.Message != "" && class != "" {
			n.Full += ": " + shortened(term.Visible(e.Message))
		}
		notes = append(notes, n)
	}
	return joinNotes(notes)
}

// joinNotes joins notes for the same place, faults first.
func joinNotes(notes []note) []note {
	slices.SortStableFunc(notes, func(a, b note) int {
		return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(view.FalseFirst(a.Fault == ""), view.FalseFirst(b.Fault == "")))
	})
	var joined []note
	for _, n := range notes {
		if last := len(joined) - 1; last >= 0 && joined[last].X == n.X {
			joined[last].Text += ", " + n.Text
			joined[last].Full += "; " + n.Full
			joined[last].Fault = cmp.Or(joined[last].Fault, n.Fault)
			continue
		}
		joined = append(joined, n)
	}
	return joined
}

// fit cuts each note to the width before the next one, and moves notes near the end to the
// left.
func (c *course) fit(notes []note) {
	end := gutter
	for i := range notes {
		limit := c.right()
		if i+1 < len(notes) {
			limit = notes[i+1].X
		}
		n := &notes[i]
		sign := 0
		if n.Fault == "stumbled" {
			sign = signWidth
		}
		n.X = max(end, min(n.X, limit-textWidth(n.Text, smallType)-sign-4))
		n.Text = cut(n.Text, smallType, limit-n.X-sign-4)
		end = n.X + sign + textWidth(n.Text, smallType) + 8
	}
}

// spans returns the replica's cells of the table.
func (c *course) spans(replica string) []span {
	spans := make([]span, len(c.run.Plan.Stages))
	for i, stage := range c.run.Plan.Stages {
		for _, at := range stage.Replicas {
			if at.Replica == replica {
				spans[i].Role, spans[i].Version = at.Role, c.versions[at.Role]
			}
		}
	}
	for _, l := range c.servers[replica] {
		spans[l.stage].Moved = true
		for _, n := range c.notes(l, replica, 0) {
			i := l.stage
			if death, ok := l.death(); ok && n.Fault == "died" && l.wasReady() {
				i = c.stage(max(death.Step, c.played))
			}
			s := &spans[i]
			s.Note = strings.TrimPrefix(s.Note+"; "+strings.TrimPrefix(n.Full, fmt.Sprintf("%s (%s) ", term.Visible(replica), l.role)), "; ")
			s.Fault = s.Fault || n.Fault != ""
		}
	}
	return spans
}
