package trace

import (
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/statuscode"
)

// whileStoreLived returns the history without what servers answered or did because their store
// had ended: such answers count as missing, and such server exits as unseen. The end of a store
// is noticed late, so it counts from the last request whose answer needed the store.
func whileStoreLived(h *history.History) *history.History {
	if h.End == nil || h.End.Outcome != history.StoreFailed {
		return h
	}
	t, since := *h, lastGood(h)
	t.Operations = slices.Clone(h.Operations)
	for i := range t.Operations {
		discard(&t.Operations[i].Exchange, t.Operations[i].At, since)
	}
	t.Listings = slices.Clone(h.Listings)
	for i := range t.Listings {
		discard(&t.Listings[i].Exchange, t.Listings[i].At, since)
	}
	t.Watches = slices.Clone(h.Watches)
	for i, w := range t.Watches {
		if w.At >= since && statuscode.MayBeLast(w.Code) {
			t.Watches[i].Code = 0
		}
	}
	t.Trials = storedTrials(h)
	// If a server had exited first, the run would have ended because of it.
	t.Servers = slices.DeleteFunc(slices.Clone(h.Servers), func(s history.Server) bool { return s.Event == history.Died })
	return &t
}

// storedTrials returns the trials, each of them on a scratch store of its release.
func storedTrials(h *history.History) []history.Trial {
	since := map[term.Role]float64{}
	for _, t := range h.Trials {
		if t.Trial == history.TrialGet && t.Code == http.StatusOK {
			since[t.Role] = max(since[t.Role], t.At-t.Seconds)
		}
	}
	all := slices.Clone(h.Trials)
	for i, t := range all {
		if t.At >= since[t.Role] && statuscode.MayBeLast(t.Code) {
			all[i].Code, all[i].Error = 0, withoutStore
		}
	}
	return all
}

// withoutStore replaces the message of an answer.
const withoutStore = "answered when the store may have ended"

// discard removes an answer that the missing store may have caused.
func discard(x *history.Exchange, at, since float64) {
	if at >= since && statuscode.MayBeLast(x.Code) {
		*x = history.Exchange{Method: x.Method, Path: x.Path, Query: x.Query, ContentType: x.ContentType, Sent: x.Sent, SentBytes: x.SentBytes,
			Error: withoutStore, Seconds: x.Seconds}
	}
}

// lastGood returns the time of the last request that was answered well and that a server cannot
// answer without the store.
func lastGood(h *history.History) (at float64) {
	for _, op := range h.Operations {
		if op.Exchange.Succeeded() && asksStore(op) {
			at = max(at, op.At-op.Exchange.Seconds)
		}
	}
	return at
}

// asksStore reports whether a request cannot be answered from a cache.
func asksStore(op history.Operation) bool {
	return !op.Watched && op.Purpose != history.Try && op.Purpose != history.Probe && op.Purpose != history.Bare &&
		!strings.Contains(op.Exchange.Query, "dryRun=") && !strings.Contains(op.Exchange.Query, "resourceVersion=")
}
