package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
	"github.com/skewsim/skewsim/sim/rundir"
)

// chainRun is a chain that is being executed.
type chainRun struct {
	engine *Engine
	run    Run
	events Events
	dir    *rundir.Dir
	store  *etcd.Server
	builds map[string]servers.Build // by reference
	chain  *chain.Chain
	hops   []chain.Hop
	keys   string // seed of the keys that every leg's servers encrypt with
}

// playChain executes a chain, from its builds to its verdict.
func (e *Engine) playChain(ctx context.Context, r Run, events Events) (o Outcome) {
	builds, err := e.buildAll(ctx, &r)
	if err != nil {
		return Outcome{Err: err}
	}
	if r.Legs.Salt, err = newSalt(); err != nil {
		return Outcome{Err: err}
	}
	c := &chainRun{engine: e, run: r, events: events, chain: chain.New(r.Legs), hops: r.Legs.Hops(), builds: builds}
	if c.keys, err = newSalt(); err != nil {
		return Outcome{Err: err}
	}
	if c.dir, err = e.openDir(r.Dir); err != nil {
		return Outcome{Err: err}
	}
	defer func() { o.Err = errors.Join(o.Err, e.closeDir(c.dir)) }()
	ctx, cancel := WithTimeout(ctx, r.Timeout)
	defer cancel()
	ended := Late(ctx, c.play(ctx))
	v := c.chain.Verdict()
	if err := events.ReportChain(c.dir.Path, v); err != nil {
		return Outcome{Err: Advise(errors.Join(ended, err)), Dir: c.dir.Path}
	}
	return chainOutcome(c.dir.Path, v, Advise(ended), events)
}

// chainOutcome shows the verdict of a chain, and returns its outcome.
func chainOutcome(dir string, v chain.Verdict, ended error, events Events) Outcome {
	o := Outcome{Verdict: v.Verdict, Err: ended, Dir: dir}
	if err := events.ChainEnded(dir, v); err != nil {
		return Outcome{Err: errors.Join(ended, err), Dir: dir}
	}
	if ended != nil && v.Verdict != term.Fail {
		o.Verdict = ""
	}
	return o
}

// buildAll makes every release's build, one after the other, since each build uses all
// cores.
func (e *Engine) buildAll(ctx context.Context, r *Run) (map[string]servers.Build, error) {
	var made []servers.Build
	builds := map[string]servers.Build{}
	for _, ref := range r.Refs {
		b, err := e.config.Builds.Build(ctx, ref)
		if err != nil {
			return nil, err
		}
		made = append(made, b)
		if err := r.BuiltSoFar(made); err != nil {
			return nil, err
		}
		builds[r.Legs.Releases[len(made)-1]] = b
	}
	return builds, nil
}

// play plays leg after leg on one store. A leg that fails is reported, and the next leg
// begins with the store as it is; only an interruption, or the end of the store, ends the
// chain early.
func (c *chainRun) play(ctx context.Context) (err error) {
	all := Stores{Dir: c.dir, Store: c.run.Store, Builds: c.engine.config.Builds, Warn: warn(c.events)}
	if err := os.MkdirAll(c.dir.File("logs"), 0o700); err != nil {
		return err
	}
	opened, err := all.Open(ctx, "store")
	if err != nil {
		return err
	}
	c.store = opened.(store).Server
	defer func() { err = errors.Join(err, c.store.Close(), all.Remove()) }()
	if err := c.events.ReportChain(c.dir.Path, c.chain.Verdict()); err != nil {
		return err
	}
	err = c.each(ctx, c.store.Done(), c.kept)
	select {
	case <-c.store.Done():
		return errors.Join(err, c.store.Err())
	default:
		return err
	}
}

// each plays the legs until the store or ctx is done. What ends a leg early is reported and
// is in that leg's verdict; the returned error says which parts could not be written.
func (c *chainRun) each(ctx context.Context, done <-chan struct{}, leg func(context.Context, chain.Hop) (ended, unkept error)) (err error) {
	for _, hop := range c.hops {
		began := time.Now()
		ended, unkept := leg(ctx, hop)
		if unkept != nil {
			err = errors.Join(err, fmt.Errorf("leg %s: %w", hop.Name(), unkept))
		}
		over, cause := isDone(done), context.Cause(ctx)
		told := ended
		if over || cause != nil {
			told = nil // the chain's own error says the same
		}
		c.events.Leg(hop.Name(), time.Since(began), Advise(told))
		switch {
		case over:
			return errors.Join(err, ended)
		case cause != nil:
			return errors.Join(err, cause)
		}
	}
	return err
}

func isDone(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}

// kept plays one hop and writes the chain's verdict so far, so that the file is current if
// skewsim is killed.
func (c *chainRun) kept(ctx context.Context, hop chain.Hop) (ended, unkept error) {
	ended, unkept = c.leg(ctx, hop)
	return ended, errors.Join(unkept, c.events.ReportChain(c.dir.Path, c.chain.Verdict()))
}

// leg plays one hop in a run directory of its own and adds it to the chain. It returns what
// ended the leg early, and what could not be written or removed.
func (c *chainRun) leg(ctx context.Context, hop chain.Hop) (ended, unkept error) {
	pair := hop.Pair
	pair.OldVersion, pair.NewVersion = c.builds[pair.Old].Version, c.builds[pair.New].Version
	p, err := plan.BuildLeg(OfHop(c.run.Scenario, hop), pair, c.run.Seed, c.chain.Next(hop))
	if err == nil {
		err = p.Undecided()
	}
	if err != nil {
		c.chain.Unjudged(hop, 0, err)
		return err, nil
	}
	dir, err := rundir.Open(rundir.LegDir(c.dir.Path, hop))
	if err != nil {
		c.chain.Unjudged(hop, 0, err)
		return nil, err
	}
	defer func() { unkept = errors.Join(unkept, dir.Close()) }()
	began := time.Now()
	ended, unkept = c.record(ctx, dir, p)
	unjudged, unwritten := c.take(hop, dir.Path, freshOf(p), time.Since(began))
	return errors.Join(ended, unjudged), errors.Join(unkept, unwritten)
}

func (c *chainRun) record(ctx context.Context, dir *rundir.Dir, p *plan.Plan) (ended, unkept error) {
	if err := writePlan(dir, p); err != nil {
		return nil, err
	}
	leg := &legParts{salt: c.run.Legs.Salt, keys: c.keys, store: func() run.Store { return newLegStore(c.store, p) }}
	parts := Parts{Servers: map[term.Role]servers.Build{}, leg: leg}
	for _, r := range p.Releases {
		parts.Servers[r.Role] = c.builds[r.Reference]
	}
	var err error
	if parts.Clients, err = c.engine.config.Builds.TypedClients(ctx, ClientRolesOf(p), parts.Servers, c.events.Warn); err != nil {
		return err, nil
	}
	return c.engine.record(ctx, dir, p, parts, c.run.Request, c.events)
}

// freshOf returns how many objects a leg may create: its copies without adopted ones.
func freshOf(p *plan.Plan) int {
	fresh := 0
	for _, c := range p.Copies {
		if c.Leg == 0 {
			fresh++
		}
	}
	return fresh
}

// take judges a leg, and has its reports written.
func (c *chainRun) take(hop chain.Hop, dir string, fresh int, took time.Duration) (unjudged, unwritten error) {
	began := time.Now()
	j, err := judge(dir)
	if err != nil {
		c.chain.Unjudged(hop, fresh, err)
		return err, nil
	}
	res, err := c.events.Report(rundir.Judged{Dir: dir, Judgement: j, Began: began, IsLeg: true})
	c.chain.Add(rundir.LegOf(hop, j, res, took))
	return nil, errors.Join(err, j.History.Err())
}
