package plan

import (
	"fmt"
	"net/http"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// control gives an object its control copies, of the form that does not use the
// change. All are made through an old server before anything changes.
//
// In the first stage every call that lines create or touch the object with is
// made on one of them, each once: what it then comes to is what the same call
// is held against later (rule-1, rule-2). What is touched is made as the first
// line makes the object, by the old client of the same kind, so that calls
// then and later meet objects that differ in nothing but the release.
//
// In later stages each verb is played once more for each kind, by an old client
// through an old server, on a control that nothing new has met: what goes wrong
// then is not the object's doing. Other clients, encodings and changes, and other
// objects of the kind, would add nothing to that, and half as many copies again to
// the plan: every object has copies that nothing happens to, and attempts on those
// show what its content does to writes. Where there are programs, which fail in ways
// that attempts do not show, each object has its own.
func (b *builder) control(object string) {
	if b.scenario.Objects[object].Bystander == "" || scenarios.Begins(b.plan.Journey) != term.Old || len(b.origins[object]) == 0 {
		return // or there is no old server before anything changes, or nothing creates the object
	}
	c := controls{builder: b, object: object, made: map[string]bool{}, sharedBy: b.sharedBy(object)}
	for i, o := range b.origins[object] {
		c.born(o.step)
		if i == 0 {
			c.touched(byOldClient(o.step))
		}
	}
}

// sharedBy returns who shares the controls of later stages with an object: all objects of its kind, or the object alone. An object
// that servers refuse to create has no control that others could share.
func (b *builder) sharedBy(object string) string {
	declared := b.origins[object][0].step.Respond
	if b.plan.HasPrograms() || declared != nil && declared.Code >= http.StatusBadRequest {
		return object
	}
	m := b.plan.Manifests[b.manifest(object, term.Bystander)]
	return m.APIVersion + " " + m.Kind
}

// controls are those of one object.
type controls struct {
	*builder
	object string
	made   map[string]bool // what is played on them already in the first stage
	// sharedBy is who shares the controls of later stages: see there.
	sharedBy string
}

// once reports whether something is still to be played, and notes that it is.
func once(played map[string]bool, what ...any) bool {
	key := fmt.Sprintln(what...)
	if played[key] {
		return false
	}
	played[key] = true
	return true
}

// born makes a control as a line makes the object, and leaves it alone.
func (c controls) born(birth Step) {
	if once(c.made, "birth", birth.Signature()) {
		c.add(birth)
	}
}

// touched plays what lines touch the object with on controls that are born so,
// unless lines do the very same to bystanders: a second of those shows no more.
func (c controls) touched(birth Step) {
	first := c.origins[c.object][0]
	if first.stage == 0 && first.step.Signature() == birth.Signature() {
		c.touches(asItStands, func(cell cell) {
			if s := cell.step; s.ViaRole == term.Old && s.ReadRole != term.New && s.Respond == nil {
				c.wanted(cell)
			}
		})
	}
	play := func(cell cell) {
		if c.wanted(cell) {
			step := cell.step
			step.Copy = c.add(birth)
			c.operations[cell.stage] = append(c.operations[cell.stage], step)
		}
	}
	c.touches(controlled, play)
	c.follows(play)
}

// touches yields the cells of each line that touches the object, in that form.
func (c controls) touches(form func(scenarios.Line) scenarios.Line, yield func(cell)) {
	for i, line := range c.scenario.Play {
		c.touchesOf(fmt.Sprintf("play[%d]", i), form(line), yield)
	}
}

// follows yields the cells of what touches the object after a line. It meets a
// bystander with a past, which is no measure.
func (c controls) follows(yield func(cell)) {
	for i, line := range c.scenario.Play {
		for j, next := range line.Then {
			c.touchesOf(fmt.Sprintf("play[%d].then[%d]", i, j), controlled(next), yield)
		}
	}
}

func (c controls) touchesOf(at string, line scenarios.Line, yield func(cell)) {
	if line.Touch != c.object {
		return
	}
	for _, cell := range c.cellsAt(at, line) {
		if cell.skip == nil {
			yield(cell)
		}
	}
}

// wanted reports whether a cell is still to be played, and marks it as played.
func (c controls) wanted(cell cell) bool {
	if cell.stage == 0 {
		return once(c.made, "touch", cell.step.Signature())
	}
	return old(cell.step.Client) && cell.step.Discovers != term.New && once(c.controlled, c.sharedBy, cell.stage, cell.step.Verb, cell.step.Subresource)
}

// add makes a control, through each old replica in turn.
func (c controls) add(birth Step) string {
	stem := c.stem(c.object, term.Control)
	via := c.plan.Stages[0].Replicas[c.named[stem]%len(c.plan.Stages[0].Replicas)]
	birth.Via, birth.ViaRole = via.Replica, via.Role
	if birth.Read != "" {
		birth.Read, birth.ReadRole = via.Replica, via.Role
	}
	birth.Respond = nil // what the line declares is for the servers it names
	return c.create(c.object, term.Control, term.Bystander, origin{0, birth})
}

// asItStands is the line as bystanders meet it.
func asItStands(line scenarios.Line) scenarios.Line { return line }

// controlled is the line as control copies meet it: through old servers, at
// every stage that has one.
func controlled(line scenarios.Line) scenarios.Line {
	line.Via, line.Read = []scenarios.Target{scenarios.Target(term.Old)}, nil
	line.At, line.Respond = []string{scenarios.EveryStage}, nil
	return line
}

// byOldClient is the birth by the old release's client of the same kind.
func byOldClient(birth Step) Step {
	switch birth.Client {
	case term.NewTyped:
		birth.Client = term.OldTyped
	case term.NewApply:
		birth.Client = term.OldApply
	}
	return birth
}

// old reports whether a client knows nothing of the new release.
func old(c term.Client) bool {
	role, typed := c.Role()
	return !typed || role != term.New
}
