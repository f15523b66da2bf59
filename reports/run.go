package reports

import (
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// Run is everything a report draws: loaded once, written in every format.
type Run struct {
	Tool    string // skewsim's own version; "" is not shown
	Result  result.Result
	Ledger  result.Ledger
	Plan    plan.Plan
	Servers []history.Server // the turns in the servers' lives, in order
	// Blobs finds a body of the history by its digest. Nil finds none.
	Blobs func(digest string) (history.Blob, bool)
	// Salt is the history's own: it makes the fingerprints of Secrets' values.
	Salt string
}

// New draws a Run from a history's records, and from what the oracle made of
// them. Its Result and Ledger hold nothing of a Secret: write those.
func New(records []history.Record, res result.Result, ledger result.Ledger) Run {
	r := Run{Result: res, Ledger: ledger}
	blobs := map[string]history.Blob{}
	for _, record := range records {
		switch {
		case record.Header != nil:
			r.Tool, r.Salt, r.Plan = record.Header.Tool, record.Header.Salt, record.Header.Plan
		case record.Server != nil:
			r.Servers = append(r.Servers, *record.Server)
		case record.Blob != nil:
			blobs[record.Blob.Digest] = *record.Blob
		}
	}
	r.Blobs = func(digest string) (history.Blob, bool) {
		blob, ok := blobs[digest]
		return blob, ok
	}
	return seal(r)
}

// blob finds a body by its digest.
func (r Run) blob(digest string) (history.Blob, bool) {
	if r.Blobs == nil || digest == "" {
		return history.Blob{}, false
	}
	return r.Blobs(digest)
}
