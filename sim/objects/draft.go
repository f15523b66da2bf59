package objects

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Request says which object to generate.
type Request struct {
	Kind Kind
	// Seed and Number determine the object.
	Seed   int64
	Number int
	// Targets are fields that the object should have, as Kind.Fields names them. Repairs of
	// a refused object ignore them.
	Targets []string
	// Example is an object of the kind that servers accept; nil: none is known.
	Example map[string]any
}

// Draft is an object that is repaired until a server accepts it. A repair depends only on
// the object's own random numbers and on the server's answer.
type Draft struct {
	*generator
	kind       Kind
	object     map[string]any
	complaints map[string]int // by the field that a server names
	repairs    int

	// kept is the part of the object that comes from the example.
	example, kept map[string]any
	stage         int
}

// The repairs after which a refused object is simplified: first it is generated with
// plainer values, beside its example; at last only the example is left. maxRepairs is how
// often one object is repaired before it is given up.
const (
	plainerAfter = 12
	exampleAfter = 22
	maxRepairs   = 30
)

// New generates an object. Some objects use nothing of their example, until a refusal, so
// that runs see other objects too.
func New(r Request) *Draft {
	d := draftOf(r)
	if d.object = d.generate(); r.Example == nil || !NamingOf(r.Example).IsFree() || d.chance(0.6) {
		d.layBeside(d.object)
	}
	return d
}

func draftOf(r Request) *Draft {
	d := &Draft{generator: generatorOf(r.Kind.definitions, r.Seed, r.Number), kind: r.Kind, complaints: map[string]int{}, example: r.Example}
	d.targets = r.Targets
	return d
}

// Object returns the current object. The next Repair may change it.
func (d *Draft) Object() map[string]any { return d.object }

// Repairs returns how often the object was repaired.
func (d *Draft) Repairs() int { return d.repairs }

// Repair changes the object according to a server's status, which may be nil. It returns
// false if there is nothing left to change, or if the object was repaired too often.
func (d *Draft) Repair(refusal *metav1.Status) bool {
	if d.repairs == maxRepairs || !d.simplify(false) && !d.fix(refusal) && !d.simplify(true) {
		return false
	}
	d.repairs++
	return true
}

func (d *Draft) generate() map[string]any { return d.generator.object(d.kind) }

// layBeside adds the generated values to the example.
func (d *Draft) layBeside(generated map[string]any) {
	if d.example == nil {
		return
	}
	d.kept = d.example
	object := overlay(d.example, generated)
	object["apiVersion"], object["kind"] = generated["apiVersion"], generated["kind"]
	d.object = object
}

// simplify makes an object with an example simpler, after a number of repairs, or at once
// if there was nothing left to change. It reports whether it did.
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

// isExample reports whether the value at a location is the example's. Repairs drop only
// generated values.
func (d *Draft) isExample(at Location) bool {
	_, has := Get(d.kept, at)
	return d.kept != nil && has
}
