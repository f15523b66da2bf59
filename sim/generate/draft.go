package generate

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Request says which object to generate.
type Request struct {
	Kind Kind
	// Seed and Number decide the object.
	Seed   int64
	Number int
	// Targets are fields that the object is to have, as Kind.Fields names them. An object
	// that was refused is repaired without regard to them.
	Targets []string
	// Example is an object of the kind that servers accept; nil: none is known.
	Example map[string]any
}

// Draft is an object that is changed until a server accepts it. A change depends on the
// object's own random numbers and on what the server says, and on nothing else.
type Draft struct {
	*generator
	kind       Kind
	object     map[string]any
	complaints map[string]int // by the field that a server names
	repairs    int

	// kept is the part of the object that is the example's.
	example, kept map[string]any
	stage         int
}

// When a refused object is simplified, in repairs: first it is generated plainer, beside
// its example; at last it is the example. mostRepairs is how often one object is repaired
// before it is given up.
const (
	plainerAfter = 12
	exampleAfter = 22
	mostRepairs  = 30
)

// New generates an object. Some have nothing of their example, as long as they are
// accepted, so that other objects are seen too.
func New(r Request) *Draft {
	d := draftOf(r)
	if d.object = d.generate(); r.Example == nil || !NamingOf(r.Example).isFree() || d.chance(0.6) {
		d.layBeside(d.object)
	}
	return d
}

func draftOf(r Request) *Draft {
	d := &Draft{generator: generatorOf(r.Kind.definitions, r.Seed, r.Number), kind: r.Kind, complaints: map[string]int{}, example: r.Example}
	d.targets = r.Targets
	return d
}

// Object is the object as it is now. It may be changed by the next Repair.
func (d *Draft) Object() map[string]any { return d.object }

// Repairs is how often the object was repaired.
func (d *Draft) Repairs() int { return d.repairs }

// Repair changes the object by what a server says of it; a nil status says nothing. False:
// there is nothing left to change, or the object was repaired often enough to be given up.
func (d *Draft) Repair(refusal *metav1.Status) bool {
	if d.repairs == mostRepairs || !d.simplify(false) && !d.fix(refusal) && !d.simplify(true) {
		return false
	}
	d.repairs++
	return true
}

func (d *Draft) generate() map[string]any { return d.generator.object(d.kind) }

// layBeside makes the object of the example, with what was generated beside it.
func (d *Draft) layBeside(generated map[string]any) {
	if d.example == nil {
		return
	}
	d.kept = d.example
	object := overlay(d.example, generated)
	object["apiVersion"], object["kind"] = generated["apiVersion"], generated["kind"]
	d.object = object
}

// simplify makes an object with an example simpler, when it is due after so many repairs,
// or at once where nothing was left to change. It reports whether it has.
func (d *Draft) simplify(stuck bool) bool {
	if d.example == nil {
		return false
	}
	switch {
	case d.stage == 0 && (d.repairs == plainerAfter || stuck):
		d.density, d.plain = 0.3, true
		d.layBeside(d.generate())
	case d.stage <= 1 && (d.repairs == exampleAfter || stuck):
		d.stage = 1
		d.layBeside(map[string]any{"apiVersion": d.object["apiVersion"], "kind": d.object["kind"]})
	default:
		return false
	}
	d.stage++
	d.complaints = map[string]int{}
	return true
}

// isExample reports whether the object has at a location what its example says: that
// stays, and what was generated beside it goes.
func (d *Draft) isExample(at Location) bool {
	_, has := get(d.kept, at)
	return d.kept != nil && has
}
