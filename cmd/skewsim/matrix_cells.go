package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
)

// layout is a matrix before anything of it is played.
type layout struct {
	flags    matrixFlags
	shard    *matrix.Shard // nil: all of it
	cells    []*cell       // that are played here, by pair and scenario
	journeys []company     // of them, those that take longest first
	excluded []matrix.Excluded
}

// cell is a scenario that is played with a pair.
type cell struct {
	task    task
	pair    pairing.Pair
	journey int // from 1
	in      int // the shard that plays it, from 1
	cost    float64
}

// entry is a scenario as the user names it.
type entry struct {
	name     string
	scenario *scenarios.Scenario
}

// layOut decides what is played, and tells all that is wrong and can be told before
// anything is built.
func (a *app) layOut(ctx context.Context, names []string, f matrixFlags) (*layout, error) {
	m := &layout{flags: f}
	pairs, err := a.pairsOf(ctx, f)
	all, wrong := a.scenariosOf(ctx, names, pairs)
	costs, unread := readCosts(f.costs)
	if err = errors.Join(err, wrong, unread, m.readShard()); err != nil {
		return nil, err
	}
	for _, s := range all {
		if err := a.layAlong(ctx, m, s, pairs); err != nil {
			return nil, err
		}
	}
	if len(m.cells) == 0 {
		return nil, m.empty(len(all), pairs)
	}
	m.sort()
	if err := m.distinct(); err != nil {
		return nil, err
	}
	m.weigh(costs)
	m.take()
	return m, nil
}

// distinct refuses two cells of one directory: the one would be written over the other.
func (m *layout) distinct() error {
	of := map[string]*cell{}
	for _, c := range m.cells {
		if other, taken := of[c.dir()]; taken {
			return fmt.Errorf("%s and %s: have one directory, %s: play one after the other", other.task.label, c.task.label, c.dir())
		}
		of[c.dir()] = c
	}
	return nil
}

// scenariosOf are those that are named, each once; where none is, the catalogue's of
// the components that pairs are of.
func (a *app) scenariosOf(ctx context.Context, names []string, pairs []pairing.Pair) ([]entry, error) {
	names, err := expand(names)
	problems := []error{err}
	if len(names) == 0 && err == nil {
		if names, err = catalogueOf(pairs); err != nil {
			return nil, err
		}
	}
	var all []entry
	for _, name := range names {
		s, err := engine.Find(ctx, builds{a}, name)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		i := slices.IndexFunc(all, func(n entry) bool { return n.scenario.FullName() == s.FullName() })
		if i < 0 {
			all = append(all, entry{name, s})
		} else if all[i].scenario.File != s.File {
			problems = append(problems, fmt.Errorf("%s and %s: have one name, and so one directory: play one after the other", all[i].scenario.File, s.File))
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.scenario.FullName(), b.scenario.FullName()) })
	return all, errors.Join(problems...)
}

// layAlong lays a scenario out along the pairs.
func (a *app) layAlong(ctx context.Context, m *layout, n entry, pairs []pairing.Pair) error {
	name, of := n.scenario.FullName(), n.scenario.Releases.Of
	if !m.flags.named() {
		if pairs = append(pairing.Offered(n.scenario, pairs), a.ownBuilt(ctx, n.scenario, m.flags)...); len(pairs) == 0 {
			m.exclude(name, pairing.Why{Kind: pairing.Unoffered, Text: fmt.Sprintf("there is no such pair of %s: name some with --pairs", of)}, "")
		}
	}
	for _, p := range pairs {
		why, err := a.against(ctx, n.scenario, p, m.flags.skew)
		switch {
		case err != nil:
			return err
		case why != nil:
			m.exclude(name, *why, p.String())
			continue
		}
		t, err := a.prepareCell(ctx, n, p, m.flags)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		m.cells = append(m.cells, &cell{task: t, pair: p})
	}
	return nil
}

// prepareCell prepares a scenario for a pair.
func (a *app) prepareCell(ctx context.Context, n entry, p pairing.Pair, flags matrixFlags) (task, error) {
	f := flags.run
	f.Dir = filepath.Join(f.Dir, p.Dir(), n.scenario.FullName())
	f.Pair.Pair = p.String()
	t, err := a.prepare(ctx, n.name, f)
	if flags.anotherPatch() {
		for i := range t.Refs {
			t.Refs[i].Preferred = t.Refs[i].Scheme == servers.SchemeRelease
		}
	}
	t.label = p.String() + " " + n.scenario.FullName()
	return t, err
}

// against tells why a scenario is not played with a pair, as far as is known before
// anything is built.
func (a *app) against(ctx context.Context, s *scenarios.Scenario, p pairing.Pair, skew int) (*pairing.Why, error) {
	known, err := a.withComponents(s, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", p, s.FullName(), err)
	}
	why, err := pairing.Against(s, known, skew)
	if err == nil && why == nil {
		why = a.againstTwin(ctx, s, p)
	}
	return why, err
}

// againstTwin tells that there is no such twin of the pair's release.
func (a *app) againstTwin(ctx context.Context, s *scenarios.Scenario, p pairing.Pair) *pairing.Why {
	if s.Twin == "" {
		return nil
	}
	_, old, new, err := engine.Request{Scenario: s, Pair: engine.PairNames{Pair: p.String()}}.Releases()
	if err == nil {
		err = a.builder().Check(ctx, old, new)
	}
	if err != nil {
		return &pairing.Why{Kind: pairing.Twin, Text: err.Error()}
	}
	return nil
}

func (m *layout) exclude(scenario string, why pairing.Why, pair string) {
	m.excluded = matrix.Exclude(m.excluded, scenario, why, pair)
}

// empty tells that nothing is left to play, and why.
func (m *layout) empty(scenarios int, pairs []pairing.Pair) error {
	switch {
	case scenarios == 0 && slices.Equal(componentsOf(pairs), []string{crd.Component}):
		return errors.New("nothing to play: the catalogue's scenarios of crd are about definitions of their own: name scenarios of yours")
	case scenarios == 0 && len(pairs) > 0:
		return fmt.Errorf("nothing to play: the catalogue has no scenario of %s: name scenarios", strings.Join(componentsOf(pairs), ", "))
	case scenarios == 0:
		return errors.New("nothing to play: no pair of releases is there: name some with --pairs, or make builds with skewsim builds get")
	}
	return m.reasons(fmt.Sprintf("nothing to play: no scenario of %d applies to any of %s", scenarios, numbered(len(pairs), "pair")))
}

// reasons is an error that tells of everything that is not played why.
func (m *layout) reasons(text string) error {
	var b strings.Builder
	b.WriteString(text)
	for _, e := range m.excluded {
		fmt.Fprintf(&b, "\n  %s", excludedLine(e))
	}
	return errors.New(b.String())
}

// excludedLine tells of a scenario what it is not played with.
func excludedLine(e matrix.Excluded) string {
	const shown = 3
	if len(e.Pairs) == 0 {
		return fmt.Sprintf("%s: %s", e.Scenario, e.Reason)
	}
	names := strings.Join(e.Pairs[:min(shown, len(e.Pairs))], ", ")
	if more := len(e.Pairs) - shown; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%s: %s (%s)", e.Scenario, e.Reason, names)
}

// sort puts cells, and what is not played, in an order that does not hang on that of
// the command line.
func (m *layout) sort() {
	slices.SortFunc(m.cells, func(a, b *cell) int {
		return cmp.Or(pairing.ComparePairs(a.pair, b.pair), cmp.Compare(a.name(), b.name()))
	})
	slices.SortStableFunc(m.excluded, func(a, b matrix.Excluded) int {
		return cmp.Or(cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
}

func (c *cell) name() string { return c.task.Scenario.FullName() }

// dir is that of the run, from the matrix's.
func (c *cell) dir() string { return path.Join(c.pair.Dir(), c.name()) }

// weigh finds out who shares a journey, what each cell costs, and which shard plays it.
func (m *layout) weigh(costs matrix.Costs) {
	of := map[string]*cell{}
	var tasks []task
	for _, c := range m.cells {
		of[c.task.label], tasks = c, append(tasks, c.task)
	}
	var weighed []matrix.Weighed
	for i, journey := range companies(tasks, m.flags.run.isolate) {
		for _, t := range journey {
			c := of[t.label]
			c.journey, c.in = i+1, 1
			c.cost = costs.Of(c.name(), c.pair, t.Steps(), fleetOf(journey)/float64(len(journey)))
			weighed = append(weighed, matrix.Weighed{ID: t.label, Journey: fmt.Sprint(c.journey), Cost: c.cost})
		}
	}
	if m.shard == nil {
		return
	}
	for label, in := range matrix.Split(weighed, m.shard.Of) {
		of[label].in = in
	}
}

// take leaves the shard's cells, and groups them to journeys: the others are told of.
func (m *layout) take() {
	var tasks []task
	m.cells = slices.DeleteFunc(m.cells, func(c *cell) bool {
		elsewhere := m.shard != nil && c.in != m.shard.Index
		if elsewhere {
			text := fmt.Sprintf("it is in shard %s", matrix.Shard{Index: c.in, Of: m.shard.Of})
			m.exclude(c.name(), pairing.Why{Kind: pairing.Elsewhere, Text: text}, c.pair.String())
		} else {
			tasks = append(tasks, c.task)
		}
		return elsewhere
	})
	m.sort()
	m.journeys = companies(tasks, m.flags.run.isolate)
	slices.SortStableFunc(m.journeys, func(a, b company) int { return cmp.Compare(m.costOf(b), m.costOf(a)) })
	for i, journey := range m.journeys {
		for _, t := range journey {
			m.at(t.label).journey = i + 1
		}
	}
}

// at is the cell with that label.
func (m *layout) at(label string) *cell {
	return m.cells[slices.IndexFunc(m.cells, func(c *cell) bool { return c.task.label == label })]
}

// holds refuses to go on with a matrix of which cells that are done would be dropped:
// nobody would play them again, nor count them.
func (m *layout) holds(earlier matrix.State) error {
	var dropped []string
	for _, was := range earlier.Cells {
		if was.Phase == matrix.Done && !slices.ContainsFunc(m.cells, func(c *cell) bool { return c.dir() == was.Dir && c.pair.String() == was.Pair }) {
			dropped = append(dropped, was.Pair+" "+was.Scenario)
		}
	}
	if len(dropped) == 0 {
		return nil
	}
	which := "the whole matrix"
	if earlier.Shard != nil {
		which = "shard " + earlier.Shard.String()
	}
	return usage(fmt.Errorf("--resume: --out %q: holds %s, and %s that is done there would be dropped, such as %s: name another directory, or give what was given then (--shard, --costs, pairs and scenarios)",
		m.flags.run.Dir, which, numbered(len(dropped), "cell"), dropped[0]))
}

func (m *layout) costOf(c company) (cost float64) {
	for _, t := range c {
		cost += m.at(t.label).cost
	}
	return cost
}

func (m *layout) readShard() error {
	if m.flags.shard == "" {
		return nil
	}
	s, err := matrix.ParseShard(m.flags.shard, os.Getenv("JOB_COMPLETION_INDEX"))
	m.shard = &s
	return err
}

// readCosts reads what cells cost before; without a file nobody knows.
func readCosts(file string) (matrix.Costs, error) {
	if file == "" {
		return matrix.Costs{}, nil
	}
	raw, err := readRegular(file)
	if err != nil {
		return matrix.Costs{}, fmt.Errorf("--costs: %w", err)
	}
	costs, err := matrix.ReadCosts(raw)
	if err != nil {
		return costs, fmt.Errorf("--costs %q: %w", file, err)
	}
	return costs, nil
}
