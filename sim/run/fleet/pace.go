package fleet

import (
	"slices"
	"sync"
	"time"

	"github.com/skewsim/skewsim/sim/plan"
)

const (
	// ahead is how long before a roll-out its servers are started: a little longer than
	// they need until they wait only for the store.
	ahead = 3 * time.Second
	// aheadOfTrials is the same for the scratch servers, whose stores are opened too.
	aheadOfTrials = 6 * time.Second
	// pacePlayed and paceTook are the assumed pace before any operation was executed.
	pacePlayed, paceTook = 50, 500 * time.Millisecond
	// triedAs is how many operations take as long as the dry runs on one object: those are 6 with a GET, and more
	// where several replicas serve; an operation is a call or two, and a look.
	triedAs = 4
)

// Pace estimates how long it takes until the next roll-out, from how long operations, and
// the edges of stages, took so far. The dry runs on one object count as several operations.
type Pace struct {
	mu     sync.Mutex
	next   int // stage that the next roll-out begins with; after the last, the one with the trials
	stages int // of the plan
	left   int // operations before it, and those that the objects to try count as
	edges  int // edges of stages before it, without the current stage
	played int
	took   time.Duration
	going  int           // runs that execute operations
	since  time.Time     // when those began; zero: none
	ended  time.Time     // when the last operations ended
	edge   time.Duration // of the last stage
	turn   time.Duration // how long the servers of the last stage that moved some took
	turns  bool          // the servers of the current stage do not serve yet
}

// Enter counts what all runs of the journey execute from the stage on.
func (p *Pace) Enter(stage int, all ...*plan.Plan) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stages = len(all[0].Stages)
	p.next, p.left, p.edges, p.turns = p.stages, 0, -1, slices.ContainsFunc(all[0].Stages[stage].Steps, startsServer)
	if !p.ended.IsZero() {
		p.edge, p.ended = time.Since(p.ended), time.Time{}
	}
	for i := stage; i < p.stages; i++ {
		if i > stage && begins(all[0], i) {
			p.next = i
			return
		}
		p.edges++
		for _, one := range all {
			p.left += operationsOf(one, i) + triedAs*triedIn(one, i)
		}
	}
}

// Trying corrects the number of objects that an attempt tries, which equal copies make smaller.
func (p *Pace) Trying(one *plan.Plan, stage, objects int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.left += triedAs * (objects - triedIn(one, stage))
}

// Group notes that steps begin, if they are operations, an attempt, or starts of servers. The caller calls the
// result when they have ended.
func (p *Pace) Group(steps []plan.Step) (end func()) {
	if startsServer(steps[0]) {
		return p.moves()
	}
	if steps[0].Action != plan.Operate && steps[0].Action != plan.Attempt {
		return func() {}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.going++; p.going == 1 {
		p.since = time.Now()
	}
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.going--; p.going > 0 {
			return
		}
		p.took += time.Since(p.since)
		p.since, p.ended = time.Time{}, time.Now()
	}
}

// moves measures how long servers take that the current stage starts.
func (p *Pace) moves() (end func()) {
	began := time.Now()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.turn, p.turns = time.Since(began), false
	}
}

// Step counts an operation that was executed.
func (p *Pace) Step() { p.count(1) }

// Tried counts an object that was tried.
func (p *Pace) Tried() { p.count(triedAs) }

func (p *Pace) count(operations int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.played += operations
	p.left -= operations
}

// Due returns the stage whose roll-out, or whose trials, are so near that their servers
// must start; -1 for none.
func (p *Pace) Due() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	took := p.took + paceTook
	if !p.since.IsZero() {
		took += time.Since(p.since)
	}
	operations := took * time.Duration(p.left) / time.Duration(p.played+pacePlayed)
	within := ahead
	if p.next == p.stages {
		within = aheadOfTrials
	}
	if p.turns {
		operations += p.turn
	}
	if operations+p.edge*time.Duration(p.edges) > within {
		return -1
	}
	return p.next
}
