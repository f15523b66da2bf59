package skewtest

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// files are a scenario's file and those of its objects.
type files = fstest.MapFS

// source is a scenario to run.
type source struct {
	name  string // of its subtest, if there are several
	at    positions
	load  func(context.Context) (*scenarios.Scenario, error)
	files func() (files, error) // written into the run directory; nil if the user has the files
}

// run runs one scenario in the test itself, and several in parallel subtests. Subtests that
// -run leaves out are not run.
func (e *Env) run(t *testing.T, sources []source) {
	t.Helper()
	b := &batch{env: e, t: t}
	switch len(sources) {
	case 0:
		t.Fatal("skewtest: nothing to run: pass at least one scenario")
	case 1:
		b.add(t, sources[0])
		b.report(t)
		return
	}
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			t.Helper()
			b.add(t, s)
			t.Parallel() // continues when all subtests are added
			b.report(t)
		})
	}
	if e.short && !t.Failed() {
		t.Skip(onlyPlanned)
	}
}

// onlyPlanned is why a test is skipped whose scenarios are right.
const onlyPlanned = "validated and planned, and not run: -short starts no API server"

// batch is the scenarios of one call of Run. Scenarios that can share servers do.
type batch struct {
	env   *Env
	t     *testing.T // the test that calls Run
	cells []*campaign.Cell
	tests map[*campaign.Cell]*member
	once  sync.Once
}

// member is one scenario of a batch, with its test.
type member struct {
	t      testing.TB
	source source
	run    engine.Run
	judged *judged
	ended  campaign.Ended
	done   chan struct{} // closed when it has ended
}

// add validates a scenario and plans its run. It fails the test at once if that is not
// possible, and skips it with -short otherwise.
func (b *batch) add(t testing.TB, s source) {
	t.Helper()
	m := b.env.plan(t, s)
	if b.env.short {
		m.logSkipped()
		t.Skip(onlyPlanned)
	}
	c := &campaign.Cell{Run: m.run, Named: s.name}
	b.cells = append(b.cells, c)
	if b.tests == nil {
		b.tests = map[*campaign.Cell]*member{}
	}
	b.tests[c] = m
}

// plan returns the planned run of a scenario, or fails the test.
func (e *Env) plan(t testing.TB, s source) *member {
	t.Helper()
	m := &member{t: t, source: s, judged: &judged{}, done: make(chan struct{})}
	failIfInterrupted(t)
	loaded, err := s.load(t.Context())
	if err != nil {
		t.Fatalf("%v", s.at.explain(err, nil))
	}
	dir := ""
	if !e.short {
		if dir, err = e.runDir(t, loaded.Name); err != nil {
			t.Fatalf("skewtest: run directory: %v", err)
		}
	}
	if m.run, err = e.request(t.Context(), loaded, dir); err != nil {
		t.Fatalf("%v", s.at.explain(err, loaded))
	}
	return m
}

// report waits for the end of a test's run and reports the findings. The first test that
// calls it starts all runs of the batch.
func (b *batch) report(t testing.TB) {
	t.Helper()
	b.once.Do(func() { go b.play() })
	for _, m := range b.tests {
		if m.t == t {
			<-m.done
			m.report()
		}
	}
}

// play executes the runs, those of a group on the same servers. An interrupt, the end of
// their test and its deadline stop the servers and write the reports. A second interrupt ends
// the process, as it does without this package.
func (b *batch) play() {
	ctx, cancel := beforeDeadline(b.t)
	defer cancel()
	defer handleInterrupts()()
	ctx, stop := untilInterrupt(ctx)
	defer stop()
	runner := &campaign.Runner{
		Engine: b.env.engine, Retries: b.env.config.retries, Counted: true,
		Attempted: func(c *campaign.Cell, o engine.Outcome) { b.tests[c].logFailure(o) },
		Show:      b.show,
	}
	for _, g := range campaign.Share(b.cells, false) {
		runner.Play(ctx, g, func(e campaign.Ended) {
			m := b.tests[e.Cell]
			if e.Again {
				m.logAgain(e)
				return
			}
			m.ended = e
			close(m.done)
		})
	}
}

// show logs an attempt of a cell in its test. What an earlier attempt found does not count: an
// infrastructure failure ended it, or it was in a shared run and is repeated alone.
func (b *batch) show(c *campaign.Cell, transcript io.Writer) engine.Events {
	m := b.tests[c]
	*m.judged = judged{}
	return &events{member: m, transcript: transcript}
}

// graceful is how long before a test's deadline its runs end, at most: a fifth of the time
// that is left is enough for reports.
const graceful = 30 * time.Second

// beforeDeadline returns a context that ends with the test, or early enough before its
// deadline to write reports.
func beforeDeadline(t *testing.T) (context.Context, context.CancelFunc) {
	at, limited := t.Deadline()
	if !limited {
		return context.WithCancel(t.Context())
	}
	at = at.Add(-min(graceful, time.Until(at)/5))
	return context.WithDeadlineCause(t.Context(), at, engine.TimeoutError{})
}

// keep writes the scenario and its objects into the run directory, so that skewsim run can
// repeat it without the test.
func (m *member) keep(dir string) error {
	if m.source.files == nil || dir == "" {
		return nil
	}
	all, err := m.source.files()
	if err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(dir, "scenario"), all)
}
