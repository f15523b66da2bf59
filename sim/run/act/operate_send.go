package act

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// sender sends the requests of one operation as its client does, and records them.
type sender struct {
	actor  *Actor
	step   plan.Step
	copy   plan.Copy
	client client.Client
	turn   int // the number of the attempt, after conflicts
}

// call is one request of an act.
type call struct {
	to           *fleet.Replica
	purpose      history.Purpose
	method, path string
	query        map[string]string
	body         client.Body
	follows      string // the version that is followed instead of the copy's own; "": that one
}

// request returns the call as it is sent. GETs of observations have the simulator's own
// user agent.
func (s *sender) request(c call) client.Request {
	r := client.Request{Method: c.method, Path: c.path, Query: c.query, ContentType: c.body.ContentType, Body: c.body.Bytes}
	if c.purpose == history.Look {
		return r
	}
	r.UserAgent = "skewsim-" + string(s.step.Client)
	if s.step.Encoding == term.Protobuf {
		r.Accept = client.AcceptProtobuf
	}
	return r
}

// send sends one request, once, and records it with its answer. It returns a protobuf body
// as the client's types decode it.
func (s *sender) send(ctx context.Context, c call) (client.Answer, error) {
	_, plain, err := s.sendRecorded(ctx, c)
	return plain, err
}

// sendRecorded sends as send does, and returns also what was recorded.
func (s *sender) sendRecorded(ctx context.Context, c call) (history.Exchange, client.Answer, error) {
	r := s.request(c)
	if err := s.intend(c); err != nil {
		return history.Exchange{}, client.Answer{}, err
	}
	answer := c.to.Conn.Do(ctx, r)
	plain, unread, err := s.decode(ctx, c, answer)
	x, recordErr := s.record(c, plain, answer, unread)
	err = errors.Join(err, recordErr)
	switch {
	case err != nil:
	case answer.TimedOut():
		// All later requests would wait as long: the server is as good as dead.
		err = fmt.Errorf("replica %s (%s) did not answer %s %s within %s; log: %s", c.to.Name, s.actor.Known.Version(c.to.Role),
			r.Method, r.Path, answer.Took.Round(time.Second), c.to.Process.LogPath())
	case unread != nil && c.purpose == history.Read:
		err = unread // the client has nothing to write back
	}
	return x, plain, err
}

// intend records a write before it is sent.
func (s *sender) intend(c call) error {
	if c.method == http.MethodGet || c.query["dryRun"] != "" {
		return nil
	}
	return s.actor.Recorder.Intend(history.Operation{Step: s.step.Number, Copy: s.copy.Name, Purpose: c.purpose, Turn: s.turn})
}

// decode returns the answer as the client holds it, and why it cannot decode it, if so: an
// answer that a client cannot decode is an effect of one release on another.
func (s *sender) decode(ctx context.Context, c call, answer client.Answer) (plain client.Answer, unread, err error) {
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
		plain.Body, err = s.client.Types.Carry(ctx, answer.Body, from, term.JSON)
		if _, unfit := s.skipped(err); unfit {
			unread, err = err, nil
		}
	}
	if unread != nil || from == term.JSON {
		plain.Body = answer.Body // the record has the served form
	}
	return plain, unread, err
}

// record records a call: its request and answer as JSON and, if they were not JSON, also
// the bytes.
func (s *sender) record(c call, plain, answer client.Answer, unread error) (history.Exchange, error) {
	r := s.request(c)
	r.Body = c.body.JSON
	x, err := s.actor.Recorder.Exchange(r, plain)
	if err != nil {
		return x, err
	}
	if client.IsProtobuf(c.body.Bytes) {
		if x.SentBytes, err = s.actor.Recorder.History.Bytes(c.body.Bytes); err != nil {
			return x, err
		}
	}
	if client.IsProtobuf(answer.Body) {
		if x.AnswerBytes, err = s.actor.Recorder.History.Bytes(answer.Body); err != nil {
			return x, err
		}
	}
	op := history.Operation{
		Step: s.step.Number, Copy: s.copy.Name, Purpose: c.purpose, Turn: s.turn,
		Replica: c.to.Name, Role: c.to.Role, Client: s.step.Client, Follows: c.follows, Exchange: x,
	}
	if unread != nil {
		op.Undecoded = fmt.Sprintf("%s cannot decode the answer: %s", s.step.Client, unread)
	}
	return x, s.actor.Recorder.Record(history.Record{Operation: &op})
}

// skipped returns why a step was skipped, if the error is a reason to skip: the client
// cannot make the request, or a server does not offer what it needs.
func (s *sender) skipped(err error) (string, bool) {
	var none *notPlayed
	if errors.As(err, &none) {
		return none.reason, true
	}
	var unfit *client.UnfitError
	if errors.As(err, &unfit) {
		return fmt.Sprintf("%s cannot: %s", s.step.Client, unfit), true
	}
	return "", false
}
