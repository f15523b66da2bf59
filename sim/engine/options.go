package engine

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// Options are options for the servers of each release, which override the scenario's own
// key by key. The zero value changes nothing.
type Options struct{ Old, New ServerOptions }

// ServerOptions are options for the servers of one release, as users write them.
type ServerOptions struct {
	FeatureGates  map[string]string // by gate, "true" or "false"
	RuntimeConfig map[string]string // by API, such as api/beta, "true" or "false"
	// GateStage switches on every gate of a stage, alpha or beta; "": none.
	GateStage string
	// EmulatedVersion and MinCompatibilityVersion are minor releases such as 1.36, or old;
	// "": the server's own.
	EmulatedVersion, MinCompatibilityVersion string
	Flags                                    []string // other flags, such as --v=2
}

// ByRole returns the options by release.
func (o Options) ByRole() map[term.Role]ServerOptions {
	return map[term.Role]ServerOptions{term.Old: o.Old, term.New: o.New}
}

func (e ServerOptions) given() bool {
	return len(e.FeatureGates)+len(e.RuntimeConfig)+len(e.Flags) > 0 || e.GateStage != "" || e.EmulatedVersion != "" || e.MinCompatibilityVersion != ""
}

// Given reports whether the user sets any option.
func (o Options) Given() bool { return o.Old.given() || o.New.given() }

// Over returns the scenario with the options merged over its own. It returns errors for
// options that no server may have.
func (o Options) Over(s *scenarios.Scenario) (*scenarios.Scenario, error) {
	if !o.Given() {
		return s, nil
	}
	given := map[term.Role]scenarios.Options{}
	var problems []error
	for _, role := range []term.Role{term.Old, term.New} {
		end := o.ByRole()[role]
		if !end.given() {
			continue
		}
		parsed, err := end.Parse(role)
		given[role] = parsed
		problems = append(problems, err, refusedFlags(ComponentOf(s), string(role)+"-flags", parsed.Flags))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return s.WithGiven(given), nil
}

// Parse returns the options as scenarios have them. Its errors name every option that
// cannot be parsed.
func (e ServerOptions) Parse(role term.Role) (o scenarios.Options, err error) {
	named := func(option string) string { return string(role) + "-" + option }
	gates, gatesErr := ParseSwitches(named("feature-gates"), e.FeatureGates)
	apis, apisErr := ParseSwitches(named("runtime-config"), e.RuntimeConfig)
	problems := []error{gatesErr, apisErr, areFlags(named("flags"), e.Flags)}
	if e.GateStage != "" && !term.GateStages().Has(term.GateStage(e.GateStage)) {
		problems = append(problems, fault.Optionf("{"+named("gate-stage")+"} %q: not a stage of gates (%s)", e.GateStage, strings.Join(term.GateStages().Words(), ", ")))
	}
	for _, version := range []struct{ option, text string }{
		{"emulated-version", e.EmulatedVersion}, {"min-compatibility-version", e.MinCompatibilityVersion},
	} {
		if version.text != "" && !scenarios.IsMinor(version.text) {
			problems = append(problems, fault.Optionf("{"+named(version.option)+"} %q: neither a minor release such as 1.36, nor old", version.text))
		}
	}
	for _, none := range []*map[string]bool{&gates, &apis} {
		if len(*none) == 0 {
			*none = nil
		}
	}
	return scenarios.Options{
		FeatureGates: gates, RuntimeConfig: apis, Gates: term.GateStage(e.GateStage),
		EmulatedVersion: e.EmulatedVersion, MinCompatibilityVersion: e.MinCompatibilityVersion, Flags: slices.Clone(e.Flags),
	}, errors.Join(problems...)
}

// ComponentOf returns the component of the scenario's releases.
func ComponentOf(s *scenarios.Scenario) apiserver.Component {
	if of := frobberapiserver.Component(); s.Releases.Of == of.Name {
		return of
	}
	if s.Releases.OfModules() {
		return aggregated.Component()
	}
	return kubeapiserver.Component() // also for manifests
}

// refusedFlags returns an error for each flag that servers of the component may not have.
func refusedFlags(c apiserver.Component, option string, flags []string) error {
	var problems []error
	for _, flag := range flags {
		if why := c.Against(flag); why != "" && strings.HasPrefix(flag, "--") { // areFlags reports other texts
			problems = append(problems, fault.Optionf("{"+option+"} %s", why))
		}
	}
	return errors.Join(problems...)
}

// areFlags refuses texts that are not flags. Only the build reports which flags its server
// has.
func areFlags(option string, given []string) error {
	var problems []error
	for _, text := range given {
		if !strings.HasPrefix(text, "--") {
			problems = append(problems, fault.Optionf("{"+option+"} %q: not a flag such as --v=2", text))
		}
	}
	return errors.Join(problems...)
}

// ParseSwitches parses the values of an option such as A=true,B=false.
func ParseSwitches(option string, given map[string]string) (map[string]bool, error) {
	all := map[string]bool{}
	var problems []error
	for name, text := range given {
		v, err := strconv.ParseBool(text)
		if err != nil {
			problems = append(problems, fault.Optionf("{"+option+"} %s=%s: neither true nor false", name, text))
		}
		all[name] = v
	}
	return all, errors.Join(problems...)
}
