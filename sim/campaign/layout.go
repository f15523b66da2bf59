package campaign

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/rundir"
)

// Sources are where the builds of a matrix come from.
type Sources interface {
	engine.Builds
	// Offered returns the releases that a matrix runs when the user names none: those that
	// come with skewsim and those that are built; with proxy also the newest patch of every
	// minor that the module proxy lists.
	Offered(ctx context.Context, proxy bool) ([]servers.Reference, error)
	// ModuleComponent returns the component of a module's server, as its adapter names it.
	ModuleComponent(ref servers.Reference) (string, error)
}

// MatrixRequest says which scenarios a matrix runs with which pairs.
type MatrixRequest struct {
	// Request is the request of each cell. The matrix sets its scenario and pair; its
	// directory is that of the matrix.
	engine.Request
	// Scenarios are files, names or patterns; empty: all of the catalogue for the
	// components of the pairs.
	Scenarios []string
	// Pairs are pairs of releases, and Releases are lists of releases whose neighbours form
	// pairs. If both are empty, the matrix runs all pairs that Sources offer.
	Pairs, Releases []string
	// MostApart also pairs Releases that are up to so many minor releases apart, and
	// refuses pairs that are further apart; 0: only neighbours.
	MostApart int
	// Proxy also runs the releases that the module proxy lists.
	Proxy bool
	// AnotherPatch lets another patch of its minor substitute for a release that is not
	// available.
	AnotherPatch bool
	// Costs are how long cells took in an earlier matrix. Shard is the part of the matrix
	// to execute; nil: all of it.
	Costs matrix.Costs
	Shard *matrix.Shard
	// Isolate executes each cell on servers of its own.
	Isolate bool
	// Tool is the version of skewsim that matrix.json records.
	Tool string
}

// namesPairs reports whether the user names pairs.
func (r *MatrixRequest) namesPairs() bool { return len(r.Pairs)+len(r.Releases) > 0 }

// Substitutes reports whether another patch of its minor substitutes for a release that is
// not available: if the user allows it, or names no releases.
func (r *MatrixRequest) Substitutes() bool { return r.AnotherPatch || r.Proxy }

// Layout is a matrix before anything is executed.
type Layout struct {
	Request  MatrixRequest
	Cells    []*Cell // the cells to execute here, by pair and scenario
	Groups   []Group // the same cells in groups, the longest first
	Excluded []matrix.Excluded
}

// entry is a scenario as the user names it.
type entry struct {
	name     string
	scenario *scenarios.Scenario
}

// LayOut decides what a matrix executes. It returns every error that can be found before a
// build; all are the user's.
func LayOut(ctx context.Context, from Sources, r MatrixRequest) (*Layout, error) {
	m := &Layout{Request: r}
	pairs, err := r.pairs(ctx, from)
	all, wrong := r.scenarios(ctx, from, pairs)
	if err = errors.Join(err, wrong); err != nil {
		return nil, fault.ByUser(err)
	}
	for _, s := range all {
		if err := m.layAlong(ctx, from, s, pairs); err != nil {
			return nil, fault.ByUser(err)
		}
	}
	if len(m.Cells) == 0 {
		return nil, fault.ByUser(m.empty(len(all), pairs))
	}
	m.sort()
	if err := m.distinct(); err != nil {
		return nil, fault.ByUser(err)
	}
	m.weigh()
	m.take()
	return m, nil
}

// distinct refuses two cells with the same directory: one would overwrite the other.
func (m *Layout) distinct() error {
	of := map[string]*Cell{}
	for _, c := range m.Cells {
		if other, taken := of[c.Dir()]; taken {
			return fmt.Errorf("%s and %s: have the same directory, %s: run one after the other", other.Label, c.Label, c.Dir())
		}
		of[c.Dir()] = c
	}
	return nil
}

// Expand replaces patterns by the names of the catalogue that match.
func Expand(names []string) (all []string, err error) {
	for _, name := range names {
		if !IsPattern(name) {
			all = append(all, name)
			continue
		}
		matching, problem := load.Match(name)
		all = append(all, matching...)
		err = errors.Join(err, problem)
	}
	return all, err
}

// IsPattern reports whether a name is a pattern for scenarios of the catalogue.
func IsPattern(name string) bool { return strings.ContainsAny(name, "*?[") && !rundir.Exists(name) }

// scenarios returns the named scenarios, each once. Without names it returns the
// catalogue's scenarios for the components of the pairs.
func (r *MatrixRequest) scenarios(ctx context.Context, from Sources, pairs []pairing.Pair) ([]entry, error) {
	names, err := Expand(r.Scenarios)
	problems := []error{err}
	if len(names) == 0 && err == nil {
		if names, err = catalogueOf(pairs); err != nil {
			return nil, err
		}
	}
	var all []entry
	for _, name := range names {
		s, err := engine.FindScenario(ctx, from, name, "")
		if err != nil {
			problems = append(problems, err)
			continue
		}
		i := slices.IndexFunc(all, func(n entry) bool { return n.scenario.FullName() == s.FullName() })
		if i < 0 {
			all = append(all, entry{name, s})
		} else if all[i].scenario.File != s.File {
			problems = append(problems, fmt.Errorf("%s and %s: have the same name, and so the same directory: run one after the other", all[i].scenario.File, s.File))
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.scenario.FullName(), b.scenario.FullName()) })
	return all, errors.Join(problems...)
}

// layAlong adds a cell of a scenario for each pair.
func (m *Layout) layAlong(ctx context.Context, from Sources, n entry, pairs []pairing.Pair) error {
	name, of := n.scenario.FullName(), n.scenario.Releases.Of
	if !m.Request.namesPairs() {
		if pairs = append(pairing.Offered(n.scenario, pairs), m.Request.ownBuilt(ctx, from, n.scenario)...); len(pairs) == 0 {
			m.exclude(name, pairing.Why{Kind: pairing.Unoffered, Text: fmt.Sprintf("no pair of %s is offered: name pairs with --pairs", of)}, "")
		}
	}
	for _, p := range pairs {
		why, err := against(ctx, from, n.scenario, p, m.Request.MostApart)
		switch {
		case err != nil:
			return err
		case why != nil:
			m.exclude(name, *why, p.String())
			continue
		}
		c, err := m.Request.cell(ctx, from, n, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		m.Cells = append(m.Cells, c)
	}
	return nil
}

// cell prepares a scenario for a pair.
func (r *MatrixRequest) cell(ctx context.Context, from Sources, n entry, p pairing.Pair) (*Cell, error) {
	asked := r.Request
	asked.Scenario, asked.Pair.Pair = n.scenario, p.String()
	asked.Dir = filepath.Join(asked.Dir, p.Dir(), n.scenario.FullName())
	run, err := engine.Prepare(ctx, from, asked)
	if r.Substitutes() {
		for i := range run.Refs {
			run.Refs[i].Preferred = run.Refs[i].IsSubstitutable()
		}
	}
	return &Cell{Run: run, Named: n.name, Label: p.String() + " " + n.scenario.FullName(), Pair: p}, err
}

// against returns why a scenario does not apply to a pair, as far as is known before
// anything is built.
func against(ctx context.Context, from Sources, s *scenarios.Scenario, p pairing.Pair, most int) (*pairing.Why, error) {
	known, err := withComponents(from, s, p)
	if err != nil {
		return nil, fmt.Errorf("%s: %s: %w", p, s.FullName(), err)
	}
	why, err := pairing.Against(s, known, most)
	if err == nil && why == nil && s.Mutant != "" {
		why = againstMutant(ctx, from, s, p)
	}
	return why, err
}

// againstMutant returns that the pair's release has no such mutant.
func againstMutant(ctx context.Context, from Sources, s *scenarios.Scenario, p pairing.Pair) *pairing.Why {
	_, old, new, err := engine.Request{Scenario: s, Pair: engine.PairNames{Pair: p.String()}}.Releases()
	if err == nil {
		err = from.Known(ctx, old, new)
	}
	if err != nil {
		return &pairing.Why{Kind: pairing.Mutant, Text: err.Error()}
	}
	return nil
}

func (m *Layout) exclude(scenario string, why pairing.Why, pair string) {
	m.Excluded = matrix.Exclude(m.Excluded, scenario, why, pair)
}

// empty returns an error that says why no cell is left to execute.
func (m *Layout) empty(scenarios int, pairs []pairing.Pair) error {
	of := componentsOf(pairs)
	switch {
	case scenarios == 0 && slices.Equal(of, []string{crd.Component}):
		return errors.New("nothing to run: the catalogue's scenarios of crd are about definitions of their own: name your own scenarios")
	case scenarios == 0 && len(pairs) > 0:
		return fmt.Errorf("nothing to run: the catalogue has no scenario of %s: name scenarios", strings.Join(of, ", "))
	case scenarios == 0:
		return fault.Optionf("nothing to run: no pair of releases is available: name pairs with {pairs}, or make builds with skewsim builds get")
	}
	return m.Reasons(fmt.Errorf("nothing to run: no scenario of %d applies to any of %s", scenarios, term.Numbered(len(pairs), "pair")))
}

// Reasons returns an error that gives the reason for each cell that is not executed.
func (m *Layout) Reasons(why error) error {
	var b strings.Builder
	for _, e := range m.Excluded {
		fmt.Fprintf(&b, "\n  %s", e)
	}
	return fmt.Errorf("%w%s", why, &b)
}

// sort orders cells and exclusions independently of the order of the command line.
func (m *Layout) sort() {
	slices.SortFunc(m.Cells, func(a, b *Cell) int {
		return cmp.Or(pairing.ComparePairs(a.Pair, b.Pair), cmp.Compare(a.Scenario(), b.Scenario()))
	})
	slices.SortStableFunc(m.Excluded, func(a, b matrix.Excluded) int {
		return cmp.Or(cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Reason, b.Reason))
	})
}

// weigh decides which cells share a run, what each cell costs, and which shard it belongs
// to.
func (m *Layout) weigh() {
	of := map[string]*Cell{}
	var weighed []matrix.Weighed
	for i, g := range Share(m.Cells, m.Request.Isolate) {
		for _, c := range g {
			of[c.Label] = c
			c.Journey, c.Shard = i+1, 1
			c.Cost = m.Request.Costs.Of(c.Scenario(), c.Pair, c.Run.Steps(), g.fleet()/float64(len(g)))
			weighed = append(weighed, matrix.Weighed{ID: c.Label, Journey: fmt.Sprint(c.Journey), Cost: c.Cost})
		}
	}
	if m.Request.Shard == nil {
		return
	}
	for label, in := range matrix.Split(weighed, m.Request.Shard.Of) {
		of[label].Shard = in
	}
}

// take keeps the shard's cells, in groups, and excludes the others.
func (m *Layout) take() {
	shard := m.Request.Shard
	m.Cells = slices.DeleteFunc(m.Cells, func(c *Cell) bool {
		elsewhere := shard != nil && c.Shard != shard.Index
		if elsewhere {
			text := fmt.Sprintf("it is in shard %s", matrix.Shard{Index: c.Shard, Of: shard.Of})
			m.exclude(c.Scenario(), pairing.Why{Kind: pairing.Elsewhere, Text: text}, c.Pair.String())
		}
		return elsewhere
	})
	m.sort()
	m.Groups = Share(m.Cells, m.Request.Isolate)
	slices.SortStableFunc(m.Groups, func(a, b Group) int { return cmp.Compare(b.cost(), a.cost()) })
	for i, g := range m.Groups {
		for _, c := range g {
			c.Journey = i + 1
		}
	}
}

func (g Group) cost() (sum float64) {
	for _, c := range g {
		sum += c.Cost
	}
	return sum
}

// State returns the state of the matrix before anything of it is executed.
func (m *Layout) State() matrix.State {
	s := matrix.State{
		SchemaVersion: matrix.Version, Tool: m.Request.Tool, Seed: m.Request.Seed, Shard: m.Request.Shard, Phase: matrix.Waiting,
		Cells: []matrix.Cell{}, Excluded: append([]matrix.Excluded{}, m.Excluded...),
	}
	for _, c := range m.Cells {
		s.Cells = append(s.Cells, c.waiting())
	}
	s.Sum()
	return s
}

// waiting returns the state of a cell whose turn has not come.
func (c *Cell) waiting() matrix.Cell {
	return matrix.Cell{
		Scenario: c.Scenario(), Component: c.Run.Scenario.Releases.Of, Pair: c.Pair.String(), Dir: c.Dir(), Journey: c.Journey, Steps: c.Run.Steps(),
		Estimate: Rounded(c.Cost), Phase: matrix.Waiting,
	}
}

// holds refuses to resume a matrix if finished cells would be dropped: no matrix would
// execute or count them any more.
func (m *Layout) holds(earlier matrix.State) error {
	var dropped []string
	for _, was := range earlier.Cells {
		if was.Phase == matrix.Done && !slices.ContainsFunc(m.Cells, func(c *Cell) bool { return c.Dir() == was.Dir && c.Pair.String() == was.Pair }) {
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
	return fault.ByUser(fault.Optionf("{resume}: {out} %q: holds %s, and resuming would drop %s that is done, such as %s: name another directory, or give the same as then ({shard}, {costs}, pairs and scenarios)",
		m.Request.Dir, which, term.Numbered(len(dropped), "cell"), dropped[0]))
}
