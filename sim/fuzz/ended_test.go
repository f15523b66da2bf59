package fuzz

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
)

// child is a server that has ended, or still runs.
type child struct {
	servers.Process
	done chan struct{}
	err  error
}

func (c child) Done() <-chan struct{} { return c.done }
func (c child) Err() error            { return c.err }

func running() child { return child{done: make(chan struct{})} }

func ended(err error) child {
	c := child{done: make(chan struct{}), err: err}
	close(c.done)
	return c
}

var died = &servers.ExitError{Name: "lap-on-new", Build: "gadget@1.2", Status: "was killed by signal 9 (killed)", Ready: true, Log: "x.log"}

// TestBury: the death of a server replaces the error of the request that it left without an
// answer; other errors stay.
func TestBury(t *testing.T) {
	silent := &NoAnswerError{What: "GET /x through v1.2", Err: errors.New("connection refused")}
	assert.Equal(t, error(died), bury(t.Context(), silent, false, running(), ended(died)))
	assert.Equal(t, error(died), bury(t.Context(), silent, false, ended(died), running()))
	assert.Equal(t, error(silent), bury(t.Context(), silent, false, ended(nil), running()), "it was stopped")
	assert.Equal(t, assert.AnError, bury(t.Context(), assert.AnError, false, running(), ended(died)), "it has nothing to do with it")
	assert.Equal(t, error(died), bury(t.Context(), nil, true, running(), ended(died)), "its last answers were bad ones")
	assert.NoError(t, bury(t.Context(), nil, true, running(), ended(nil)), "it did not die: what it said is its answer")
	assert.NoError(t, bury(t.Context(), nil, false, running(), ended(died)), "it took all that it was sent")
	stopped, stop := context.WithCancel(t.Context())
	stop()
	assert.Equal(t, error(silent), bury(stopped, silent, false, running(), ended(died)), "the user ended it")
}

// cutOff is a lap of four objects: one could not be read, but its server answered normally
// afterwards; one could not be read at the end; one was under way, and came back broken;
// and one never began.
func cutOff(ended error) *Result {
	r := &Result{Old: "v1.1", New: "v1.2", Count: 4, Replay: "skewsim fuzz x"}
	f := &fuzzer{config: Config{Count: 4}, result: r, byKey: map[string]int{}, kinds: []string{"Gadget"}}
	at := Place{Role: term.New, Resource: client.Discovered{APIVersion: "v1", Kind: "Gadget"}}
	l := &lap{fuzzer: f, plan: lapPlan{name: "on"}, releases: map[term.Role]*Release{term.Old: {Version: "v1.1"}, term.New: {Version: "v1.2", Served: []client.Discovered{at.Resource}}}}
	l.releases[term.New].AnsweredWell(5)
	said := func(code int, when int64) Fact {
		return Fact{Check: term.CheckStaysWritable, Class: term.Violation, Through: at, Code: code, When: when, Diff: Difference{Outcome: term.Frozen}}
	}
	broken := Fact{Check: term.CheckNothingLost, Class: term.Violation, Through: at, Diff: Difference{Path: fieldpath.MakePathOrDie("spec", "size"), Outcome: term.Lost, Before: int64(5)}}
	unread := Fact{Check: term.CheckEverythingDecodes, Class: term.Violation, Through: at, Code: 503, Diff: Difference{Outcome: term.Undecodable}}
	journeys := []*journey{{number: 0, accepted: true, done: true}, {number: 1, accepted: true, done: true}, {number: 2, accepted: true}, nil}
	for _, j := range journeys[:3] {
		j.traveller, j.object = &Traveller{Trip: Trip{Kind: "Gadget", Origin: at, Releases: l.releases}}, map[string]any{"number": j.number}
	}
	journeys[0].facts = []Fact{said(500, 4), said(422, 5)}
	journeys[1].facts = []Fact{said(503, 5)}
	journeys[2].facts = []Fact{broken, unread}
	if err := l.conclude(context.Background(), journeys, ended); err != nil {
		r.Ended = whyEnded(context.Background(), err)
	}
	r.judge()
	return r
}

// TestCutOff: facts from before the end are kept, also those of the object that was under
// way, but not the answers of a dying server.
func TestCutOff(t *testing.T) {
	r := cutOff(died)
	require.Len(t, r.Laps, 1)
	assert.Equal(t, []Object{{"Gadget", 2}}, r.Laps[0].Underway)
	k := r.Laps[0].Kinds[0]
	assert.Equal(t, []int{2, 2, 2}, []int{k.Objects, k.Accepted, k.Unfinished})
	require.Len(t, r.Violations(), 3)
	for i, first := range []int{0, 0, 2} {
		assert.Equal(t, first, r.Violations()[i].First)
	}
	assert.Equal(t, ".spec.size", r.Violations()[2].Path)
	assert.Equal(t, map[string]any{"number": 2}, r.Violations()[2].Object, "nobody is left to ask whether a smaller one fails")
	assert.Equal(t, term.Fail, r.Verdict)
	var text bytes.Buffer
	require.NoError(t, Text(&text, *r))
	for _, want := range []string{
		"    and 2 journeys were unfinished\n",
		"  and it ended early: server lap-on-new (gadget@1.2) died: was killed by signal 9 (killed); log: x.log\n",
		"  under way then, features on: #2; play one again: skewsim fuzz x --only 2\n",
	} {
		assert.Contains(t, text.String(), want)
	}
	assert.Len(t, cutOff(assert.AnError).Violations(), 5, "no server died: 503 is its answer")
}

// TestDoubtful: an answer is doubtful only if the server gave no normal one after it, on
// any journey.
func TestDoubtful(t *testing.T) {
	r := &Release{}
	tr := &Traveller{Trip: Trip{Releases: map[term.Role]*Release{term.New: r}}}
	with := func(code int) []*journey {
		return []*journey{nil, {traveller: tr, done: true, facts: []Fact{{Through: Place{Role: term.New}, Code: code, When: 7}}}}
	}
	for _, number := range []int64{3, 7, 5} { // 7 was sent before the answer came
		r.AnsweredWell(number)
	}
	assert.True(t, doubtful(with(503)))
	assert.True(t, doubtful(with(429)))
	assert.False(t, doubtful(with(422)))
	r.AnsweredWell(8)
	assert.False(t, doubtful(with(503)))
}

// TestPartly: a run that ended early is no pass, and reports how far it came.
func TestPartly(t *testing.T) {
	lap := func(objects, unfinished int) Lap {
		return Lap{Features: "off", Kinds: []KindLap{{Kind: "Gadget", Objects: objects, Accepted: objects, Unfinished: unfinished}}}
	}
	for name, c := range map[string]struct {
		r    Result
		word term.VerdictWord
		why  string
	}{
		"to the end":         {Result{Laps: []Lap{lap(4, 0)}}, term.Pass, "every value came back as it was acknowledged, except for expected impacts"},
		"early":              {Result{Laps: []Lap{lap(3, 1)}, Ended: "out of time"}, term.Unknown, "the run ended early (features off), after 3 of 4 journeys, and nothing was broken by then: out of time"},
		"before it began":    {Result{Ended: "it was interrupted"}, term.Unknown, "no object was sent: it was interrupted"},
		"with what it found": {Result{Laps: []Lap{lap(3, 1)}, Ended: "out of time", Findings: []Finding{{Class: term.Violation}}}, term.Fail, "1 finding breaks a rule"},
		"with an impact":     {Result{Laps: []Lap{lap(3, 1)}, Ended: "out of time", Findings: []Finding{{Class: term.Impact}}}, term.Unknown, "the run ended early (features off), after 3 of 4 journeys, and nothing was broken by then: out of time"},
	} {
		c.r.judge()
		var text bytes.Buffer
		require.NoError(t, Text(&text, c.r), name)
		assert.Contains(t, text.String(), "  seed 0\n  "+c.why+"\n", name)
		assert.Equal(t, []string{string(c.word), c.why}, []string{string(c.r.Verdict), c.r.Reason}, name)
	}
}
