package campaign

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/result"
)

// Board shows the progress of a matrix. Text written to it is for people, and is printed
// above the progress.
type Board interface {
	io.Writer
	// Kept reports that the cell's run of an earlier matrix is kept, with its verdict.
	Kept(c *Cell, v term.VerdictWord)
	// Begun reports that the cell's run begins.
	Begun(c *Cell)
	// Again reports that the cell ended like this in a shared run and is executed once more
	// alone.
	Again(e Ended)
	// Ended reports the cell's final state.
	Ended(c *Cell, state matrix.Cell)
}

// MatrixConfig is what a matrix is executed with. All fields are required.
type MatrixConfig struct {
	Builds engine.Builds
	Runner *Runner
	Room   Room
	Board  Board
	// GiveUp gives up the builds that are not made yet, and returns an error text for each,
	// once.
	GiveUp func(ctx context.Context) []string
	// Result reads the result of a run directory, with its bytes, which are nil if there is
	// no readable result.
	Result func(dir string) (result.Result, []byte)
}

// Matrix is a matrix with its directory open.
type Matrix struct {
	layout *Layout
	dir    *Dir
	around surroundings
	config MatrixConfig
	mutex  sync.Mutex        // guards cells
	cells  map[*Cell]*record // during Execute
	// earlier is the state that an earlier matrix left.
	earlier matrix.State
	// unbuilt are the errors of builds that failed, and unkept is why they could not be
	// written.
	unbuilt []string
	unkept  error
}

// record is what a matrix knows about a cell while the matrix is executed.
type record struct {
	at     int // index in the state
	steps  int // of the whole group
	before matrix.Cell
	key    string
	builds []matrix.Build
	// unprepared are the attempts that an infrastructure failure ended before a run began.
	unprepared []engine.Outcome
	ended      []engine.Outcome // all attempts that an infrastructure failure ended, with those in the state
}

// OpenMatrix opens the directory of a matrix and removes nothing. With resume it reads the
// state of the earlier matrix. It returns an error if the directory cannot be a matrix's,
// if another matrix writes there, or if the earlier matrix is a different one.
func OpenMatrix(ctx context.Context, m *Layout, builds engine.Builds, resume bool) (*Matrix, error) {
	if err := CheckDir(m.Request.Dir); err != nil {
		return nil, err
	}
	around, err := surroundingsOf(ctx, builds, m.Request.Tool, m.Request.Store)
	if err != nil {
		return nil, err
	}
	dir, earlier, err := openDir(m.Request.Dir, resume)
	if err != nil {
		return nil, err
	}
	if err := m.holds(earlier); err != nil {
		return nil, errors.Join(err, dir.close())
	}
	return &Matrix{layout: m, dir: dir, around: around, earlier: earlier, cells: map[*Cell]*record{}}, nil
}

// Dir returns the directory of the matrix.
func (m *Matrix) Dir() string { return m.dir.Path }

// State returns the state of the matrix as it is.
func (m *Matrix) State() matrix.State { return m.dir.State() }

// Clear removes the files of an earlier matrix; with resume its runs and their state stay.
func (m *Matrix) Clear(resume bool) error { return m.dir.clear(resume) }

// Close unlocks the directory.
func (m *Matrix) Close() error { return m.dir.close() }

// Execute executes the rest of the matrix and keeps its state in matrix.json. When ctx
// ends, the current runs end too, and a matrix opened with resume continues from there. It
// returns an error if the state could not be written.
func (m *Matrix) Execute(ctx context.Context, c MatrixConfig) error {
	m.config = c
	m.config.Runner.Attempted = m.note
	m.start()
	m.unkept = m.dir.keepUnbuilt(nil)
	m.execute(ctx)
	m.dir.update(func(s *matrix.State) { s.Phase = phaseOf(*s) })
	return errors.Join(m.dir.err, m.unkept)
}

// start begins the state of a matrix with that of an earlier one. Finished cells stay in
// the state until they are executed again, so that a matrix that ends early forgets no
// result.
func (m *Matrix) start() {
	state := m.layout.State()
	state.Phase = matrix.Running
	for i, c := range m.layout.Cells {
		r := &record{at: i}
		for _, was := range m.earlier.Cells {
			if was.Dir == state.Cells[i].Dir && was.Pair == state.Cells[i].Pair {
				r.before = was
			}
		}
		state.Cells[i].Attempts = attemptsOf(r.before, nil)
		if r.before.Phase == matrix.Done {
			state.Cells[i] = r.left(state.Cells[i])
			state.Cells[i].Earlier = true
		}
		m.cells[c] = r
	}
	for _, g := range m.layout.Groups {
		for _, c := range g {
			m.cells[c].steps = max(1, g.steps())
		}
	}
	m.dir.update(func(s *matrix.State) { *s = state })
}

// left returns a cell of an earlier matrix, updated with what this matrix decides.
func (r *record) left(now matrix.Cell) matrix.Cell {
	c := r.before
	c.Journey, c.Estimate, c.Earlier = now.Journey, now.Estimate, false
	return c
}

// phaseOf returns the phase of a matrix that has ended.
func phaseOf(s matrix.State) matrix.Phase {
	if s.Totals.Left > 0 {
		return matrix.Interrupted
	}
	return matrix.Done
}

// execute executes the groups, the longest first, each as soon as its builds are made and
// there is room for it.
func (m *Matrix) execute(ctx context.Context) {
	groups := m.inOrder(ctx)
	turns := newTurns(m.config.Room, groups)
	jobs := make([]Job, len(groups))
	for i, g := range groups {
		jobs[i] = Job{Cells: g, Do: func(ctx context.Context, report func(Ended)) {
			if p, ok := turns.wait(ctx, i); ok {
				defer turns.end(i)
				m.group(ctx, p, report)
			}
		}}
	}
	var builder sync.WaitGroup
	builder.Go(func() { m.prepareAll(ctx, groups, turns) })
	builder.Go(func() { turns.give(ctx) })
	Queue(ctx, max(1, len(jobs)), jobs, func(e Ended) { m.report(ctx, e) })
	builder.Wait()
}

// inOrder returns the groups whose builds exist, then those that wait for builds.
func (m *Matrix) inOrder(ctx context.Context) (all []Group) {
	var later []Group
	for _, g := range m.layout.Groups {
		if slices.ContainsFunc(g[0].Run.Refs, func(ref servers.Reference) bool { return !m.config.Builds.IsBuilt(ctx, ref) }) {
			later = append(later, g)
		} else {
			all = append(all, g)
		}
	}
	return append(all, later...)
}

// prepareAll makes the builds of the groups one after the other, since each build uses all
// cores, and hands over each group as soon as its builds are made.
func (m *Matrix) prepareAll(ctx context.Context, groups []Group, turns *turns) {
	defer turns.close()
	for i, g := range groups {
		var p prepared
		for _, c := range g {
			if ctx.Err() != nil {
				return
			}
			o := m.prepareAgain(ctx, c)
			r := m.cells[c]
			switch {
			case ctx.Err() != nil:
				return
			case o.Err != nil:
				p.unmade = append(p.unmade, Ended{Cell: c, Outcome: engine.Outcome{Err: o.Err}})
			case r.before.IsDone(r.key, digestOf(c.Run.Dir)):
				m.keep(c)
			default:
				p.going = append(p.going, c)
			}
		}
		turns.ready(i, p)
	}
}

// prepareAgain prepares a cell, and retries after an infrastructure failure.
func (m *Matrix) prepareAgain(ctx context.Context, c *Cell) engine.Outcome {
	e := m.config.Runner.withRetries(ctx, Group{c}, func(ctx context.Context, _ Group, _ []string) []engine.Outcome {
		return []engine.Outcome{m.prepare(ctx, c)}
	})[0]
	if texts := m.config.GiveUp(ctx); len(texts) > 0 {
		m.unbuilt = append(m.unbuilt, texts...)
		m.unkept = m.dir.keepUnbuilt(m.unbuilt)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.cells[c].unprepared = slices.DeleteFunc(e.Attempts, func(o engine.Outcome) bool { return o.Fault().Kind != fault.Infrastructure })
	return e.Outcome
}

// prepare makes the builds of a cell and computes the key of its result. The run is planned
// anew when it is executed.
func (m *Matrix) prepare(ctx context.Context, c *Cell) engine.Outcome {
	if err := m.applies(ctx, c); err != nil {
		return engine.Outcome{Err: err}
	}
	planned := c.Run
	parts, err := m.config.Runner.Engine.Build(ctx, &planned, m.config.Runner.warn)
	if err != nil {
		return engine.Outcome{Err: err}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	r := m.cells[c]
	r.builds = buildsMade(parts)
	r.key, err = keyOf(planned, r.builds, m.around, time.Now())
	return engine.Outcome{Verdict: term.Pass, Err: err}
}

// applies compares the scenario with the builds themselves.
func (m *Matrix) applies(ctx context.Context, c *Cell) error {
	builds, err := m.config.Runner.Engine.Servers(ctx, c.Run.Refs)
	if err != nil {
		return err
	}
	pair := c.Pair
	for role, end := range map[term.Role]*pairing.Release{term.Old: &pair.Old, term.New: &pair.New} {
		is := engine.BuiltRelease(builds[role])
		end.Component, end.Version = is.Component, is.Version
	}
	return m.layout.Request.applies(c.Run.Scenario, c.Pair, pair)
}

// group executes the rest of a group.
func (m *Matrix) group(ctx context.Context, p prepared, report func(Ended)) {
	for _, e := range p.unmade {
		report(e)
	}
	if len(p.going) == 0 {
		return
	}
	m.mutex.Lock()
	for _, c := range p.going {
		r := m.cells[c]
		c.tried = attemptsOf(r.before, r.unprepared)
	}
	m.mutex.Unlock()
	m.begin(p.going)
	m.config.Runner.Play(ctx, p.going, report)
}

// keep takes over a cell's result from an earlier matrix.
func (m *Matrix) keep(c *Cell) {
	r := m.cells[c]
	m.dir.update(func(s *matrix.State) {
		s.Cells[r.at] = m.asJudged(r.left(s.Cells[r.at]), c.Run.Dir)
	})
	m.config.Board.Kept(c, r.before.Verdict)
}

// asJudged returns a cell with its result. A refusal of an object stays in the state,
// because the result does not record it.
func (m *Matrix) asJudged(c matrix.Cell, dir string) matrix.Cell {
	res, raw := m.config.Result(dir)
	if raw == nil || c.IsRefused() {
		return c
	}
	res = c.Counts(res)
	c.Verdict, c.Outcome, c.Reason = res.Verdict, matrix.OutcomeOf(res.Verdict), res.Reason
	return c
}

func (m *Matrix) begin(going Group) {
	m.dir.update(func(s *matrix.State) {
		for _, c := range going {
			r := m.cells[c]
			s.Cells[r.at] = c.waiting() // the run directory is rewritten
			s.Cells[r.at].Phase, s.Cells[r.at].Attempts = matrix.Running, attemptsOf(r.before, r.ended)
		}
	})
	for _, c := range going {
		m.config.Board.Begun(c)
	}
}

// note writes an attempt that an infrastructure failure ended, at once, so that the state
// has it if skewsim is killed. The result of an earlier matrix stays until the cell is
// executed again.
func (m *Matrix) note(c *Cell, last engine.Outcome) {
	if last.Fault().Kind != fault.Infrastructure {
		return
	}
	r := m.cells[c]
	m.dir.update(func(s *matrix.State) {
		r.ended = append(r.ended, last)
		if now := &s.Cells[r.at]; !now.Earlier || now.Infrastructure {
			now.Attempts = attemptsOf(r.before, r.ended)
		}
	})
}

// report writes a cell's outcome.
func (m *Matrix) report(ctx context.Context, e Ended) {
	if e.Again {
		m.config.Board.Again(e)
		return
	}
	state := m.outcome(ctx, e)
	m.dir.update(func(s *matrix.State) { s.Cells[m.cells[e.Cell].at] = state })
	m.config.Board.Ended(e.Cell, state)
}

// outcome returns a cell's outcome as the state has it.
func (m *Matrix) outcome(ctx context.Context, e Ended) matrix.Cell {
	c, r := e.Cell.waiting(), m.cells[e.Cell]
	m.mutex.Lock()
	c.Key, c.Builds = r.key, r.builds
	unprepared := r.unprepared
	m.mutex.Unlock()
	c.Phase, c.Outcome = matrix.Done, e.Word()
	var not notApplicableError
	if errors.As(e.Err, &not) {
		c.Phase, c.Outcome, c.Reason = matrix.NotApplicable, matrix.NotPlayed, not.why.Text
		return c
	}
	took, steps := e.Took.Seconds(), e.Cell.Run.Steps()
	c.Took, c.Seconds = Rounded(took), Rounded(took*float64(steps)/float64(max(r.steps, steps)))
	if e.With == 0 {
		c.Seconds = c.Took
	}
	c.Attempts = attemptsOf(r.before, slices.Concat(unprepared, e.Attempts))
	c.Infrastructure = e.Fault().Kind == fault.Infrastructure
	if e.Err != nil && ctx.Err() != nil && errors.Is(e.Err, context.Canceled) { // also if it was judged by what it saw
		c.Phase, c.Outcome, c.Reason = matrix.Interrupted, matrix.Ended, "interrupted"
		return c
	}
	c.Verdict = c.Outcome.Verdict()
	if res, raw := m.config.Result(e.Cell.Run.Dir); raw != nil && len(e.Attempts) > 0 {
		c.Result, c.Reason = digest(raw), res.Reason
	}
	if c.Infrastructure || c.Result == "" {
		c.Reason = FirstLine(e.Err)
	}
	return c
}
