package sweep

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/oracle/ruling"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// played is one object in one run.
type played struct {
	object   Object
	evidence Evidence
	findings map[string][]result.Finding // by copy
	// common are the findings that the kind's baseline has too.
	common map[string]bool
	// removed are fields of the kind that the new release removed: they have rows of their own.
	removed []string
	// earlier is what the old release alone does to objects of the kind, before the upgrade.
	earlier []earlier
	// differences are all of the comparison.
	differences []diff.Difference
	// claims are what the row is about that the cells are for, and otherClaims what other rows of the kind
	// are about; no claims: any refusal is of the object.
	claims, otherClaims []claim
	// asObject is the object as it was made, and paths its paths by position, as far as they were asked for: all
	// rows of an object share them. See indexed.
	asObject func() map[string]any
	paths    map[string]string
}

// playedOf returns an object without anything that was played of it.
func playedOf(o Object) played {
	return played{object: o, asObject: sync.OnceValue(o.whole), paths: map[string]string{}}
}

// cells returns what was done to the object's copies, and notes on its other values. Findings
// on the same copy in the same step are one cell: the worst.
func (p played) cells() (cells []Cell, notes []string) {
	id := p.object.Target.ID
	for _, name := range slices.Concat(p.evidence.of(id), p.evidence.of(id+OfferedSuffix)) {
		c := p.evidence.Copies[name]
		if p.isBeside(c) {
			continue
		}
		if p.object.Target.Change == nil && slices.ContainsFunc(c.writes, func(w write) bool { return w.sendsZero() && !p.changesSibling(w) }) {
			cells = append(cells, p.ofZero(name, c)...)
			continue
		}
		found := map[int]Cell{}
		for _, f := range p.findings[name] {
			switch {
			case p.isCommon(f), ofKind(f), isUnfitCondition(f):
			case !p.concerns(f), Elsewhere(f, p.object.ValuePath(), p.removed):
				notes = append(notes, noteOf(f))
			case !p.mayUseFinding(f, c):
				notes = append(notes, foreign(f.Via, f.Message))
			default:
				own := p.found(f, c)
				if was, known := found[f.Step]; own.Outcome != "" && (!known || own.outranks(was)) {
					found[f.Step] = own
				}
			}
		}
		cells = append(cells, slices.SortedFunc(maps.Values(found), func(a, b Cell) int { return cmp.Compare(a.Step, b.Step) })...)
		cells = append(cells, p.unfound(name, c, found)...)
	}
	cells = inPart(append(cells, p.lists()...), p.refusedForOthers())
	slices.Sort(notes)
	return cells, slices.Compact(notes)
}

// ofZero are the cells of a copy to which a zero is sent in place of the value. A server may
// refuse a zero, and only a success that does not keep it counts.
func (p played) ofZero(name string, c copyEvidence) (cells []Cell) {
	for _, f := range p.findings[name] {
		if (f.Outcome == term.Dropped || f.Outcome == term.Changed) && f.Path != "" && p.concerns(f) {
			cells = append(cells, p.found(f, c))
		}
	}
	return cells
}

// zeros are the copies to which a zero is sent in place of the object's value, and whether a server
// refused one.
func (p played) zeros() (copies []string, refused bool) {
	for _, name := range p.evidence.of(p.object.Target.ID) {
		for _, w := range p.evidence.Copies[name].writes {
			if w.sendsZero() && !p.changesSibling(w) {
				copies, refused = append(copies, name), refused || w.refused()
			}
		}
	}
	return copies, refused
}

// isCommon reports whether the kind's baseline has the finding too: then it is not the
// object's. What concerns exactly the value is the object's whoever has it.
func (p played) isCommon(f result.Finding) bool {
	return p.common[signature(f)] && (f.Path == "" || p.object.ValuePath() == "" || !p.concerns(f))
}

// signature is what equal findings of two objects of a kind have in common.
func signature(f result.Finding) string {
	var errors []string
	for _, c := range f.StatusCauses {
		if !c.LeavesRulesOut() {
			errors = append(errors, c.Reason+" "+FieldOf("."+c.Field))
		}
	}
	slices.Sort(errors)
	return fmt.Sprintln(FieldOf(f.Path), f.Outcome, f.Cause, f.Via, f.Client, f.Verb, slices.Compact(errors))
}

// found is the cell of a finding.
func (p played) found(f result.Finding, c copyEvidence) Cell {
	own := Cell{Stage: f.Stage, Copy: f.Copy, Step: f.Step, Path: f.Path, Effect: ruling.EffectOf(f), Class: f.Class, Rule: f.Rule, Cause: f.Cause, Message: f.Message, PreExisting: p.isPreExisting(f, c)}
	if f.Cause == term.NotServed {
		own.Message = fmt.Sprintf("%s does not serve %s %s, and clients that use it get 404: %s", releaseWords(f.Via), p.object.Target.APIVersion, p.object.Target.Kind, f.Message)
	}
	if w, found := c.writeAt(f.Step); found {
		own.Write = p.wordsOf(w)
		refusal := p.refusalOf(f, w)
		own.Cause = CauseOf(f, refusal)
		if own.Cause == term.Unattributed && f.Outcome == term.Dropped && p.object.Target.Unkept {
			own.Cause = term.Converted // the stored version has no place for it
		}
		if f.Outcome == term.Refused && p.mayNotFit(w) {
			own.Effect = term.Effect{}
		}
		if (own.Outcome == term.Changed || own.Outcome == term.Varies) && f.Verb.Creates() && p.sends(f.Path) {
			own.Effect = term.Dropped.Effect() // no release fills it in: it is in the request
		}
		if p.object.Target.Withdrawn && f.Cause == term.NotServed && !IsStable(p.object.Target.APIVersion) {
			own.Class, own.Rule = "", "" // a version that is not stable may go
		}
		if f.Outcome == term.Refused && (w.asksToRefuse() && (w.Birth || !p.object.Target.Baseline()) || w.Birth && p.object.Target.Unstated) {
			own.Class, own.Rule = "", "" // the client asked the server to refuse what it does not know, or the server may
		}
		if own.Outcome == term.Frozen && f.Outcome == term.Refused && w.sendsValue() {
			own.Effect = term.Refused.Effect() // the object can still be written, with another value
		}
		if isShutOut(f, own) {
			own.Effect = term.PartlyFrozen.Effect()
		}
		if w.Change != nil && w.Change.Kind == plan.Condition {
			own = own.asStored()
		}
		if p.changesSibling(w) {
			own.Effect = p.ofSibling(w, own.Effect)
			own = own.asStored()
			if own.Outcome == term.Frozen && w.ViaRole == term.Old && p.object.Target.Release == term.New {
				own.Class, own.Rule = term.Impact, term.Rule3 // the old release never took the value
			}
		} else if p.object.Target.Form == term.Treated && w.ViaRole == term.Old && p.object.Target.Release == term.New && IsAhead(f, own.Effect, refusal) {
			own.Class, own.Rule = term.Impact, term.Rule3
		}
		return p.ofScale(f, own)
	}
	own.Write, own.Cause = observed(f), CauseOf(f, p.refusalOf(f, write{}))
	return own
}

// asStored returns the cell of a write that does not send the value anew.
func (c Cell) asStored() Cell {
	if c.Outcome == term.Frozen && c.Cause == term.UnknownValue {
		c.Cause = term.NotRatcheted
	}
	return c
}

// isShutOut reports whether no client with the types of the old release can write a stored object: what
// they leave out gets a default of the new release, which a rule of the new release then refuses.
func isShutOut(f result.Finding, is Cell) bool {
	role, typed := f.Client.Role()
	return typed && role == term.Old && f.Via == term.New && f.Outcome == term.Refused && f.Verb.Modifies() && is.Outcome == term.Refused && is.Cause == term.Defaulted
}

// refusalOf returns the refusal that a finding is about, of a write or of dry runs, with the errors that
// the row may use.
func (p played) refusalOf(f result.Finding, w write) Refusal {
	r := Refusal{Code: w.code, Message: w.message, SendsValue: w.Birth || w.sendsValue(), Beside: p.changesSibling(w)}
	causes := w.causes
	if f.Outcome == term.Frozen {
		causes = f.StatusCauses
	}
	a, _ := p.attribute(causes, r.Message, r.SendsValue)
	r.Causes, r.Transition, r.Filled = a.causes, a.transition, a.filled
	return r
}

// mayUseFinding reports whether a finding is no refusal, or one that says something of the row.
func (p played) mayUseFinding(f result.Finding, c copyEvidence) bool {
	switch f.Outcome {
	case term.Frozen:
		_, isOwn := p.attribute(f.StatusCauses, f.Message, false)
		return isOwn
	case term.Refused, term.Failed:
		w, found := c.writeAt(f.Step)
		return !found || p.mayUse(w)
	}
	return true
}

// concerns reports whether a finding is about the value that the object is for. Both paths are spelled with
// the positions of list elements: whether a list has keys may differ between the releases.
func (p played) concerns(f result.Finding) bool {
	f.Path = p.indexed(f.Path)
	return Concerns(f, p.indexed(p.object.ValuePath()))
}

// sends reports whether the object is created with a value at a path.
func (p played) sends(at string) bool {
	held, err := path.Parse(at)
	if err != nil || at == "" {
		return false
	}
	_, has := path.Get(p.object.Body(), held)
	return has
}

// observed says how a value was seen that no write of its copy changed.
func observed(f result.Finding) string {
	through := throughWords(f.Via, f.Program)
	switch {
	case f.Outcome == term.Frozen:
		return "any write " + through + ", as a dry run"
	case f.Outcome == term.Resurrected:
		return "no write: rolled back and upgraded again"
	case f.Via == "":
		return "no write"
	}
	return "no write: read " + through
}

// unfound are the cells of a copy's writes that no finding is about.
func (p played) unfound(name string, c copyEvidence, found map[int]Cell) (cells []Cell) {
	offered := ObjectOf(c.object) != c.object
	writes := 0
	for _, w := range c.writes {
		if !w.Verb.Writes() || w.Birth && !offered {
			continue
		}
		writes++
		if _, known := found[w.Number]; known {
			continue
		}
		if is := p.withoutFinding(c, w); is.Outcome != "" && !lostLater(found, w.Number) {
			cells = append(cells, Cell{Write: p.wordsOf(w), Stage: w.stage, Copy: name, Step: w.Number, Effect: is, Message: refusalOf(w)})
		}
	}
	if writes == 0 && len(found) == 0 && len(c.writes) > 0 && c.writes[0].code/100 == 2 && p.holds(c) {
		if is := p.endState(c); is.Outcome != "" {
			cells = append(cells, Cell{Write: "no write", Stage: c.writes[0].stage, Copy: name, Step: c.writes[0].Number, Effect: is})
		}
	}
	return cells
}

// lostLater reports whether a finding after a write says what happened to its copy.
func lostLater(found map[int]Cell, step int) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(found)), func(at int) bool { return at > step })
}

func refusalOf(w write) string {
	if w.code < 400 {
		return ""
	}
	return strings.TrimSpace(fmt.Sprintf("%d %s", w.code, w.message))
}

// mayNotFit reports whether a write sends a condition that the kind may refuse, whatever differs between the
// releases: whether a status can be written, dry runs of its own bytes show. A refusal that names the stored
// value is of that.
func (p played) mayNotFit(w write) bool {
	if w.Change == nil || w.Change.Kind != plan.Condition {
		return false
	}
	value := p.indexed(p.object.ValuePath())
	return slices.ContainsFunc(w.causes, p.isOfAppended) || !slices.ContainsFunc(w.causes, func(c result.StatusCause) bool {
		return value != "" && Within("."+c.Field, value)
	})
}

// isOfAppended reports whether an error is of a condition that the stored object does not have: the one that a
// write appends.
func (p played) isOfAppended(c result.StatusCause) bool {
	m := ofCondition.FindStringSubmatch(c.Field)
	if m == nil {
		return false
	}
	i, err := strconv.Atoi(m[1])
	status, _ := p.asObject()[term.StatusPart].(map[string]any)
	stored, _ := status["conditions"].([]any)
	return err == nil && i >= len(stored)
}

// ofCondition finds the position of the condition that an error is of.
var ofCondition = regexp.MustCompile(`^status\.conditions\[(\d+)\]`)

// withoutFinding is the effect of a write that no finding is about; the zero Effect if nothing decides it.
func (p played) withoutFinding(c copyEvidence, w write) term.Effect {
	switch {
	case w.code >= 400 && p.mayNotFit(w), w.refused() && !p.mayUse(w):
		return term.Effect{}
	case p.changesSibling(w) && w.refused():
		return p.ofSibling(w, term.Refused.Effect())
	case w.refused():
		return term.Refused.Effect()
	case w.code < 200 || w.code >= 300:
		return term.Effect{}
	}
	return p.endState(c)
}

// endState is what became of the copy's value at the end of the journey. A loss that no finding is
// about is one that another finding explains.
func (p played) endState(c copyEvidence) term.Effect {
	end := term.Kept.Effect()
	if p.object.Target.Emptied { // that the value is lost says nothing of the rule
		return end
	}
	for _, f := range p.valueFields(c) {
		switch {
		case f.Outcome == term.Indeterminate:
			return term.Effect{}
		case f.Outcome == term.Hidden || f.Outcome == term.Resurrected:
			end = term.Hidden.Effect()
		case f.Outcome == term.Lost || f.Outcome == term.Changed || f.Outcome == term.Dropped || f.Outcome == term.Undecodable:
			return term.Effect{}
		}
	}
	return end
}

// valueFields are the acknowledged values that are the object's value, or within or around it.
func (p played) valueFields(c copyEvidence) (all []result.Field) {
	value := p.indexed(p.object.ValuePath())
	for _, f := range c.fields {
		if value == "" || Overlap(p.indexed(f.Path), value) {
			all = append(all, f)
		}
	}
	return all
}

// exercised reports whether a stored version held the value, and a write through the other
// release was answered.
func (p played) exercised() bool {
	other := p.object.Target.Release.Other()
	held, written := false, false
	for _, name := range p.evidence.of(p.object.Target.ID) {
		c := p.evidence.Copies[name]
		holds := c.stored && p.holds(c)
		held = held || holds
		for _, w := range c.writes {
			meets := w.ViaRole == other || p.object.Target.Alone
			written = written || holds && meets && w.Verb.Writes() && !w.Birth && w.answered() && !(w.refused() && (p.mayNotFit(w) || !p.mayUse(w)))
		}
	}
	for _, w := range p.evidence.Lists[p.object.Target.ID] {
		written = written || w.ViaRole == other
	}
	return held && written
}

// isWritten reports whether a server answered a write of the object.
func (p played) isWritten() bool {
	return slices.ContainsFunc(p.evidence.of(p.object.Target.ID), func(name string) bool { return p.evidence.Copies[name].isWritten() })
}

// holds reports whether an answer showed the value in the copy. A value without members, such as
// an empty struct, is no acknowledged value: there the server that the object was made with has
// shown it.
func (p played) holds(c copyEvidence) bool {
	t := p.object.Target
	if t.Without != "" || t.Path == "" || p.object.isRemoval() {
		return true
	}
	fields := p.valueFields(c)
	if len(fields) == 0 {
		return p.object.Specimen.Answered != nil && p.object.Specimen.Subresource == ""
	}
	return slices.ContainsFunc(fields, func(f result.Field) bool { return f.Step > 0 })
}

// isRemoval reports whether the object is one that a rule accepts, without a field.
func (o Object) isRemoval() bool {
	held, err := path.Parse(o.Specimen.Held)
	if err != nil || len(held) == 0 {
		return false
	}
	_, has := path.Get(o.Specimen.Object, held)
	_, had := path.Get(o.Specimen.Bystander, held)
	return had && !has
}

// noteOf is a finding on another value, as a note.
func noteOf(f result.Finding) string {
	return fmt.Sprintf("%s: %s %s", f.Path, f.Outcome, throughWords(f.Via, f.Program))
}
