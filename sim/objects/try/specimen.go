package try

import "github.com/skewsim/skewsim/scenarios/term"

// Target is what an object should hold.
type Target struct {
	// ID names the target; it is the caller's.
	ID string
	// APIVersion, Kind and Path are the place, as diff.Place has them. An empty Path asks for
	// any valid object of the kind.
	APIVersion, Kind, Path string
	// Value is the value to hold; nil: any that differs from the default.
	Value any
	// Alike asks for any value of the type of Value: a text, or a number.
	Alike bool
	// Filled asks for an object with as many published fields as the server accepts at once. The
	// path is empty then.
	Filled bool
	// Unkept asks for an object with the value also if the server accepts it and drops the value.
	Unkept bool
	// Twice asks for a list that has its first element twice.
	Twice bool
	// Differ are members in which the two elements differ all the same, Same those that both have.
	Differ, Same []string
	// Both asks for an object that both releases accept, the value included; else the other release may
	// refuse the value.
	Both bool
	// Except are fields that it is not filled with, such as those that another release lacks.
	Except []string
}

// Value is a value at a path of an object, in the syntax of findings.
type Value struct {
	Path  string
	Value any
}

// Specimen is the object that reaches a target, or the reason why none does.
type Specimen struct {
	Target
	// Object is the object as a client sends it, status included if the path is in it; nil if no
	// object reached the target.
	Object map[string]any
	// Bystander is the same object without the target's value; nil if the object needs the
	// value.
	Bystander map[string]any
	// Held is the path of the value in the object, in the syntax of findings:
	// .spec.containers[name="c"].image.
	Held string
	// Answered is the value that the server's answer showed at Held.
	Answered any
	Origin   term.ObjectOrigin
	// Subresource is where the value is written after the object was created, such as status;
	// "": the object is created with it.
	Subresource string
	// Needs are objects that must exist before the object is created, in order.
	Needs []map[string]any
	// Gates are feature gates that a hint says the value needs.
	Gates []string
	// Disputed are values that fill the object further, and that one release accepts there and the other one
	// refuses.
	Disputed []Value
	// Reason is why no object reached the target: the server's last words, or what it lacks.
	Reason string
}
