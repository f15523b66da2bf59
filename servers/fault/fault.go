package fault

import (
	"context"
	"errors"
	"slices"
	"syscall"
)

// Kind says whose doing an error is. Of an error that has several, the last in this order
// counts: what a user has to correct is not covered up by a server that was killed then.
type Kind int

const (
	Unclassified   Kind = iota // nobody knows, as of a server that ended by itself
	Bug                        // skewsim broke
	Infrastructure             // the machine, or a service that a run depends on: see Failure
	Canceled                   // somebody ended the command
	User                       // the user gave something that is wrong
	Unavailable                // a release that only a scenario names is not available
	Verdict                    // the software under test did not do what is expected of it
)

// Fault is what an error carries.
type Fault struct {
	Kind Kind
	// Failure says what failed, where Kind is Infrastructure.
	Failure Failure
	// Subject names the server that failed; "": Failure says all.
	Subject string
	// Final: another attempt ends in the same way, whatever failed.
	Final bool
}

// Reason names an infrastructure failure in a few words, as matrix.json has them: "server
// b-1 was killed". It is "" for every other kind.
func (f Fault) Reason() string {
	if f.Kind != Infrastructure {
		return ""
	}
	return f.Failure.of(f.Subject)
}

// IsRetryable reports whether another attempt may succeed.
func (f Fault) IsRetryable() bool { return f.Kind == Infrastructure && !f.Final }

// Carrier is an error that knows whose doing it is.
type Carrier interface {
	error
	Fault() Fault
}

// Of returns what an error, or any that it wraps, says of itself. Of several infrastructure
// failures the most telling counts.
func Of(err error) (f Fault) {
	final := false
	for _, other := range all(err) {
		final = final || other.Final
		if other.Kind > f.Kind || other.Kind == Infrastructure && f.Kind == Infrastructure && other.Failure < f.Failure {
			f = other
		}
	}
	f.Final = final
	return f
}

// Is reports whether an error is of a kind.
func Is(err error, k Kind) bool { return Of(err).Kind == k }

// Has reports whether one of the failures is among those of an error, and of what it
// wraps, even if the error has a fault that counts more.
func Has(err error, failures ...Failure) bool {
	return slices.ContainsFunc(all(err), func(f Fault) bool {
		return f.Kind == Infrastructure && slices.Contains(failures, f.Failure)
	})
}

// all returns the faults of an error and of those that it wraps, the outermost first.
func all(err error) (faults []Fault) {
	if err == nil {
		return nil
	}
	if errors.Is(err, context.Canceled) {
		faults = append(faults, Fault{Kind: Canceled})
	}
	walk(err, func(err error) {
		if number, ok := err.(syscall.Errno); ok {
			if failure, known := shortages()[number]; known {
				faults = append(faults, Fault{Kind: Infrastructure, Failure: failure})
			}
		}
		if carrier, ok := err.(Carrier); ok {
			faults = append(faults, carrier.Fault())
		}
	})
	return faults
}

// walk visits an error and those that it wraps.
func walk(err error, visit func(error)) {
	if err == nil {
		return
	}
	visit(err)
	switch wraps := err.(type) {
	case interface{ Unwrap() error }:
		walk(wraps.Unwrap(), visit)
	case interface{ Unwrap() []error }:
		for _, each := range wraps.Unwrap() {
			walk(each, visit)
		}
	}
}

// Wrap gives an error a kind; nil stays nil.
func Wrap(k Kind, err error) error { return With(Fault{Kind: k}, err) }

// ByUser marks an error as the user's; nil stays nil.
func ByUser(err error) error { return Wrap(User, err) }

// Failed gives an error an infrastructure failure; nil stays nil.
func Failed(f Failure, err error) error { return With(Fault{Kind: Infrastructure, Failure: f}, err) }

// With gives an error a fault; nil stays nil.
func With(f Fault, err error) error {
	if err == nil {
		return nil
	}
	return carrier{err, f}
}

// carrier is an error with a fault that its maker did not give it.
type carrier struct {
	error
	fault Fault
}

func (c carrier) Unwrap() error { return c.error }
func (c carrier) Fault() Fault  { return c.fault }
