package main

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// player plays a matrix.
type player struct {
	app    *app // of the runs: what they say goes to the board
	layout *layout
	dir    *matrixDir
	board  board
	mutex  sync.Mutex        // of cells
	cells  map[string]*being // by label
	around surroundings
	// unbuilt is all that was said of builds that could not be made, and unkept what has
	// kept it from being written.
	unbuilt []string
	unkept  error
}

// being is a cell while its matrix is played.
type being struct {
	cell   *cell
	at     int // in the state
	parts  int // steps of all of its journey
	before matrix.Cell
	key    string
	builds []matrix.Build
	// unprepared are the attempts that the machine ended before a journey began.
	unprepared []attempt
	ended      []attempt // all those that the machine ended; with the state
}

// playMatrix plays what is left of a matrix, and writes what all of it came to.
func (a *app) playMatrix(ctx context.Context, m *layout) (err error) {
	if err := checkMatrixOut(m.flags.run.Dir); err != nil {
		return err
	}
	playing := a.beside(a.err) // what says so later goes to the board
	around, err := playing.surroundings(ctx, m.flags.run.Store)
	if err != nil {
		return err
	}
	dir, earlier, err := openMatrixDir(m.flags.run.Dir, m.flags.resume)
	if err != nil {
		return err
	}
	a.opened.Store(true)
	defer func() { err = errors.Join(err, dir.close()) }()
	if err := m.holds(earlier); err != nil {
		return err
	}
	if _, err := mergedDir(dir.path); err != nil {
		return err
	}
	if err := dir.clear(m.flags.resume); err != nil {
		return err
	}
	began := time.Now()
	p := &player{app: playing, layout: m, dir: dir, cells: map[string]*being{}, around: around}
	p.start(a.out, earlier)
	p.unkept = dir.keepUnbuilt(nil)
	p.play(ctx)
	p.board.close()
	dir.update(func(s *matrix.State) { s.Phase = phaseOf(*s) })
	return errors.Join(a.concludeMatrix(m, dir, time.Since(began)), dir.err, p.unkept)
}

// start begins the state of a matrix, with what an earlier one has left, and shows it.
// What came to its end stands there as it was until it is played again: a matrix that is
// ended before it has looked at all of it forgets nothing.
func (p *player) start(w io.Writer, earlier matrix.State) {
	m := p.layout
	state := m.state()
	state.Phase = matrix.Running
	for i, c := range m.cells {
		b := &being{cell: c, at: i}
		for _, was := range earlier.Cells {
			if was.Dir == state.Cells[i].Dir && was.Pair == state.Cells[i].Pair {
				b.before = was
			}
		}
		state.Cells[i].Attempts = attemptsOf(b.before, nil)
		if b.before.Phase == matrix.Done {
			state.Cells[i] = b.left(state.Cells[i])
			state.Cells[i].Earlier = true
		}
		p.cells[c.task.label] = b
	}
	for _, journey := range m.journeys {
		for _, t := range journey {
			p.cells[t.label].parts = max(1, journey.size())
		}
	}
	p.dir.update(func(s *matrix.State) { *s = state })
	p.board = newBoard(w, m)
	p.app.out, p.app.err = p.board, p.board
	p.app.retries, p.app.insists, p.app.noted = m.flags.retries, true, p.note
}

// left is what an earlier matrix has left of a cell, with what is so in this one.
func (b *being) left(now matrix.Cell) matrix.Cell {
	c := b.before
	c.Journey, c.Estimate, c.Earlier = now.Journey, now.Estimate, false
	return c
}

// beside is an app that shares nothing with this one but its end.
func (a *app) beside(w io.Writer) *app {
	c := &app{out: w, err: w}
	a.mutex.Lock()
	defer a.mutex.Unlock()
	a.children = append(a.children, c)
	return c
}

// phaseOf is how far a matrix has come that goes on no longer.
func phaseOf(s matrix.State) matrix.Phase {
	if s.Totals.Left > 0 {
		return matrix.Interrupted
	}
	return matrix.Done
}

// play plays the journeys, those that take longest first, each as soon as its builds are
// there and there is room for it.
func (p *player) play(ctx context.Context) {
	room := newCapacity(p.layout.flags.run.jobs)
	collectLess(room.atOnce(p.layout.journeys))
	journeys := p.inOrder(ctx)
	turns := newTurns(room, journeys)
	jobs := make([]job, len(journeys))
	for i, c := range journeys {
		jobs[i] = job{names: c.names(), do: func(ctx context.Context, tell func(int, ended)) {
			if going, ok := turns.wait(ctx, i); ok {
				defer turns.end(i)
				p.journey(ctx, c, going, tell)
			}
		}}
	}
	var builder sync.WaitGroup
	builder.Go(func() { p.make(ctx, journeys, turns) })
	builder.Go(func() { turns.give(ctx) })
	doAll(ctx, max(1, len(jobs)), jobs, func(e ended) { p.tell(ctx, e) })
	builder.Wait()
}

// inOrder are the journeys whose builds are there, then those that wait for some.
func (p *player) inOrder(ctx context.Context) (all []company) {
	var later []company
	for _, c := range p.layout.journeys {
		there := true
		for _, ref := range c[0].Refs {
			there = there && p.app.builder().IsBuilt(ctx, ref)
		}
		if there {
			all = append(all, c)
		} else {
			later = append(later, c)
		}
	}
	return append(all, later...)
}

// make makes the builds of the journeys, one after the other, since each takes all
// cores, and hands over each journey when its own are there.
func (p *player) make(ctx context.Context, journeys []company, turns *turns) {
	defer turns.close()
	for i, c := range journeys {
		g := group{unmade: map[int]error{}}
		for k, t := range c {
			if ctx.Err() != nil {
				return
			}
			b := p.cells[t.label]
			err := p.prepareAgain(ctx, b)
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				g.unmade[k] = err
			case b.before.IsDone(b.key, digestOf(b.cell.task.Dir)):
				p.keep(b)
			default:
				g.going = append(g.going, k)
			}
		}
		turns.ready(i, g)
	}
}

// inaptError tells that a scenario does not apply to what was built: only the builds
// tell which releases they are, where a path, a checkout or an image was named.
type inaptError struct{ why pairing.Why }

func (e inaptError) Error() string { return e.why.Text }

// prepareAgain prepares a cell, and again where the machine kept it from that.
func (p *player) prepareAgain(ctx context.Context, b *being) error {
	e := p.app.insist(ctx, company{b.cell.task}, func(ctx context.Context, _ company, _ []string) []error {
		return []error{p.prepare(ctx, b)}
	})[0]
	if texts := p.app.tellUnbuilt(ctx); len(texts) > 0 {
		p.unbuilt = append(p.unbuilt, texts...)
		p.unkept = p.dir.keepUnbuilt(p.unbuilt)
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	b.unprepared = slices.DeleteFunc(e.attempts, func(t attempt) bool { return !fault.Is(t.err, fault.Infrastructure) })
	return e.err
}

// prepare makes what a cell is played with, and finds out what its result hangs on.
func (p *player) prepare(ctx context.Context, b *being) error {
	t := b.cell.task
	if err := p.applies(ctx, b); err != nil {
		return err
	}
	made, err := p.app.runner().Build(ctx, &t.Run, p.app.warn)
	if err != nil {
		return err
	}
	p.mutex.Lock()
	defer p.mutex.Unlock()
	b.builds = buildsMade(made)
	b.key, err = keyOf(t, b.builds, p.around, time.Now())
	return err
}

// applies holds the scenario against the builds themselves.
func (p *player) applies(ctx context.Context, b *being) error {
	t := b.cell.task
	builds, err := p.app.runner().Servers(ctx, t.Refs)
	if err != nil {
		return err
	}
	pair := b.cell.pair
	for role, end := range map[term.Role]*pairing.Release{term.Old: &pair.Old, term.New: &pair.New} {
		is := engine.BuiltRelease(builds[role])
		end.Component, end.Version = is.Component, is.Version
	}
	return aptitude(t.Scenario, b.cell.pair, pair, p.layout.flags)
}

// group is a journey whose builds were made: whose could not be, and who is to be
// played. Who is neither was done before.
type group struct {
	unmade map[int]error
	going  []int
}

// journey plays what is left of a journey.
func (p *player) journey(ctx context.Context, c company, g group, tell func(int, ended)) {
	for k := range c {
		if err, ok := g.unmade[k]; ok {
			tell(k, ended{err: err})
		}
	}
	if len(g.going) == 0 {
		return
	}
	var going company
	p.mutex.Lock()
	for _, k := range g.going {
		t, b := c[k], p.cells[c[k].label]
		t.tried = attemptsOf(b.before, b.unprepared)
		going = append(going, t)
	}
	p.mutex.Unlock()
	p.begin(going)
	p.app.playCompany(ctx, going, func(i int, e ended) { tell(g.going[i], e) })
}

// keep takes over what an earlier matrix has left of a cell.
func (p *player) keep(b *being) {
	p.dir.update(func(s *matrix.State) {
		s.Cells[b.at] = asJudged(b.left(s.Cells[b.at]), b.cell.task.Dir)
	})
	p.board.kept(b)
}

func (p *player) begin(going company) {
	p.dir.update(func(s *matrix.State) {
		for _, t := range going {
			b := p.cells[t.label]
			s.Cells[b.at] = p.layout.stateOf(b.cell) // its directory is written anew
			s.Cells[b.at].Phase, s.Cells[b.at].Attempts = matrix.Running, attemptsOf(b.before, b.ended)
		}
	})
	for _, t := range going {
		p.board.begun(p.cells[t.label])
	}
}

// tell writes down what a cell came to.
func (p *player) tell(ctx context.Context, e ended) {
	b := p.cells[e.name]
	if e.again {
		p.board.again(b, e)
		return
	}
	c := p.outcome(ctx, b, e)
	p.dir.update(func(s *matrix.State) { s.Cells[b.at] = c })
	p.board.ended(b, c)
}

// outcome is what a cell came to, as the state has it.
func (p *player) outcome(ctx context.Context, b *being, e ended) matrix.Cell {
	c := p.layout.stateOf(b.cell)
	p.mutex.Lock()
	c.Key, c.Builds = b.key, b.builds
	unprepared := b.unprepared
	p.mutex.Unlock()
	c.Phase, c.Outcome = matrix.Done, e.word()
	var inapt inaptError
	if errors.As(e.err, &inapt) {
		c.Phase, c.Outcome, c.Reason = matrix.Inapt, outcomeNotPlayed, inapt.why.Text
		return c
	}
	c.Took = rounded(e.took.Seconds())
	c.Seconds = rounded(e.took.Seconds() * float64(b.cell.task.Steps()) / float64(max(b.parts, b.cell.task.Steps())))
	if e.with == 0 {
		c.Seconds = c.Took
	}
	c.Attempts = attemptsOf(b.before, slices.Concat(unprepared, e.attempts))
	c.Infrastructure = fault.Is(e.err, fault.Infrastructure)
	if interrupted(ctx, e.err) {
		c.Phase, c.Outcome, c.Reason = matrix.Interrupted, "interrupted", "it was ended from outside"
		return c
	}
	c.Verdict = verdictOf(c.Outcome)
	if source, raw := readRun(b.cell.task.Dir); raw != nil && len(e.attempts) > 0 {
		c.Result, c.Reason = digest(raw), source.Result.Reason
	}
	if c.Infrastructure || c.Result == "" {
		c.Reason = firstWords(e.err)
	}
	return c
}

// interrupted tells whether a run was ended from outside, whatever was seen by then.
func interrupted(ctx context.Context, err error) bool {
	return err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// verdictOf is the verdict behind a word; what is none could not be judged.
func verdictOf(word string) term.VerdictWord {
	switch word {
	case outcomePassed:
		return term.Pass
	case outcomeFailed:
		return term.Fail
	case string(term.Impacts):
		return term.Impacts
	}
	return term.Unknown
}
