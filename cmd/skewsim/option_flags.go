package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// optionFlags give the servers of each release options beside those of the scenario:
// they are laid over its own, key by key.
type optionFlags struct{ old, new endFlags }

// endFlags are those of one release.
type endFlags struct {
	gates, apis          map[string]string
	stage                string
	emulates, compatible string
	flags                []string
}

func (f *optionFlags) register(flags *pflag.FlagSet) {
	f.old.register(flags, term.Old)
	f.new.register(flags, term.New)
}

func (e *endFlags) register(flags *pflag.FlagSet, role term.Role) {
	name := func(option string) string { return string(role) + "-" + option }
	of := fmt.Sprintf("of the %s release's servers", role)
	flags.StringToStringVar(&e.gates, name("feature-gates"), nil, "`gates` "+of+": A=true,B=false")
	flags.StringToStringVar(&e.apis, name("runtime-config"), nil, "`APIs` "+of+" to switch: api/all=true")
	flags.StringVar(&e.stage, name("gate-stage"), "", "switch on every gate "+of+" of a `stage`: alpha or beta")
	flags.StringVar(&e.emulates, name("emulated-version"), "", "the `release` that they emulate, such as 1.36; old: that of the old release")
	flags.StringVar(&e.compatible, name("min-compatibility-version"), "", "the earliest `release` that they go along with, likewise")
	flags.StringArrayVar(&e.flags, name("flags"), nil, "a further `flag` "+of+", as it stands: --v=2; may be repeated")
}

// optionNames are what the flags are called, in the order that a command repeats them in.
func optionNames() (all []string) {
	for _, option := range []string{"feature-gates", "gate-stage", "emulated-version", "min-compatibility-version", "flags", "runtime-config"} {
		all = append(all, "old-"+option, "new-"+option)
	}
	return all
}

// ends are the flags by release.
func (f optionFlags) ends() map[term.Role]endFlags {
	return map[term.Role]endFlags{term.Old: f.old, term.New: f.new}
}

func (e endFlags) given() bool {
	return len(e.gates)+len(e.apis)+len(e.flags) > 0 || e.stage != "" || e.emulates != "" || e.compatible != ""
}

// given tells whether the user has said anything of options.
func (f optionFlags) given() bool { return f.old.given() || f.new.given() }

// of is the scenario with what is given. Errors: what no server can be given.
func (f optionFlags) of(s *scenarios.Scenario) (*scenarios.Scenario, error) {
	if !f.given() {
		return s, nil
	}
	given := map[term.Role]scenarios.Options{}
	var problems []error
	for _, role := range []term.Role{term.Old, term.New} {
		end := f.ends()[role]
		if !end.given() {
			continue
		}
		o, err := end.options(role)
		given[role] = o
		problems = append(problems, err, refusedFlags(componentOf(s), "--"+string(role)+"-flags", o.Flags))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return s.WithGiven(given), nil
}

// options are what the flags of a release say.
func (e endFlags) options(role term.Role) (o scenarios.Options, err error) {
	named := func(option string) string { return "--" + string(role) + "-" + option }
	gates, gatesErr := truths(named("feature-gates"), e.gates)
	apis, apisErr := truths(named("runtime-config"), e.apis)
	problems := []error{gatesErr, apisErr, areFlags(named("flags"), e.flags)}
	if e.stage != "" && !term.GateStages().Has(term.GateStage(e.stage)) {
		problems = append(problems, fmt.Errorf("%s %q: not a stage of gates (%s)", named("gate-stage"), e.stage, strings.Join(term.GateStages().Words(), ", ")))
	}
	for _, version := range []struct{ flag, text string }{
		{"emulated-version", e.emulates}, {"min-compatibility-version", e.compatible},
	} {
		if version.text != "" && !scenarios.IsMinor(version.text) {
			problems = append(problems, fmt.Errorf("%s %q: neither a minor release such as 1.36, nor old", named(version.flag), version.text))
		}
	}
	for _, none := range []*map[string]bool{&gates, &apis} {
		if len(*none) == 0 {
			*none = nil
		}
	}
	return scenarios.Options{
		FeatureGates: gates, RuntimeConfig: apis, Gates: term.GateStage(e.stage),
		EmulatedVersion: e.emulates, MinCompatibilityVersion: e.compatible, Flags: slices.Clone(e.flags),
	}, errors.Join(problems...)
}

// componentOf is what the servers of a scenario's releases are.
func componentOf(s *scenarios.Scenario) apiserver.Component {
	switch frobber := frobberapiserver.Component(); {
	case s.Releases.Of == frobber.Name:
		return frobber
	case s.Releases.OfModules():
		return aggregated.Component()
	}
	return kubeapiserver.Component() // of manifests too
}

// refusedFlags tells of flags that no server of the component may be given.
func refusedFlags(c apiserver.Component, given string, flags []string) error {
	var problems []error
	for _, flag := range flags {
		if why := c.Against(flag); why != "" && strings.HasPrefix(flag, "--") { // what is no flag was told
			problems = append(problems, fmt.Errorf("%s %s", given, why))
		}
	}
	return errors.Join(problems...)
}
