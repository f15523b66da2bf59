package trace

import (
	"net/http"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// whileStoreLived is the history without what servers did for want of a store that had ended:
// such answers are as if none had come, and such deaths as if nobody had seen them. An
// end of the store is known only a while after it, so it counts from the last request
// that was answered as only a store lets a server answer.
func whileStoreLived(h *history.History) *history.History {
	if h.End == nil || h.End.Outcome != history.StoreFailed {
		return h
	}
	t, since := *h, lastGood(h)
	t.Operations = slices.Clone(h.Operations)
	for i := range t.Operations {
		bury(&t.Operations[i].Exchange, t.Operations[i].At, since)
	}
	t.Listings = slices.Clone(h.Listings)
	for i := range t.Listings {
		bury(&t.Listings[i].Exchange, t.Listings[i].At, since)
	}
	t.Watches = slices.Clone(h.Watches)
	for i, w := range t.Watches {
		if w.At >= since && spoiled(w.Code) {
			t.Watches[i].Code = 0
		}
	}
	t.Trials = storedTrials(h)
	// Had one ended first, the run would have ended of it.
	t.Servers = slices.DeleteFunc(slices.Clone(h.Servers), func(s history.Server) bool { return s.Event == history.Died })
	return &t
}

// storedTrials are the trials, each of them on a scratch store of its release.
func storedTrials(h *history.History) []history.Trial {
	since := map[term.Role]float64{}
	for _, t := range h.Trials {
		if t.Trial == history.TrialGet && t.Code == http.StatusOK {
			since[t.Role] = max(since[t.Role], t.At-t.Seconds)
		}
	}
	all := slices.Clone(h.Trials)
	for i, t := range all {
		if t.At >= since[t.Role] && spoiled(t.Code) {
			all[i].Code, all[i].Error = 0, withoutStore
		}
	}
	return all
}

// withoutStore takes the place of an answer.
const withoutStore = "answered when the store may have ended"

// bury takes back an answer that may be for want of a store.
func bury(x *history.Exchange, at, since float64) {
	if at >= since && spoiled(x.Code) {
		*x = history.Exchange{Method: x.Method, Path: x.Path, Query: x.Query, ContentType: x.ContentType, Sent: x.Sent, SentBytes: x.SentBytes,
			Error: withoutStore, Seconds: x.Seconds}
	}
}

// spoiled reports whether an answer may be for want of a store.
func spoiled(code int) bool {
	return code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
}

// lastGood is when the last request was sent that was answered well, and that a server
// asks the store for.
func lastGood(h *history.History) (at float64) {
	for _, op := range h.Operations {
		if op.Exchange.Succeeded() && asksStore(op) {
			at = max(at, op.At-op.Exchange.Seconds)
		}
	}
	return at
}

// asksStore tells of a request that no cache can answer.
func asksStore(op history.Operation) bool {
	return op.Purpose != history.Try && op.Purpose != history.Probe && op.Purpose != history.Bare &&
		!strings.Contains(op.Exchange.Query, "dryRun=") && !strings.Contains(op.Exchange.Query, "resourceVersion=")
}
