package view

import (
	"bytes"
	"encoding/json"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Run is everything that a report of one run draws: loaded once, written in every format.
type Run struct {
	Tool    string // skewsim's own version; "" is not shown
	Result  result.Result
	Ledger  result.Ledger
	Plan    plan.Plan
	Servers []history.Server // the server events, in order
	// The data of plots, in the history's order.
	Stages     []history.Stage
	Operations []history.Operation
	Listings   []history.Listing
	Trials     []history.Trial
	// Blobs returns a body of the history by its digest. It may be nil, for a history
	// without bodies.
	Blobs func(digest string) (history.Blob, bool)
	// Holds reports whether Blobs finds a body, without reading it. If it is nil, Blobs is
	// used.
	Holds func(digest string) bool
	// Unread returns the first body that Blobs could not read back. It is nil if there is
	// none.
	Unread func() error
	// Salt is the history's own, for the fingerprints of Secrets' values.
	Salt string
	// AllowImpacts makes junit.xml show runs with impacts only as passed.
	AllowImpacts bool
	// Cut reports that the run ended early, or its history is damaged: missing parts were
	// not judged.
	Cut bool
}

// New returns a Run from a history, and from the oracle's result. Its Result and Ledger
// have no values of Secrets: write those.
func New(h *history.History, res result.Result, ledger result.Ledger) Run {
	return Sealed(Run{
		Tool: h.Header.Tool, Salt: h.Header.Salt, Plan: h.Header.Plan,
		Result: res, Ledger: ledger, Servers: h.Servers,
		Stages: h.Stages, Operations: h.Operations, Listings: h.Listings, Trials: h.Trials,
		Blobs: func(digest string) (history.Blob, bool) {
			return h.Body(digest), h.Holds(digest)
		},
		Holds: h.Holds, Unread: h.Err,
		Cut: !h.Complete(),
	})
}

// Body returns a body by its digest.
func (r Run) Body(digest string) (history.Blob, bool) {
	if r.Blobs == nil || digest == "" {
		return history.Blob{}, false
	}
	return r.Blobs(digest)
}

// HasBody reports whether there is a body with the digest.
func (r Run) HasBody(digest string) bool {
	if r.Holds != nil {
		return digest != "" && r.Holds(digest)
	}
	_, ok := r.Body(digest)
	return ok
}

// BodyError returns the first body that could not be read back.
func (r Run) BodyError() error {
	if r.Unread == nil {
		return nil
	}
	return r.Unread()
}

// DecodedBody returns a JSON body, with numbers as they were written.
func (r Run) DecodedBody(digest string) (any, bool) {
	blob, ok := r.Body(digest)
	if !ok || blob.JSON == nil {
		return nil, false
	}
	in := json.NewDecoder(bytes.NewReader(blob.JSON))
	in.UseNumber()
	var value any
	err := in.Decode(&value)
	return value, err == nil
}
