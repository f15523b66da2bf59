package preflight

// Class is what happens to an object, or to a server.
type Class string

// The classes, worst first.
const (
	NotReady      Class = "not-ready"            // a server does not become ready on this store
	Undecodable   Class = "undecodable"          // a release serves the kind and cannot read the object
	NotServed     Class = "not-served"           // a release no longer serves the kind
	Frozen        Class = "frozen"               // a release refuses a write that leaves the object as it is
	Unchangeable  Class = "cannot-be-changed"    // a release refuses a change beside that another release accepts
	Lost          Class = "lost"                 // a value is gone once a release has written the object
	Uncreatable   Class = "cannot-be-created"    // a release refuses the object as a new one
	Restart       Class = "pods-restart"         // the template as served differs from the one that pods were made from
	Meaning       Class = "means-something-else" // a policy or rule of the copy answers otherwise, or keeps a value that it takes in no new object
	Changed       Class = "changed"              // served with other values, although nobody wrote it
	Dormant       Class = "dormant"              // a value is hidden, and back with the next upgrade
	Indeterminate Class = "indeterminate"        // nothing was seen that would decide it
)

// Classes are all classes, worst first.
func Classes() []Class {
	return []Class{NotReady, Undecodable, NotServed, Frozen, Unchangeable, Lost, Uncreatable, Restart, Meaning, Changed, Dormant, Indeterminate}
}

// Grade is the answer for one direction.
type Grade string

// The grades, in the words of providers: passing, warning, error, unknown.
const (
	Ready     Grade = "ready"
	Attention Grade = "attention"
	Blocked   Grade = "blocked"
	Unknown   Grade = "indeterminate"
)

// Grade is the grade that an object of the class gives its direction at least.
func (c Class) Grade() Grade {
	switch c {
	case NotReady, Undecodable, NotServed, Frozen, Unchangeable:
		return Blocked
	case Indeterminate:
		return Unknown
	}
	return Attention
}

// grade is the grade that a finding gives its direction at least.
func (f Finding) grade() Grade {
	if f.Blocks {
		return Blocked
	}
	return f.Class.Grade()
}

// Direction is where an object is taken.
type Direction string

// The directions.
const (
	Up   Direction = "up"   // to the newer release
	Back Direction = "back" // to the older release again
)
