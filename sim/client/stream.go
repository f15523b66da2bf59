package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// lineLimit bounds one line of a stream. etcd holds objects of 1.5 MiB at most,
// and an event shows one, in the longer words of JSON.
const lineLimit = 32 << 20

// ErrLongLine reports that a stream ended at a line longer than any event.
var ErrLongLine = fmt.Errorf("a line is longer than %d bytes, which no event has to be", lineLimit)

// Stream is an answer that goes on line by line until somebody ends it: a
// watch. As a whole it has no limit of time or length; each of its lines has.
type Stream struct {
	body  io.ReadCloser
	lines *bufio.Scanner
	end   context.CancelFunc
	broke bool
	// panicked asks whether the server panicked as it served the stream.
	panicked func() *Panic
}

// Stream sends one request and returns when its answer begins, which must be in
// the time that any other answer has. A stream that does not begin is nil, and
// the answer says why. It ends with ctx, and must be closed.
func (c *Connection) Stream(ctx context.Context, r Request) (*Stream, Answer) {
	within, cancel := context.WithCancelCause(ctx)
	end := func() { cancel(nil) }
	req, err := c.request(within, r)
	if err != nil {
		end()
		return nil, Answer{Err: err}
	}
	auditID := identified(req)
	s, a := c.begin(within, req, cancel)
	if s == nil {
		end()
		return nil, c.explained(ctx, a, auditID)
	}
	s.panicked = func() *Panic { return c.explained(ctx, Answer{Err: errBroke}, auditID).Panic }
	return s, a
}

// errBroke is what is wrong with an answer that broke off after it had begun.
var errBroke = errors.New("the stream broke")

// begin sends the request of a stream.
func (c *Connection) begin(ctx context.Context, req *http.Request, cancel context.CancelCauseFunc) (*Stream, Answer) {
	endless := *c.http
	endless.Timeout = 0
	late := time.AfterFunc(c.within, func() { cancel(fmt.Errorf("no answer within %s", c.within)) })
	began := time.Now()
	res, err := endless.Do(req)
	if inTime := late.Stop(); !inTime || err != nil {
		if err == nil {
			res.Body.Close()
		}
		return nil, Answer{Err: errors.Join(err, context.Cause(ctx)), Took: time.Since(began), late: !inTime}
	}
	a := Answer{Code: res.StatusCode, Warnings: warnings(res.Header), Took: time.Since(began)}
	if !a.Succeeded() {
		return nil, refused(res, a)
	}
	return newStream(unlimited(res.Body), func() { cancel(nil) }, lineLimit), a
}

// refused reads the answer of a stream that does not begin.
func refused(res *http.Response, a Answer) Answer {
	defer res.Body.Close()
	a.Body, a.Err = io.ReadAll(io.LimitReader(res.Body, maxStatus))
	a.Status = statusIn(a.Body)
	return a
}

// unlimited is a body without the limit that holds for a whole answer.
func unlimited(body io.ReadCloser) io.ReadCloser {
	if b, ok := body.(*boundedBody); ok {
		return b.ReadCloser
	}
	return body
}

func newStream(body io.ReadCloser, end context.CancelFunc, limit int) *Stream {
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, limit)
	return &Stream{body: body, lines: lines, end: end}
}

// Next waits for the next line. It is good until the call after. At the end
// of the stream the error is io.EOF.
func (s *Stream) Next() ([]byte, error) {
	if s.lines.Scan() {
		return s.lines.Bytes(), nil
	}
	switch err := s.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, ErrLongLine
	case err != nil:
		s.broke = true
		return nil, fmt.Errorf("%w: %w", errBroke, err)
	}
	return nil, io.EOF
}

// Panic is the panic of the server that broke the stream; nil: it ended in another way.
func (s *Stream) Panic() *Panic {
	if !s.broke || s.panicked == nil {
		return nil
	}
	return s.panicked()
}

// Close ends the stream, whoever waits for a line of it.
func (s *Stream) Close() {
	s.end()
	_ = s.body.Close() // nothing more is wanted of it
}
