package skewtest

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
)

// source is a scenario to run.
type source struct {
	name  string // of its subtest, if there are several
	load  func(context.Context) (*scenarios.Scenario, error)
	files func() (fstest.MapFS, error) // written into the run directory; nil if the user has the files
}

// run runs one scenario in the test itself, and several in parallel subtests. Subtests that
// -run leaves out are not run.
func (e *Env) run(t *testing.T, sources []source) {
	t.Helper()
	b := &batch{env: e, ctx: t.Context()}
	if len(sources) == 1 {
		b.add(t, sources[0])
		b.report(t)
		return
	}
	for _, s := range sources {
		t.Run(s.name, func(t *testing.T) {
			b.add(t, s)
			t.Parallel() // continues when all subtests are added
			b.report(t)
		})
	}
}

// batch is the scenarios of one call of Run. Scenarios that can share servers do.
type batch struct {
	env   *Env
	ctx   context.Context // ends after the subtests of the test that calls Run
	cells []*campaign.Cell
	tests map[*campaign.Cell]*member
	once  sync.Once
}

// member is one scenario of a batch, with its test.
type member struct {
	t      testing.TB
	source source
	judged *judged
	ended  campaign.Ended
	done   chan struct{} // closed when it has ended
}

// add validates a scenario and plans its run. It fails the test at once if that is not
// possible.
func (b *batch) add(t testing.TB, s source) {
	t.Helper()
	loaded, err := s.load(t.Context())
	if err != nil {
		t.Fatalf("%v", err)
	}
	dir, err := b.env.runDir(t, loaded.Name)
	if err != nil {
		t.Fatalf("run directory: %v", err)
	}
	run, err := b.env.request(t.Context(), t, loaded, dir)
	if err != nil {
		t.Fatalf("%v", err)
	}
	c := &campaign.Cell{Run: run, Named: s.name}
	b.cells = append(b.cells, c)
	if b.tests == nil {
		b.tests = map[*campaign.Cell]*member{}
	}
	b.tests[c] = &member{t: t, source: s, judged: &judged{}, done: make(chan struct{})}
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

// play executes the runs, those of a group on the same servers. An interrupt or the end of
// their test stops the servers and writes the reports.
func (b *batch) play() {
	ctx, stop := signal.NotifyContext(b.ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	runner := &campaign.Runner{
		Engine: b.env.engine, Retries: b.env.config.retries, Counted: true,
		Show: b.show,
	}
	for _, g := range campaign.Share(b.cells, false) {
		runner.Play(ctx, g, func(e campaign.Ended) {
			if e.Again {
				return
			}
			m := b.tests[e.Cell]
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

// keep writes the scenario and its objects into the run directory, so that skewsim run can
// repeat it without the test.
func (m *member) keep(dir string) error {
	if m.source.files == nil || dir == "" {
		return nil
	}
	files, err := m.source.files()
	if err != nil {
		return err
	}
	return os.CopyFS(filepath.Join(dir, "scenario"), files)
}
