package servers

import (
	"context"
	"time"
)

// Panic is a panic of a server while it answered a request.
type Panic struct {
	// Value is what the server panicked with, such as "runtime error: index out of range".
	Value string
	// Function is the function that panicked, and Line its file and line, as the server's
	// log has them; "" where the log has no stack.
	Function, Line string
}

// PanicTeller is a Process whose log says of a request, by its audit ID, that the server
// panicked.
type PanicTeller interface {
	// Panicked is the panic of the request; nil: the log has none as yet.
	Panicked(auditID string) *Panic
}

const (
	// panicWithin is how long a log may take to say that a request panicked: the server
	// writes it before it breaks the stream, and a container's log comes a little later.
	panicWithin = time.Second
	panicPoll   = 25 * time.Millisecond
)

// AwaitPanic is the panic of a request that a server broke off; nil: its log does not say
// that it panicked.
func AwaitPanic(ctx context.Context, p Process, auditID string) *Panic {
	teller, ok := p.(PanicTeller)
	if !ok || auditID == "" {
		return nil
	}
	for until := time.Now().Add(panicWithin); ; {
		if found := teller.Panicked(auditID); found != nil {
			return found
		}
		select {
		case <-ctx.Done():
			return nil
		case <-p.Done():
			return teller.Panicked(auditID)
		case <-time.After(panicPoll):
		}
		if time.Now().After(until) {
			return nil
		}
	}
}
