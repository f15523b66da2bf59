package client

import (
	"fmt"
	"io"
	"net/http"
)

// bounded is a transport whose answers end in an error when they are longer
// than the limit.
type bounded struct {
	http.RoundTripper
	limit int64
}

// RoundTrip sends the request and bounds its answer.
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := b.RoundTripper.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	answer.Body = &boundedBody{ReadCloser: answer.Body, left: b.limit, limit: b.limit}
	return answer, nil
}

type boundedBody struct {
	io.ReadCloser
	left, limit int64
}

// Read reads up to the limit and one byte more, by which it knows that there is more.
func (b *boundedBody) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, fmt.Errorf("the answer is longer than %d bytes", b.limit)
	}
	return n, err
}
