package engine

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/chain"
)

// ChainOptions make a run a chain: several releases, hop by hop on one store, forward and
// back. The zero value uses the scenario's own chain, if it has one.
type ChainOptions struct {
	// Through names all releases: frobber@1.0..1.30, or a list; "": those of the scenario.
	Through string
	// Forward ends the chain at its newest release, without the way back.
	Forward bool
	// WithoutRewrite skips rewriting stored objects after each rollback.
	WithoutRewrite bool
}

// chain plans a chain, and checks every hop against the scenario's constraints.
func (r *Run) chain() error {
	s := r.Scenario
	if r.Pair.Given() || r.AA != "" {
		return fault.Optionf("{through} names all releases: leave out {pair}, {old}, {new}, {release} and {aa}")
	}
	refs, err := servers.ParseThrough(cmp.Or(r.Chain.Through, s.Releases.Through.String()))
	if err != nil {
		return fault.Optionf("{through}: %w", err)
	}
	if s.Mutant != "" {
		return fault.Optionf("%s: a chain names mutants among its releases: {through} frobber@1.0,1.1+%s", s.FullName(), s.Mutant)
	}
	p := chain.Plan{
		Scenario: s.Name, About: strings.TrimSpace(s.About), Forward: r.Chain.Forward, Rewrite: !r.Chain.WithoutRewrite, Seed: r.Seed, Expect: s.Expect,
		Once: createdOnce(s),
	}
	for i, ref := range refs {
		refs[i] = r.inChain(ref)
		p.Releases = append(p.Releases, ref.String())
	}
	own, _ := servers.ParseThrough(s.Releases.Through.String())
	p.Whole = !p.Forward && p.Rewrite && slices.Equal(own, refs)
	if r.Chain.Through == "" {
		for i := range refs {
			refs[i] = preferred(refs[i], func(servers.Reference) bool { return true })
			if refs[i].Scheme == servers.SchemeManifests {
				refs[i].Manifests.Within = within(s) // as in a pair of the file
			}
		}
		p.Options = s.Releases.Through.Options()
	}
	p.Whole = p.Whole && (p.Options != nil) == (s.Releases.Through.Options() != nil)
	r.Legs, r.Refs = p, refs
	return appliesToAll(s, refs)
}

// createdOnce returns the objects that only one leg of a chain creates.
func createdOnce(s *scenarios.Scenario) (names []string) {
	for _, name := range slices.Sorted(maps.Keys(s.Objects)) {
		if s.Objects[name].Since != "" {
			names = append(names, name)
		}
	}
	return names
}
