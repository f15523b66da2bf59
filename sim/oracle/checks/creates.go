package checks

import (
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// equalCreates is a creation with the creations of the first stage that sent an equal body.
type equalCreates struct {
	number int
	before []int
}

// laterCreates returns the later creations of copies that do not use the change, of which the first
// stage has two or more with equal bodies.
func laterCreates(ev *trace.Evidence) []equalCreates {
	var all []equalCreates
	known := map[string][]int{} // by body: the creations of the first stage
	for _, number := range ev.Calls.Steps {
		at := ev.Steps[number]
		tl := ev.ByCopy[at.Step.Copy]
		if tl == nil || !at.Step.CreatesCopy() || trace.UsesChangeAt(ev.Calls, tl, number) || !ev.Acts[number].Exchange.Succeeded() ||
			ev.Acts[number].Exchange.AnswerBytes != "" || !trace.HasOwnForm(ev, tl, ev.Acts[number].Exchange.Answer) {
			continue
		}
		body := bodySent(ev, tl, number)
		if at.StageIndex == 0 {
			known[body] = append(known[body], number)
		} else if len(known[body]) > 1 {
			all = append(all, equalCreates{number, known[body]})
		}
	}
	return all
}

// judgeCreates compares the answers to creates with the answers to the first stage's creates of
// equal bodies, value by value. A value that a server generates for each object (an address, a
// port) differs among those: a value is compared only if two of them agree on it, and its
// presence only if all of them have it.
func judgeCreates(ev *trace.Evidence, j *blame.Judged) {
	for _, b := range laterCreates(ev) {
		j.Facts++
		judgeCreate(ev, ev.ByCopy[ev.Steps[b.number].Step.Copy], b.number, b.before, j)
	}
}

// bodySent returns a creation's body without the copy's name.
func bodySent(ev *trace.Evidence, tl *trace.Timeline, number int) string {
	body := string(ev.History.Body(ev.Acts[number].Exchange.Sent).JSON)
	return fmt.Sprint(tl.Copy.Object, " ", ev.Steps[number].Step.Verb, " ", trace.WithoutName(ev, tl, body))
}

// pastCreate is what the creations of the first stage showed at one path.
type pastCreate struct {
	seen, agree int // how many showed a value, and how many the same value as the first
	meaning     string
	leaf        schema.Leaf
}

func pastCreates(ev *trace.Evidence, references []int) map[string]pastCreate {
	all := map[string]pastCreate{}
	for _, number := range references {
		tl := ev.ByCopy[ev.Steps[number].Step.Copy]
		for name, leaf := range ev.LeavesOf(tl, ev.Acts[number].Exchange.Answer) {
			if !trace.IsSettled(ev, tl, leaf.Path) {
				continue
			}
			name, meaning := trace.NeutralText(ev, tl, number, name), trace.Neutral(ev, tl, number, leaf)
			past := all[name]
			if past.seen == 0 {
				past.meaning, past.leaf = meaning, leaf
			}
			past.seen++
			if past.meaning == meaning {
				past.agree++
			}
			all[name] = past
		}
	}
	return all
}

func judgeCreate(ev *trace.Evidence, tl *trace.Timeline, number int, references []int, j *blame.Judged) {
	references = references[:2] // two that agree are enough
	past := pastCreates(ev, references)
	drawing := drawnPlaces(past)
	leaves := ev.LeavesOf(tl, ev.Acts[number].Exchange.Answer)
	for _, name := range trace.Union(leaves, nil) {
		leaf := leaves[name]
		neutral := trace.NeutralText(ev, tl, number, name)
		was := past[neutral]
		delete(past, neutral)
		anew := was.seen > 0 && was.agree < 2 || was.seen == 0 && drawing[trace.PathText(leaf.Path[:len(leaf.Path)-1])]
		if anew || trace.IsVoid(leaf) || !trace.IsSettled(ev, tl, leaf.Path) || was.seen > 0 && was.meaning == trace.Neutral(ev, tl, number, leaf) {
			continue
		}
		came := trace.Turn{Path: leaf.Path, After: leaf, Has: true}
		j.Findings = append(j.Findings, otherCreate(ev, tl, number, references[0], name, was, came))
	}
	for _, name := range slices.Sorted(maps.Keys(past)) {
		if was := past[name]; was.seen == len(references) && !trace.IsVoid(was.leaf) {
			j.Findings = append(j.Findings, otherCreate(ev, tl, number, references[0], trace.PathText(was.leaf.Path), was, trace.Turn{}))
		}
	}
}

// drawnPlaces returns the members below which the creations of the first stage have different
// members: elements whose names a server generates.
func drawnPlaces(past map[string]pastCreate) map[string]bool {
	all := map[string]bool{}
	for _, was := range past {
		if p := was.leaf.Path; was.seen < 2 && len(p) > 0 {
			all[trace.PathText(p[:len(p)-1])] = true
		}
	}
	return all
}

func otherCreate(ev *trace.Evidence, tl *trace.Timeline, number, before int, at string, was pastCreate, came trace.Turn) result.Finding {
	f := blame.NewCollector(ev, tl, term.CheckRule2, number)
	f.Rule, f.Class, f.Outcome, f.Path = term.Rule2, term.Violation, term.Changed, at
	due, shows := "nothing there", "nothing there"
	if was.seen > 0 {
		f.Before = blame.Redacted(ev, tl, at, was.leaf.Value)
		due = schema.Text(f.Before)
	}
	if came.Has {
		f.After = blame.Redacted(ev, tl, at, came.After.Value)
		shows = schema.Text(f.After)
		if trace.IsDefault(ev, tl, number, came) {
			f.Cause = term.Defaulted
		}
	} else {
		f.Outcome = term.Lost
		if ev.IsPublishedDefault(tl, ev.Acts[before].Role, was.leaf) {
			f.Cause = term.Defaulted // the other release has none there
		}
	}
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) was answered with %s at %s; the same body was answered with %s in %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Step, f.Stage, blame.StepText(ev, f.Step), shows, at, due, blame.ReferenceText(ev, before),
		f.Cause, blame.CauseText(ev, f), f.Class, f.Rule)
	return f
}
