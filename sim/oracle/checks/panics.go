package checks

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// panics returns the requests whose server panicked: each act of a step and, of the requests
// beside the steps' own acts, the first for each copy or kind, purpose, release and function.
func panics(ev *trace.Evidence) []result.Finding {
	p := panicking{ev: ev, seen: blame.Once{}}
	for _, op := range ev.History.Operations {
		p.operation(op)
	}
	for _, l := range ev.History.Listings {
		if !ev.Steps[l.Step].Step.Verb.Lists() { // otherwise its act reports it
			p.ofKind(collective{term.ListAll, l.Kind, l.Step, l.Replica, l.Role}, "a LIST", l.Exchange.Panic)
		}
	}
	for _, w := range ev.History.Watches {
		p.ofKind(collective{"", w.Kind, w.Step, w.Replica, w.Role}, "a WATCH", w.Panic)
	}
	for _, t := range ev.History.Trials {
		p.trial(t)
	}
	return p.found
}

// panicking is the search for requests whose server panicked.
type panicking struct {
	ev    *trace.Evidence
	seen  blame.Once
	found []result.Finding
}

func (p *panicking) operation(op history.Operation) {
	own, x := op.Purpose == history.Act, op.Exchange.Panic
	switch {
	case x == nil:
	case own && p.seen.First(op.Step, op.Copy, op.Purpose, op.Turn),
		!own && p.seen.First(op.Copy, op.Purpose, op.Attempt, op.Role, x.Function, x.Line):
		p.found = append(p.found, panicOf(p.ev, panickedAt(p.ev, op.Copy, op.Step), op.Step, op.Replica, op.Role, doing(op), x))
	}
}

// collective is a request about all objects of a kind.
type collective struct {
	verb    term.Verb
	kind    string
	step    int
	replica string
	role    term.Role
}

func (p *panicking) ofKind(c collective, what string, x *history.Panic) {
	if x == nil || !p.seen.First(what, c.kind, c.role, x.Function, x.Line) {
		return
	}
	whole := &trace.Timeline{Manifest: plan.Manifest{Kind: c.kind}}
	f := panicOf(p.ev, whole, c.step, c.replica, c.role, fmt.Sprintf("%s of %s", what, c.kind), x)
	f.Verb = c.verb
	p.found = append(p.found, f)
}

// trial adds a request to a server over a scratch store, which is not one of the replicas.
func (p *panicking) trial(t history.Trial) {
	what := map[history.TrialKind]string{
		history.TrialGet: "a GET on a scratch store", history.TrialList: "a LIST on a scratch store", history.TrialWatch: "a WATCH on a scratch store",
	}[t.Trial]
	tl := p.ev.ByCopy[t.Copy]
	if tl == nil {
		p.ofKind(collective{"", t.Kind, t.Step, "", t.Role}, what, t.Panic)
		return
	}
	if x := t.Panic; x != nil && p.seen.First(t.Copy, what, t.Role, x.Function, x.Line) {
		p.found = append(p.found, panicOf(p.ev, tl, t.Step, "", t.Role, what, x))
	}
}

// panickedAt returns the copy that a request was about, else the copy of its step.
func panickedAt(ev *trace.Evidence, name string, number int) *trace.Timeline {
	if tl := ev.ByCopy[name]; tl != nil {
		return tl
	}
	if tl := trace.TimelineOf(ev, number); tl != nil {
		return tl
	}
	return &trace.Timeline{Copy: plan.Copy{Object: ev.Steps[number].Step.Object}}
}

// doing describes a request that is not its step's own act, "" if it is.
func doing(op history.Operation) string {
	switch op.Purpose {
	case history.Act:
		return ""
	case history.Try:
		return fmt.Sprintf("a dry run (%s)", op.Attempt)
	case history.Read:
		return "the read before the write"
	case history.Probe:
		return "a dry run with an unknown field"
	}
	return fmt.Sprintf("a %s (%s)", op.Exchange.Method, op.Purpose)
}

func panicOf(ev *trace.Evidence, tl *trace.Timeline, step int, replica string, role term.Role, what string, p *history.Panic) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckRule3, step)
	f.Replica, f.Via, f.Release = replica, role, ev.History.Releases[role].Version
	f.Rule, f.Class, f.Outcome, f.Cause = term.Rule3, term.Violation, term.Panicked, term.ServerPanic
	f.Panic = &result.Panic{Value: blame.ServerText(ev, tl, p.Value), Function: p.Function, Line: p.Line}
	if sent := trace.SentChange(ev, tl, step); what == "" && tl.Copy.Name != "" && trace.SendsChange(ev, tl, step) {
		f.Path = path.String(sent)
	}
	f.Message = fmt.Sprintf("%s%s: %s panicked%s: %s%s; %s under %s", about(tl), during(ev, step),
		f.Release, answering(what), f.Panic.Value, in(p), f.Class, f.Rule)
	return f
}

// about returns the start of a message: the kind and the copy, as far as they are known.
func about(tl *trace.Timeline) string {
	text := strings.TrimSpace(tl.Manifest.Kind + " " + cmp.Or(tl.Copy.Name, tl.Copy.Object))
	if text == "" {
		return ""
	}
	return text + ": "
}

// during describes a step. A step in which skewsim reads or runs dry runs has no client.
func during(ev *trace.Evidence, step int) string {
	at := ev.Steps[step]
	if at.Step.Client == "" {
		return fmt.Sprintf("step %d (%s)", step, at.Stage)
	}
	return fmt.Sprintf("step %d (%s: %s)", step, at.Stage, blame.StepText(ev, step))
}

func answering(what string) string {
	if what == "" {
		return ""
	}
	return " as it answered " + what
}

// in says where a server panicked, "" if its log does not.
func in(p *history.Panic) string {
	if p.Function == "" {
		return ""
	}
	return fmt.Sprintf(", in %s (%s)", p.Function, p.Line)
}
