package run

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// call is one request of an act.
type call struct {
	to           *replica
	purpose      history.Purpose
	method, path string
	query        map[string]string
	body         client.Body
	follows      string // the version that is followed in the place of the copy's own; "": it is that
}

// request is the call as it goes over the wire. Looks are nobody's: they are
// the simulator's own.
func (a *act) request(c call) client.Request {
	r := client.Request{Method: c.method, Path: c.path, Query: c.query, ContentType: c.body.ContentType, Body: c.body.Bytes}
	if c.purpose == history.Look {
		return r
	}
	r.UserAgent = "skewsim-" + string(a.step.Client)
	if a.step.Encoding == term.Protobuf {
		r.Accept = client.AcceptProtobuf
	}
	return r
}

// send sends one request, once, and records it with its answer. A body that
// came as protobuf is returned as the client's types decode it.
func (a *act) send(ctx context.Context, c call) (client.Answer, error) {
	r := a.request(c)
	if err := a.intend(c); err != nil {
		return client.Answer{}, err
	}
	answer := c.to.conn.Do(ctx, r)
	plain, unread, err := a.decode(ctx, c, answer)
	err = errors.Join(err, a.record(c, plain, answer, unread))
	switch {
	case err != nil:
	case answer.TimedOut():
		// All that follows would wait as long: the server is as good as dead.
		err = fmt.Errorf("replica %s (%s) did not answer %s %s within %s; log: %s", c.to.name, a.w.version(c.to.role),
			r.Method, r.Path, answer.Took.Round(time.Second), c.to.process.LogPath())
	case unread != nil && c.purpose == history.Read:
		err = unread // there is nothing to write back
	}
	return plain, err
}

// intend records the call before it is sent, if it writes.
func (a *act) intend(c call) error {
	if c.method == http.MethodGet || c.query["dryRun"] != "" {
		return nil
	}
	return a.w.intend(history.Operation{Step: a.step.Number, Copy: a.copy.Name, Purpose: c.purpose, Turn: a.turn})
}

// decode gives the answer as the client holds it, and why it cannot, if so: a
// client that gets what it cannot decode is one of the things that releases do
// to one another.
func (a *act) decode(ctx context.Context, c call, answer client.Answer) (plain client.Answer, unread, err error) {
	plain = answer
	from := term.JSON
	if client.IsProtobuf(answer.Body) {
		from = term.Protobuf
	}
	switch {
	case answer.Err != nil || c.purpose == history.Look:
		return answer, nil, nil
	case !answer.Succeeded() && from == term.Protobuf:
		plain.Status, plain.Body, unread = client.PlainStatus(answer.Body)
	case answer.Succeeded() && (from == term.Protobuf || c.method != http.MethodDelete):
		plain.Body, err = a.client.Types.Carry(ctx, answer.Body, from, term.JSON)
		if _, unfit := a.skipped(err); unfit {
			unread, err = err, nil
		}
	}
	if unread != nil || from == term.JSON {
		plain.Body = answer.Body // what is recorded is what was served
	}
	return plain, unread, err
}

// record writes down a call: what it sent and what it got as JSON, and beside
// it the bytes where they were no JSON.
func (a *act) record(c call, plain, answer client.Answer, unread error) error {
	r := a.request(c)
	r.Body = c.body.JSON
	x, err := a.w.exchange(r, plain)
	if err != nil {
		return err
	}
	if client.IsProtobuf(c.body.Bytes) {
		if x.SentBytes, err = a.w.config.History.Bytes(c.body.Bytes); err != nil {
			return err
		}
	}
	if client.IsProtobuf(answer.Body) {
		if x.AnswerBytes, err = a.w.config.History.Bytes(answer.Body); err != nil {
			return err
		}
	}
	op := history.Operation{
		Step: a.step.Number, Copy: a.copy.Name, Purpose: c.purpose, Turn: a.turn,
		Replica: c.to.name, Role: c.to.role, Client: a.step.Client, Follows: c.follows, Exchange: x,
	}
	if unread != nil {
		op.Undecoded = fmt.Sprintf("%s cannot decode the answer: %s", a.step.Client, unread)
	}
	return a.w.record(history.Record{Operation: &op})
}
