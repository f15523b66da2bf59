package fuzz

import "github.com/skewsim/skewsim/sim/statuscode"

// NoAnswerError reports that a request got no HTTP answer, or the answer of a server that
// is ending. It says nothing about the object, and ends the run.
type NoAnswerError struct {
	What string
	Err  error
}

// Error names the request, and why there is no answer.
func (e *NoAnswerError) Error() string { return e.What + ": " + e.Err.Error() }

func (e *NoAnswerError) Unwrap() error { return e.Err }

// IsDoubtful reports whether a fact depends on an answer that may be that of a server which is ending or overloaded,
// and so says nothing about the object.
func (f Fact) IsDoubtful() bool { return statuscode.MayBeLast(f.Code) }

// AnsweredWell notes that the server answered the request of this number normally, and so
// was not ending.
func (r *Release) AnsweredWell(number int64) {
	for last := r.well.Load(); last < number && !r.well.CompareAndSwap(last, number); last = r.well.Load() {
	}
}

// MayBeLastWords reports whether a fact is doubtful and its server answered no later
// request normally: if it died, it may have been ending by then.
func (t *Trip) MayBeLastWords(f Fact) bool {
	return f.IsDoubtful() && t.Releases[f.Through.Role].well.Load() <= f.When
}
