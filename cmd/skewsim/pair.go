package main

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-version"
	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/plan"
)

// pairFlags are the ways to name the two builds.
type pairFlags struct {
	pair, old, new string
	releases       []string
	placebo        string
	skew           int // how many minor releases apart at most; 0: any number
	adapter        string
	server         string // what manifests are installed on; "": what the scenario says
	programs       bool   // the scenario's file may choose what is executed
}

func (p *pairFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&p.pair, "pair", "", "both `builds`: frobber@1.0..1.1, kube-apiserver@v1.36.3..v1.37.0 (default: the scenario's own pair)")
	flags.StringVar(&p.old, "old", "", "the old release's `build`: frobber@1.0, kube-apiserver@v1.36.3 or path:FILE (default: the scenario's own)")
	flags.StringVar(&p.new, "new", "", "the new release's `build`, likewise")
	flags.StringArrayVar(&p.releases, "release", nil, "a `build`; give it twice, old first")
	flags.IntVar(&p.skew, "skew", 0, "refuse a pair whose releases are more than so `many` minor releases apart (default: any number)")
	registerAdapter(flags, &p.adapter)
	flags.Lookup("adapter").Usage += " (default: the scenario's own)"
	registerServer(flags, &p.server, "the scenario's own, else the newest that is built")
	registerPrograms(flags, &p.programs)
	flags.StringVar(&p.placebo, "placebo", "", "play the `release` old or new at both ends, where nothing may be found; constraints and expectations do not count")
}

// pairOf finds out which two builds are meant, and whether the scenario
// applies to them as far as their references tell what they are. It returns
// what is to be played: the scenario, or its placebo.
func (p *pairFlags) pairOf(s *scenarios.Scenario) (played *scenarios.Scenario, old, new servers.Reference, err error) {
	old, new, err = p.references(s)
	if err != nil {
		return nil, old, new, usage(err)
	}
	if old, new, err = p.adapted(old, new); err != nil {
		return nil, old, new, usage(err)
	}
	own := p.ownOf(s)
	old, new = placed(s, preferred(old, own), preferred(new, own), own)
	if err := errors.Join(onServer(p.server, &old, &new), applies(s, ofReference(old), ofReference(new)), p.near(ofReference(old), ofReference(new))); err != nil {
		return nil, old, new, usage(err)
	}
	if old, new, err = twinned(s, old, new); err != nil || p.placebo == "" {
		return s, old, new, usage(err)
	}
	role := term.Role(p.placebo)
	switch role {
	case term.Old:
		new = old
	case term.New:
		if s, err = naming(s, old); err != nil {
			return nil, old, new, usage(err)
		}
		old = new
	default:
		return nil, old, new, usage(fmt.Errorf("--placebo %q: neither old nor new", p.placebo))
	}
	played, err = s.Placebo(role)
	return played, old, new, usage(err)
}

// adapted gives modules the adapter that the user names.
func (p *pairFlags) adapted(old, new servers.Reference) (_, _ servers.Reference, err error) {
	err = adapt(p.adapter, &old, &new)
	return old, new, err
}

// inChain is a release of a chain, with the adapter of one that is a module's.
func (p *pairFlags) inChain(s *scenarios.Scenario, ref servers.Reference) servers.Reference {
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = p.adapter
		ref, _ = placed(s, ref, ref, func(servers.Reference) bool { return false })
	}
	return ref
}

// naming is the scenario with the version of the old release wherever the options of the
// new one say old: with the new build at both ends that would be its own.
func naming(s *scenarios.Scenario, old servers.Reference) (*scenarios.Scenario, error) {
	if !s.New.SaysOld() {
		return s, nil
	}
	if old.Version == "" {
		return nil, fmt.Errorf("%s: nothing tells the version of %s, which the servers of --placebo new are to emulate: name a released build with --old", s.Name, old)
	}
	named := *s
	named.New = s.New.WithOld(plan.MinorOf(old.Version))
	return &named, nil
}

// twinned puts the twin that the scenario plays wherever the pair has the release
// that it is a twin of: at both ends, where both are that release.
func twinned(s *scenarios.Scenario, old, new servers.Reference) (_, _ servers.Reference, err error) {
	if s.Twin == "" {
		return old, new, nil
	}
	right := new
	if s.Twins[s.Twin].Of == term.Old {
		right = old
	}
	wrong, err := right.Twin(s.Twin)
	if err != nil {
		return old, new, err
	}
	if old == right {
		old = wrong
	}
	if new == right {
		new = wrong
	}
	return old, new, nil
}

func (p *pairFlags) references(s *scenarios.Scenario) (old, new servers.Reference, err error) {
	given := 0
	for _, set := range []bool{p.pair != "", p.old != "" || p.new != "", len(p.releases) > 0} {
		if set {
			given++
		}
	}
	switch {
	case given > 1:
		return old, new, errors.New("--pair, --old with --new, and --release are three ways to say the same: give one")
	case p.pair != "":
		return servers.ParsePair(p.pair)
	case len(p.releases) > 0:
		return fromReleases(p.releases)
	case given == 0 && s.Releases.Pair != "":
		return servers.ParsePair(s.Releases.Pair)
	case given == 1 && s.Releases.Pair != "" && (p.old == "" || p.new == ""):
		return p.otherEnd(s.Releases.Pair)
	case p.old == "" || p.new == "":
		return old, new, fmt.Errorf("%s: which builds? give both --old and --new, or --pair such as kube-apiserver@v1.36.3..v1.37.0", s.Name)
	}
	return parseBoth(p.old, p.new)
}

// preferred has another patch of its minor serve for a release that only the scenario's
// own file names, where that cannot be had: what the scenario says of it is said of its
// minor. Whoever names a release on the command line means that one.
func preferred(ref servers.Reference, own func(servers.Reference) bool) servers.Reference {
	ref.Preferred = ref.Scheme == servers.SchemeRelease && own(ref)
	return ref
}

// ownOf tells which references the scenario's own file names, and the user does not.
func (p *pairFlags) ownOf(s *scenarios.Scenario) func(servers.Reference) bool {
	old, new, err := servers.ParsePair(s.Releases.Pair) // whose new end may be a version alone
	return func(r servers.Reference) bool {
		if err != nil || p.pair != "" || len(p.releases) > 0 || r.String() == p.old || r.String() == p.new {
			return false
		}
		return r.String() == old.String() || r.String() == new.String()
	}
}

// otherEnd takes the end that the user does not name from the scenario's own pair.
func (p *pairFlags) otherEnd(pair string) (old, new servers.Reference, err error) {
	if old, new, err = servers.ParsePair(pair); err != nil {
		return old, new, err
	}
	if p.new == "" {
		old, err = servers.ParseReference(p.old)
	} else {
		new, err = servers.ParseReference(p.new)
	}
	return old, new, err
}

func fromReleases(given []string) (old, new servers.Reference, err error) {
	if len(given) != 2 {
		return old, new, fmt.Errorf("--release: given %d times: a run plays two builds, so give it twice", len(given))
	}
	return parseBoth(given[0], given[1])
}

func parseBoth(oldText, newText string) (old, new servers.Reference, err error) {
	old, oldErr := servers.ParseReference(oldText)
	new, newErr := servers.ParseReference(newText)
	return old, new, errors.Join(oldErr, newErr)
}

// end is what is known of one end of the pair. What is not known yet is "": it
// is checked when the build is there.
type end struct{ component, version string }

func ofReference(r servers.Reference) end { return end{r.Component, r.Version} }
func ofBuild(b servers.Build) end {
	if b.Installs != nil { // a folder has no version, and the module's was checked before
		return end{b.Component, ""}
	}
	return end{b.Component, b.Version}
}

// applies returns why a scenario does not apply to the releases of a pair, in words for
// whoever names them on the command line.
func applies(s *scenarios.Scenario, old, new end) error {
	whys, err := pairing.Applies(s, pairing.Pair{Old: old.release(), New: new.release()}, 0)
	problems := []error{err}
	for _, why := range whys {
		problems = append(problems, unmet(s, why, old, new))
	}
	return errors.Join(problems...)
}

func (e end) release() pairing.Release {
	return pairing.Release{Component: e.component, Version: e.version}
}

// unmet is the error for a reason why a scenario does not apply.
func unmet(s *scenarios.Scenario, why pairing.Why, old, new end) error {
	at := map[term.Role]end{term.Old: old, term.New: new}[why.End]
	switch {
	case why.End == "" && why.Kind == pairing.Component:
		return pairing.Pair{Old: old.release(), New: new.release()}.Check()
	case why.End == "":
		return errors.New(why.Text)
	case why.Kind == pairing.Component:
		at.version = "a " + at.component
	}
	return fmt.Errorf("%s: does not apply to %s as the %s release: %s; name another pair with --pair",
		s.Name, at.version, why.End, s.Releases.Requirement(why.End))
}

// near refuses ends that are further apart than is asked for, as far as is known which
// they are.
func (p *pairFlags) near(old, new end) error {
	if p.skew < 0 {
		return fmt.Errorf("--skew %d: must be 1 or more", p.skew)
	}
	first, errOld := version.NewVersion(old.version)
	second, errNew := version.NewVersion(new.version)
	if p.skew == 0 || errOld != nil || errNew != nil {
		return nil
	}
	apart := pairing.MinorsApart(first, second)
	how := fmt.Sprintf("%d minor releases apart", apart)
	if first.Segments()[0] != second.Segments()[0] {
		how = "of different major versions"
	}
	if apart > p.skew {
		return fmt.Errorf("--skew %d: %s and %s are %s: name a nearer pair, or a larger --skew", p.skew, old.version, new.version, how)
	}
	return nil
}
