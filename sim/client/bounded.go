package client

import (
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
	"time"
)

// limits bound what answers may take of time and memory.
type limits struct {
	within   time.Duration // for a whole exchange, however it trickles in
	header   int64         // bytes of one answer's header
	body     int64         // bytes of one answer's body
	ordinary int64         // bytes of a body that are not counted as shared
	shared   *budget       // of all bodies that are being read, beyond ordinary
}

// budget is a number of bytes that answers have in common.
type budget struct {
	whole int64
	grown atomic.Int64 // instead of whole, where it is more
	used  atomic.Int64
}

// size is how many bytes there are in all.
func (b *budget) size() int64 { return max(b.whole, b.grown.Load()) }

// grow makes the budget so large at least.
func (b *budget) grow(to int64) {
	for {
		is := b.grown.Load()
		if to <= is || b.grown.CompareAndSwap(is, to) {
			return
		}
	}
}

// take takes n bytes, or nothing when fewer are left.
func (b *budget) take(n int64) bool {
	if b.used.Add(n) <= b.size() {
		return true
	}
	b.used.Add(-n)
	return false
}

func (b *budget) give(n int64) { b.used.Add(-n) }

// largeAnswers is what all answers of the process may take at once beyond what
// is ordinary: each one's limit alone would not bound the sum, and operations
// and looks go on at once.
var largeAnswers = &budget{whole: 256 << 20}

// usual are the limits of every connection. A LIST over an undecodable object
// can take long to be refused, but not longer than a watch cache waits. etcd
// holds objects of 1.5 MiB at most, and a run's LISTs some thousands of small
// ones. What is ordinary is never refused for what other answers take: one
// server's flood must not cost another's evidence.
func usual() limits {
	return limits{within: answerWithin, header: 1 << 20, body: 64 << 20, ordinary: 2 << 20, shared: largeAnswers}
}

const (
	// longestEver is how long an answer may be in the largest run.
	longestEver = 256 << 20
	// atOnce is how many of a run's longest answers are read at once.
	atOnce = 4
)

// allowing are the limits for a run whose answers may have to be so long.
func (l limits) allowing(longest int64) limits {
	if longest > l.body {
		l.body = min(longest, longestEver)
		l.shared.grow(atOnce * l.body)
	}
	return l
}

// bounded is a transport whose answers end in an error when they are longer
// than the limits allow.
type bounded struct {
	http.RoundTripper
	limits limits
}

// RoundTrip sends the request and bounds its answer.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &boundedBody{ReadCloser: answer.Body, limits: b.limits}
	return answer, nil
}

// boundedBody counts what is read, and takes from the budget what is not
// ordinary, until it is closed.
type boundedBody struct {
	io.ReadCloser
	limits      limits
	read, taken int64
}

// Read reads up to the limit and one byte more, by which it knows that there is more.
func (b *boundedBody) Read(p []byte) (int, error) {
	if left := b.limits.body - b.read; int64(len(p)) > left+1 {
		p = p[:left+1]
	}
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	if b.read > b.limits.body {
		return n - 1, fmt.Errorf("the answer is longer than %d bytes, which no answer of a run has to be: it is read no further", b.limits.body)
	}
	if more := b.read - b.limits.ordinary - b.taken; more > 0 {
		if !b.limits.shared.take(more) {
			return n, fmt.Errorf("other answers of %d bytes are being read, and more is not kept: this one is given up", b.limits.shared.size())
		}
		b.taken += more
	}
	return n, err
}

// Close gives back what was taken.
func (b *boundedBody) Close() error {
	b.limits.shared.give(b.taken)
	b.taken = 0
	return b.ReadCloser.Close()
}
