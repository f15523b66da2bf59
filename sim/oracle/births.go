package oracle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// bornAlike is a birth with those of the first stage that sent the same.
type bornAlike struct {
	number int
	before []int
}

// bornAgain are the later births of copies that do not use the change, of which
// the first stage has two or more of equal bodies.
func (e *evidence) bornAgain() []bornAlike {
	var all []bornAlike
	known := map[string][]int{} // by body: the births of the first stage
	for _, number := range e.calls.steps {
		at := e.steps[number]
		l := e.calls.lives[at.step.Copy]
		if l == nil || !born(at.step) || e.calls.usesIn(l, number) || !e.acts[number].Exchange.Succeeded() ||
			e.acts[number].Exchange.AnswerBytes != "" || !e.ownForm(l, e.acts[number].Exchange.Answer) {
			continue
		}
		body := e.bodySent(l, number)
		if at.index == 0 {
			known[body] = append(known[body], number)
		} else if len(known[body]) > 1 {
			all = append(all, bornAlike{number, known[body]})
		}
	}
	return all
}

// judgeBirths holds what creates are answered against the first stage's creates
// of equal bodies, value by value. What a server draws anew for each object
// (an address, a port) differs among those already: a value is held only where
// two of them agree on it, and that it is there at all, where all of them do.
func (e *evidence) judgeBirths(j *judged) {
	for _, b := range e.bornAgain() {
		j.facts++
		e.judgeBirth(e.calls.lives[e.steps[b.number].step.Copy], b.number, b.before, j)
	}
}

// bodySent is a birth's body but for the copy's name.
func (e *evidence) bodySent(l *life, number int) string {
	body := string(e.history.Body(e.acts[number].Exchange.Sent).JSON)
	return fmt.Sprint(l.copy.Object, " ", e.steps[number].step.Verb, " ", strings.ReplaceAll(body, l.copy.Name, "NAME"))
}

// pastBirth is what the births of the first stage showed at one path.
type pastBirth struct {
	seen, agree int // how many showed it, and how many as the first did
	meaning     string
	leaf        schema.Leaf
}

func (e *evidence) pastBirths(references []int) map[string]pastBirth {
	all := map[string]pastBirth{}
	for _, number := range references {
		l := e.calls.lives[e.steps[number].step.Copy]
		for name, leaf := range e.leavesOf(l, e.acts[number].Exchange.Answer) {
			if !e.settled(l, leaf.Path) {
				continue
			}
			name, meaning := e.neutralText(l, number, name), e.neutral(l, number, leaf)
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

func (e *evidence) judgeBirth(l *life, number int, references []int, j *judged) {
	references = references[:2] // two that agree are enough
	past := e.pastBirths(references)
	drawing := drawnPlaces(past)
	leaves := e.leavesOf(l, e.acts[number].Exchange.Answer)
	for _, name := range union(leaves, nil) {
		leaf := leaves[name]
		neutral := e.neutralText(l, number, name)
		was := past[neutral]
		delete(past, neutral)
		anew := was.seen > 0 && was.agree < 2 || was.seen == 0 && drawing[text(leaf.Path[:len(leaf.Path)-1])]
		if anew || void(leaf) || !e.settled(l, leaf.Path) || was.seen > 0 && was.meaning == e.neutral(l, number, leaf) {
			continue
		}
		came := turn{path: leaf.Path, after: leaf, has: true}
		e.tellBirth(l, j, e.otherBirth(l, number, references[0], name, was, came))
	}
	for _, name := range slices.Sorted(maps.Keys(past)) {
		if was := past[name]; was.seen == len(references) && !void(was.leaf) {
			e.tellBirth(l, j, e.otherBirth(l, number, references[0], text(was.leaf.Path), was, turn{}))
		}
	}
}

// drawnPlaces are the members below which the births of the first stage differ
// in what there is: elements that are named by what a server drew.
func drawnPlaces(past map[string]pastBirth) map[string]bool {
	all := map[string]bool{}
	for _, was := range past {
		if p := was.leaf.Path; was.seen < 2 && len(p) > 0 {
			all[text(p[:len(p)-1])] = true
		}
	}
	return all
}

// tellBirth tells what nothing-lost has not told.
func (e *evidence) tellBirth(l *life, j *judged, f result.Finding) {
	if !e.calls.isTold(l, parsed(f.Path)) {
		j.findings = append(j.findings, f)
	}
}

func (e *evidence) otherBirth(l *life, number, before int, at string, was pastBirth, came turn) result.Finding {
	f := e.finding(l, term.CheckRule2, number)
	f.Rule, f.Class, f.State, f.Path = term.Rule2, term.Violation, term.Changed, at
	due, shows := "nothing there", "nothing there"
	if was.seen > 0 {
		f.Before = e.shown(l, at, was.leaf.Value)
		due = schema.Text(f.Before)
	}
	if came.has {
		f.After = e.shown(l, at, came.after.Value)
		shows = schema.Text(f.After)
		if e.isDefault(l, number, came) {
			f.Cause = term.Defaulted
		}
	} else {
		f.State = term.Lost
	}
	f.Message = fmt.Sprintf("%s %s: step %d (%s: %s) was answered with %s at %s; the same body was answered with %s in %s; %s: %s; %s under %s",
		f.Kind, f.Copy, f.Step, f.Stage, e.made(f.Step), shows, at, due, e.referred(before),
		f.Cause, e.why(f), f.Class, f.Rule)
	return f
}
