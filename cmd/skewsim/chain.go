package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run"
)

// chainFile tells the directory of a chain from that of a run.
const chainFile = "chain.json"

// chainFlags have a scenario played over more than two releases.
type chainFlags struct {
	through string
	forward bool
	asIs    bool
}

func (c *chainFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&c.through, "through", "", "a chain of `releases`, played hop by hop on one store, forward and back: frobber@1.0..1.30, or a list such as kube-apiserver@v1.36.3,v1.37.0")
	flags.BoolVar(&c.forward, "forward", false, "have the chain end at its newest release, without the way back")
	flags.BoolVar(&c.asIs, "without-rewrite", false, "on a chain's way back, leave what is stored as it is, instead of having it written again after each rollback")
}

// wanted tells whether a chain is to be played: by the flag, or because that is
// what the scenario is for, and no pair was named.
func (c *chainFlags) wanted(s *scenarios.Scenario, p pairFlags) bool {
	return c.through != "" || len(s.Releases.Through) > 0 && s.Twin == "" && !p.given()
}

// given tells whether the user has named builds, or wants a placebo.
func (p *pairFlags) given() bool {
	return p.pair != "" || p.old != "" || p.new != "" || len(p.releases) > 0 || p.placebo != ""
}

// chainRun is a chain that is being played.
type chainRun struct {
	app      *app
	scenario *scenarios.Scenario
	flags    runFlags
	dir      *runDir
	store    *etcd.Server
	builds   map[string]servers.Build // by reference
	chain    *chain.Chain
	hops     []chain.Hop
	salt     string // of every leg's fingerprints
	keys     string // seed those that every leg's servers encrypt with
}

// playChain is the job of a chain, from the scenario to the exit code.
func (a *app) playChain(ctx context.Context, t task) (err error) {
	builds, err := a.buildAll(ctx, &t)
	if err != nil {
		return err
	}
	c := &chainRun{
		app: a, scenario: t.scenario, flags: t.flags, chain: chain.New(t.chain), hops: t.chain.Hops(), salt: t.chain.Salt, builds: builds,
	}
	if c.keys, err = newSalt(); err != nil {
		return err
	}
	if c.dir, err = openRunDir(t.flags.out); err != nil {
		return err
	}
	a.opened.Store(true)
	defer func() { err = errors.Join(err, c.dir.close()) }()
	ctx, cancel := withTimeout(ctx, t.flags.timeout)
	defer cancel()
	ended := late(ctx, c.play(ctx))
	v := c.chain.Verdict()
	if err := c.app.writeChain(c.dir.path, v); err != nil {
		return wayOut(errors.Join(ended, err))
	}
	return a.tellChain(c.dir.path, v, wayOut(ended))
}

// planChain says what is to be played, and holds every hop against the scenario.
func planChain(s *scenarios.Scenario, f runFlags) (chain.Plan, []servers.Reference, error) {
	if f.pair.given() {
		return chain.Plan{}, nil, errors.New("--through names all releases: leave out --pair, --old, --new, --release and --placebo")
	}
	refs, err := servers.ParseThrough(cmp.Or(f.chain.through, s.Releases.Through.String()))
	if err != nil {
		return chain.Plan{}, nil, fmt.Errorf("--through: %w", err)
	}
	if s.Twin != "" {
		return chain.Plan{}, nil, fmt.Errorf("%s: a chain names twins among its releases: --through frobber@1.0,1.1+%s", s.FullName(), s.Twin)
	}
	salt, err := newSalt()
	if err != nil {
		return chain.Plan{}, nil, err
	}
	p := chain.Plan{
		Scenario: s.Name, About: strings.TrimSpace(s.About), Forward: f.chain.forward, Rewrite: !f.chain.asIs, Seed: f.seed, Expect: s.Expect, Salt: salt,
	}
	for _, name := range slices.Sorted(maps.Keys(s.Objects)) {
		if s.Objects[name].Since != "" {
			p.Once = append(p.Once, name)
		}
	}
	for i, ref := range refs {
		refs[i] = f.pair.inChain(s, ref)
		p.Releases = append(p.Releases, ref.String())
	}
	own, _ := servers.ParseThrough(s.Releases.Through.String())
	p.Whole = !p.Forward && p.Rewrite && slices.Equal(own, refs)
	if f.chain.through == "" {
		for i := range refs {
			refs[i] = preferred(refs[i], func(servers.Reference) bool { return true })
		}
		p.Options = s.Releases.Through.Options()
	}
	p.Whole = p.Whole && (p.Options != nil) == (s.Releases.Through.Options() != nil)
	return p, refs, appliesToAll(s, refs)
}

// buildAll makes every release's build, one after the other, for each takes all cores, and
// has the chain name those that serve for others.
func (a *app) buildAll(ctx context.Context, t *task) (map[string]servers.Build, error) {
	t.refs, t.chain.Releases = slices.Clone(t.refs), slices.Clone(t.chain.Releases)
	builds := map[string]servers.Build{}
	for i, ref := range t.refs {
		b, err := a.build(ctx, ref)
		if err != nil {
			return nil, err
		}
		t.refs[i] = asBuilt(ref, b)
		t.chain.Releases[i] = t.refs[i].String()
		builds[t.chain.Releases[i]] = b
		if i == 0 {
			continue
		}
		// A path: tells what it is only now.
		if err := applies(t.scenario, ofBuild(builds[t.chain.Releases[i-1]]), ofBuild(b)); err != nil {
			return nil, usage(err)
		}
	}
	return builds, nil
}

// play plays leg after leg on one store. A leg that fails is told, and the next
// one begins with what it left; only an interruption, or the end of the store,
// ends the chain early.
func (c *chainRun) play(ctx context.Context) (err error) {
	all := c.app.newStores(c.dir, c.flags.store)
	if err := os.MkdirAll(c.dir.file("logs"), 0o700); err != nil {
		return err
	}
	opened, err := all.open(ctx, "store")
	if err != nil {
		return err
	}
	c.store = opened.(store).Server
	defer func() { err = errors.Join(err, c.store.Close(), all.remove()) }()
	if err := c.app.writeChain(c.dir.path, c.chain.Verdict()); err != nil {
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

// each plays the legs until the store is done, or ctx is. What ends a leg early is
// in that leg's verdict, and told; that not all of it could be kept is the error.
func (c *chainRun) each(ctx context.Context, done <-chan struct{}, leg func(context.Context, chain.Hop) (ended, unkept error)) (err error) {
	for _, hop := range c.hops {
		began := time.Now()
		ended, unkept := leg(ctx, hop)
		fmt.Fprintf(c.app.out, "leg %s: %.1f s\n", hop.Name(), time.Since(began).Seconds())
		if unkept != nil {
			err = errors.Join(err, fmt.Errorf("leg %s: %w", hop.Name(), unkept))
		}
		select {
		case <-done:
			return errors.Join(err, ended)
		default:
		}
		if cause := context.Cause(ctx); cause != nil {
			return errors.Join(err, cause)
		}
		if ended != nil {
			fmt.Fprintf(c.app.err, "leg %s: %v\n", hop.Name(), wayOut(ended))
		}
	}
	return err
}

// kept plays one hop, and writes down what the chain has come to: whoever kills
// skewsim has that much.
func (c *chainRun) kept(ctx context.Context, hop chain.Hop) (ended, unkept error) {
	ended, unkept = c.leg(ctx, hop)
	return ended, errors.Join(unkept, c.app.writeChain(c.dir.path, c.chain.Verdict()))
}

// leg plays one hop in a run directory of its own, and hands it to the chain.
// Ended is what ended it early, unkept what could not be written, or cleared away.
func (c *chainRun) leg(ctx context.Context, hop chain.Hop) (ended, unkept error) {
	pair := hop.Pair
	pair.OldVersion, pair.NewVersion = c.builds[pair.Old].Version, c.builds[pair.New].Version
	p, err := plan.BuildLeg(ofHop(c.scenario, hop), pair, c.flags.seed, c.chain.Next(hop))
	if err == nil {
		err = p.Undecided()
	}
	if err != nil {
		c.chain.Unjudged(hop, 0, err)
		return err, nil
	}
	dir, err := openRunDir(c.legDir(hop))
	if err != nil {
		c.chain.Unjudged(hop, 0, err)
		return nil, err
	}
	defer func() { unkept = errors.Join(unkept, dir.close()) }()
	began := time.Now()
	ended, unkept = c.record(ctx, dir, p)
	unjudged, unwritten := c.take(hop, dir.path, freshOf(p), time.Since(began))
	return errors.Join(ended, unjudged), errors.Join(unkept, unwritten)
}

// ofHop is the scenario as a hop plays it: where the chain's points say what servers
// are started with, each end is started so.
func ofHop(s *scenarios.Scenario, hop chain.Hop) *scenarios.Scenario {
	if hop.Options == nil {
		return s
	}
	own := *s
	own.Old, own.New = hop.Options[0], hop.Options[1]
	return &own
}

func (c *chainRun) legDir(hop chain.Hop) string { return legDir(c.dir.path, hop) }

func legDir(dir string, hop chain.Hop) string { return filepath.Join(dir, "legs", hop.Name()) }

func (c *chainRun) record(ctx context.Context, dir *runDir, p *plan.Plan) (ended, unkept error) {
	if err := write(dir.path, "plan.txt", func(w io.Writer) error { return p.Fprint(w) }); err != nil {
		return nil, err
	}
	b := made{servers: map[term.Role]servers.Build{}, salt: c.salt, keys: c.keys, store: func() run.Store { return newLegStore(c.store, p) }}
	for _, r := range p.Releases {
		b.servers[r.Role] = c.builds[r.Reference]
	}
	var err error
	if b.clients, err = c.app.typedBuilds(ctx, p, b.servers); err != nil {
		return err, nil
	}
	return c.app.record(ctx, dir, p, b, c.flags)
}

// freshOf is how many objects a leg may make: its copies, but for adopted ones.
func freshOf(p *plan.Plan) int {
	fresh := 0
	for _, c := range p.Copies {
		if c.Leg == 0 {
			fresh++
		}
	}
	return fresh
}

// take judges what a leg has left, and writes its reports.
func (c *chainRun) take(hop chain.Hop, dir string, fresh int, took time.Duration) (unjudged, unwritten error) {
	j, err := judgeRun(dir, "")
	if err != nil {
		c.chain.Unjudged(hop, fresh, err)
		return err, nil
	}
	r := reports.New(j.history, j.result, j.ledger)
	r.AllowImpacts = c.app.allowsImpacts()
	c.chain.Add(legOf(hop, j, r, took))
	return nil, errors.Join(writeAll(dir, r, judgements(), drawings()), j.history.Err())
}

// legOf is what the chain learns of a leg. It repeats what the leg's findings say,
// and is shown around as they are: so it has the report's result, which is sealed.
func legOf(hop chain.Hop, j judgement, r reports.Run, took time.Duration) chain.Leg {
	return chain.Leg{Hop: hop, History: j.history, Schemas: j.schemas, Result: r.Result, Ledger: j.ledger, Seconds: took.Seconds()}
}

func (a *app) writeChain(dir string, v chain.Verdict) error {
	return errors.Join(
		write(dir, chainFile, func(w io.Writer) error { return reports.ChainJSON(w, v) }),
		write(dir, "junit.xml", func(w io.Writer) error { return reports.ChainJUnit(w, v, a.allowsImpacts()) }),
		write(dir, "chain.txt", func(w io.Writer) error { return reports.ChainText(w, v, reports.TextOptions{}) }),
	)
}

// tellChain prints the verdict, and turns it into the exit code.
func (a *app) tellChain(dir string, v chain.Verdict, ended error) error {
	options := a.textOptions(dir)
	if err := reports.ChainText(a.out, v, options); err != nil && !errors.Is(err, syscall.EPIPE) {
		return errors.Join(ended, err)
	}
	switch {
	case v.Verdict == term.Fail:
		return verdictError{v.Verdict, ended}
	case ended != nil || v.Verdict == term.Pass:
		return ended
	}
	return verdictError{verdict: v.Verdict}
}

func isChain(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, chainFile))
	return err == nil
}
