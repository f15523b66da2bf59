package program

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Hello is the body of the first frame, whose identity is 0: it says who speaks.
type Hello struct {
	Release string `json:"release"`
	Kinds   []Kind `json:"kinds"`
}

// Kind is a kind that the release has types for.
type Kind struct {
	Group   string `json:"group"`
	Version string `json:"version"`
	Kind    string `json:"kind"`
	Apply   bool   `json:"apply"` // has an apply configuration
}

// Operation is what a request asks for.
type Operation string

// The operations, each with what it does to the request's bodies.
const (
	Carry   Operation = "carry"   // decodes one and encodes it again
	Diff    Operation = "diff"    // computes the patch between two
	Apply   Operation = "apply"   // makes one an apply configuration
	Extract Operation = "extract" // gives what a manager has applied to one
	Panic   Operation = "panic"   // panics, for no input is known that makes one of the others do that
)

// Request is a request's first part. The bodies it is about follow.
type Request struct {
	Operation            Operation
	Group, Version, Kind string
	From, To             string `json:",omitempty"` // content types, of Carry
	Patch                string `json:",omitempty"` // its content type, of Diff
	Manager, Subresource string `json:",omitempty"` // of Extract
}

// read gives the request that the parts of a frame are, and its bodies.
func read(parts [][]byte) (q Request, bodies [][]byte, err error) {
	if len(parts) == 0 {
		return q, nil, errors.New("the request is damaged")
	}
	if err := json.Unmarshal(parts[0], &q); err != nil {
		return q, nil, fmt.Errorf("the request is damaged: %w", err)
	}
	bodies = parts[1:]
	want := map[Operation]int{Carry: 1, Diff: 2, Apply: 1, Extract: 1, Panic: 0}
	if n, ok := want[q.Operation]; !ok || n != len(bodies) {
		return q, nil, fmt.Errorf("operation %q with %d bodies: not known", q.Operation, len(bodies))
	}
	return q, bodies, nil
}
