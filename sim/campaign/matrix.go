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

// Board is told how a matrix goes on, while it does. What is written to it is for people, and
// stands above what it shows.
type Board interface {
	io.Writer
	// Kept: an earlier matrix has left the cell's run, with that verdict.
	Kept(c *Cell, v term.VerdictWord)
	// Begun: the cell's run begins.
	Begun(c *Cell)
	// Again: the cell ended so in a shared run, and is executed once more alone.
	Again(e Ended)
	// Ended: the cell has come to its end, and has that state.
	Ended(c *Cell, state matrix.Cell)
}

// MatrixConfig is what a matrix is executed with. All is required.
type MatrixConfig struct {
	Builds engine.Builds
	Runner *Runner
	Room   Room
	Board  Board
	// GiveUp gives up builds that could not be made by now, and returns what is said of
	// each, once.
	GiveUp func(ctx context.Context) []string
	// Result reads the result of a run directory, with its bytes; nil bytes: it has none
	// that can be read.
	Result func(dir string) (result.Result, []byte)
}

// Matrix is a matrix whose directory is opened.
type Matrix struct {
	layout *Layout
	dir    *Dir
	around surroundings
	config MatrixConfig
	mutex  sync.Mutex        // of cells
	cells  map[*Cell]*record // while it is executed
	// earlier is what an earlier matrix has left.
	earlier matrix.State
	// unbuilt is what was said of builds that could not be made, and unkept what has kept
	// it from being written.
	unbuilt []string
	unkept  error
}

// record is what is known of a cell while its matrix is executed.
type record struct {
	at     int // in the state
	steps  int // of all of its group
	before matrix.Cell
	key    string
	builds []matrix.Build
	// unprepared are the attempts that the infrastructure ended before a run began.
	unprepared []engine.Outcome
	ended      []engine.Outcome // all those that the infrastructure ended; with the state
}

// OpenMatrix opens the directory of a matrix, before anything of an earlier one is removed.
// With resume it holds what the earlier one has left. Errors: the directory cannot be a
// matrix's, another matrix writes there, or the earlier one is not this matrix.
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

// Clear removes what an earlier matrix has left; with resume its runs and their state stay.
func (m *Matrix) Clear(resume bool) error { return m.dir.clear(resume) }

// Close lets other matrices have the directory.
func (m *Matrix) Close() error { return m.dir.close() }

// Execute executes what is left of the matrix, and keeps its state in matrix.json. When ctx
// ends, so do the runs that go on, and Open with resume goes on from there. Error: the state
// could not be written.
func (m *Matrix) Execute(ctx context.Context, c MatrixConfig) error {
	m.config = c
	m.config.Runner.Attempted = m.note
	m.start()
	m.unkept = m.dir.keepUnbuilt(nil)
	m.execute(ctx)
	m.dir.update(func(s *matrix.State) { s.Phase = phaseOf(*s) })
	return errors.Join(m.dir.err, m.unkept)
}

// start begins the state of a matrix, with what an earlier one has left. What came to its end
// stands there as it was until it is executed again: a matrix that is ended before it has
// looked at all of it forgets nothing.
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

// left returns what an earlier matrix has left of a cell, with what is so in this one.
func (r *record) left(now matrix.Cell) matrix.Cell {
	c := r.before
	c.Journey, c.Estimate, c.Earlier = now.Journey, now.Estimate, false
	return c
}

// phaseOf returns how far a matrix has come that goes on no longer.
func phaseOf(s matrix.State) matrix.Phase {
	if s.Totals.Left > 0 {
		return matrix.Interrupted
	}
	return matrix.Done
}

// execute executes the groups, those that take longest first, each as soon as its builds are
// there and there is room for it.
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

// inOrder returns the groups whose builds are there, then those that wait for some.
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

// prepareAll makes the builds of the groups, one after the other, since each takes all cores,
// and hands over each group when its own are there.
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

// prepareAgain prepares a cell, and again where the infrastructure kept it from that.
func (m *Matrix) prepareAgain(ctx context.Context, c *Cell) engine.Outcome {
	e := m.config.Runner.insist(ctx, Group{c}, func(ctx context.Context, _ Group, _ []string) []engine.Outcome {
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

// prepare makes what a cell is executed with, and finds out what its result depends on. The
// run itself is planned anew when it is executed.
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

// group executes what is left of a group.
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

// keep takes over what an earlier matrix has left of a cell.
func (m *Matrix) keep(c *Cell) {
	r := m.cells[c]
	m.dir.update(func(s *matrix.State) {
		s.Cells[r.at] = m.asJudged(r.left(s.Cells[r.at]), c.Run.Dir)
	})
	m.config.Board.Kept(c, r.before.Verdict)
}

// asJudged returns a cell as it counts with its result. What the result cannot say stands:
// that an object was refused.
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
			s.Cells[r.at] = c.waiting() // its directory is written anew
			s.Cells[r.at].Phase, s.Cells[r.at].Attempts = matrix.Running, attemptsOf(r.before, r.ended)
		}
	})
	for _, c := range going {
		m.config.Board.Begun(c)
	}
}

// note writes down an attempt that the infrastructure ended as soon as it has: whoever kills
// skewsim in the next one has that much. What an earlier matrix has judged stays as it was
// until it is executed again.
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

// report writes down how a cell ended.
func (m *Matrix) report(ctx context.Context, e Ended) {
	if e.Again {
		m.config.Board.Again(e)
		return
	}
	state := m.outcome(ctx, e)
	m.dir.update(func(s *matrix.State) { s.Cells[m.cells[e.Cell].at] = state })
	m.config.Board.Ended(e.Cell, state)
}

// outcome returns how a cell ended, as the state has it.
func (m *Matrix) outcome(ctx context.Context, e Ended) matrix.Cell {
	c, r := e.Cell.waiting(), m.cells[e.Cell]
	m.mutex.Lock()
	c.Key, c.Builds = r.key, r.builds
	unprepared := r.unprepared
	m.mutex.Unlock()
	c.Phase, c.Outcome = matrix.Done, e.Word()
	var not notApplicableError
	if errors.As(e.Err, &not) {
		c.Phase, c.Outcome, c.Reason = matrix.Inapt, matrix.NotPlayed, not.why.Text
		return c
	}
	took, steps := e.Took.Seconds(), e.Cell.Run.Steps()
	c.Took, c.Seconds = Rounded(took), Rounded(took*float64(steps)/float64(max(r.steps, steps)))
	if e.With == 0 {
		c.Seconds = c.Took
	}
	c.Attempts = attemptsOf(r.before, slices.Concat(unprepared, e.Attempts))
	c.Infrastructure = e.Fault().Kind == fault.Infrastructure
	if e.Err != nil && ctx.Err() != nil && errors.Is(e.Err, context.Canceled) { // whatever was seen by then
		c.Phase, c.Outcome, c.Reason = matrix.Interrupted, matrix.Ended, "it was ended from outside"
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
