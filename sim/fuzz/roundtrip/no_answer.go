package roundtrip

import "net/http"

// NoAnswerError reports that a request got no HTTP answer at all, or the one of a server
// that is ending: it says nothing of the object, and ends the run.
type NoAnswerError struct {
	What string
	Err  error
}

// Error says what was asked, and why there is no answer.
func (e *NoAnswerError) Error() string { return e.What + ": " + e.Err.Error() }

func (e *NoAnswerError) Unwrap() error { return e.Err }

// IsEnding reports whether an answer may be that of a server which is ending, or cannot
// take more: it says nothing of the object then.
func IsEnding(code int) bool {
	return code == http.StatusTooManyRequests || code >= http.StatusInternalServerError
}

// IsDoubtful reports whether a fact depends on such an answer.
func (f Fact) IsDoubtful() bool { return IsEnding(f.Code) }

// AnsweredWell notes that the request of this number, of all that the server was
// sent, was answered as by one that is not ending.
func (r *Release) AnsweredWell(number int64) {
	for last := r.well.Load(); last < number && !r.well.CompareAndSwap(last, number); last = r.well.Load() {
	}
}

// MayBeLastWords reports whether a fact is doubtful and its server answered nothing well that
// it was asked afterwards: if it died, it may have been ending by then.
func (t *Trip) MayBeLastWords(f Fact) bool {
	return f.IsDoubtful() && t.Releases[f.Through.Role].well.Load() <= f.When
}
