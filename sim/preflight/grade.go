package preflight

import "github.com/skewsim/skewsim/scenarios/term"

// Outcomes are those of objects and servers that a preflight reports, worst first.
func Outcomes() []term.Outcome {
	return []term.Outcome{
		term.NotReady, term.Undecodable, term.Unserved, term.Frozen, term.PartlyFrozen, term.Lost, term.Changed, term.MeansOther,
		term.Restarted, term.Uncreatable, term.Indeterminate, term.Hidden,
	}
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

// GradeOf returns the grade that an object with an outcome gives its direction at least.
func GradeOf(o term.Outcome) Grade {
	switch o {
	case term.NotReady, term.Undecodable, term.Unserved, term.Frozen, term.PartlyFrozen:
		return Blocked
	case term.Indeterminate:
		return Unknown
	}
	return Attention
}

// grade is the grade that a finding gives its direction at least.
func (f Finding) grade() Grade {
	if f.Blocks {
		return Blocked
	}
	return GradeOf(f.Outcome)
}

// Direction is where an object is taken.
type Direction string

// The directions.
const (
	Up   Direction = "up"   // to the newer release
	Back Direction = "back" // to the older release again
)
