package cluster

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync/atomic"
)

// maxAnswer bounds one answer. A chunk that is larger is read again in smaller chunks.
const maxAnswer = 64 << 20

// errTooLarge is the error of an answer over the limit.
var errTooLarge = fmt.Errorf("the answer is larger than %d MiB", maxAnswer>>20)

// RefusedError is the error of a request that is not a plain GET. It was not sent.
type RefusedError struct{ Method, Path string }

// Error names the request.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s %s was not sent: skewsim only reads from a cluster", e.Method, e.Path)
}

// readOnly is a transport that sends nothing but plain GETs.
type readOnly struct {
	http.RoundTripper
	sent *atomic.Int64
}

// RoundTrip sends a GET, and refuses any other request: another method can write, and so can a
// GET that upgrades its connection, as exec does.
func (t readOnly) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method != http.MethodGet || r.Header.Get("Upgrade") != "" || r.ContentLength != 0 {
		if r.Body != nil {
			r.Body.Close()
		}
		return nil, &RefusedError{r.Method, r.URL.Path}
	}
	t.sent.Add(1)
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &bounded{ReadCloser: answer.Body, left: maxAnswer}
	return answer, nil
}

// bounded is a body that ends in an error after the limit.
type bounded struct {
	io.ReadCloser
	left int64
}

// Read reads up to the limit.
func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, errTooLarge
	}
	return n, err
}

// isTooLarge reports whether an answer was over the limit.
func isTooLarge(err error) bool { return errors.Is(err, errTooLarge) }
