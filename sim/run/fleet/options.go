package fleet

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/plan"
)

// Options returns what the servers of each release are started with.
type Options struct {
	plan    *plan.Plan
	builds  map[term.Role]servers.Build
	runtime servers.Runtime
	place   func(part string) string // the place of a part of the scenario's file, for messages; nil: unknown

	mu sync.Mutex // both releases are asked at once
	// required are, if a whole stage of gates is switched on, the gates of other stages
	// that those depend on.
	required map[term.Role]map[string]bool
}

// NewOptions returns the options of both releases in a plan.
func NewOptions(p *plan.Plan, builds map[term.Role]servers.Build, runtime servers.Runtime, place func(string) string) *Options {
	return &Options{plan: p, builds: builds, runtime: runtime, place: place, required: map[term.Role]map[string]bool{}}
}

// Of returns the options of a release's servers: the plan's and, for a whole stage of
// gates, the gates that those were found to depend on.
func (o *Options) Of(role term.Role) servers.Options {
	for _, r := range o.plan.Releases {
		if r.Role == role {
			return servers.Options{
				FeatureGates: o.gates(r), RuntimeConfig: apis(r.Options), Flags: r.Options.Flags,
				Encryption:              encryption(r.Options.Encryption),
				EmulatedVersion:         o.minor(r.Options.EmulatedVersion),
				MinCompatibilityVersion: o.minor(r.Options.MinCompatibilityVersion),
			}
		}
	}
	return servers.Options{}
}

func encryption(e *scenarios.Encryption) *servers.Encryption {
	if e == nil {
		return nil
	}
	return &servers.Encryption{Resources: e.Resources, Provider: string(e.Provider), Key: e.Key, Reads: e.Reads}
}

// allOf are a server's names for all gates of a stage.
var allOf = map[term.GateStage]string{term.AlphaGates: "AllAlpha", term.BetaGates: "AllBeta"}

// gates returns the gates that a release's servers are started with; nil: none.
func (o *Options) gates(r plan.Release) map[string]bool {
	all, asked := allOf[r.Options.Gates]
	if !asked {
		return r.Options.FeatureGates
	}
	gates := map[string]bool{all: true}
	maps.Copy(gates, o.RequiredOf(r.Role))
	maps.Copy(gates, r.Options.FeatureGates)
	return gates
}

// apisOf are the APIs of a stage of gates. Features of a stage watch kinds of their own: a
// server without those APIs waits for them, and exits.
var apisOf = map[term.GateStage]map[string]bool{term.AlphaGates: {"api/all": true}, term.BetaGates: {"api/beta": true}}

// apis returns the APIs that a release's servers switch; nil: none.
func apis(o scenarios.Options) map[string]bool {
	of, asked := apisOf[o.Gates]
	if !asked {
		return o.RuntimeConfig
	}
	of = maps.Clone(of)
	maps.Copy(of, o.RuntimeConfig)
	return of
}

// minor returns a release in the form of servers' flags: 1.36. For "old" it is that of the
// old build.
func (o *Options) minor(text string) string {
	if text != string(term.Old) {
		return strings.TrimPrefix(text, "v")
	}
	return plan.MinorOf(o.builds[term.Old].Version) // the server reports errors of any other text
}

// StartAlone starts a server of the release on a scratch store. For a whole stage of gates,
// it also switches on the gates that those depend on: releases refuse AllAlpha alone if
// their alpha features need beta ones.
func (o *Options) StartAlone(
	ctx context.Context, role term.Role, build servers.Build, name string, store servers.Store,
) (servers.Process, error) {
	process, err := servers.StartFollowing(func(try int) (servers.Process, error) {
		place := name
		if try > 1 {
			place = fmt.Sprintf("%s-%d", name, try)
		}
		return o.runtime.Start(ctx, build, servers.Placement{Name: place, Store: store, Options: o.Of(role), Scratch: true})
	}, func(ended error) bool { return o.requireMore(role, ended) })
	if err != nil {
		return nil, fmt.Errorf("start %s on a scratch store: %w", build.Reference, err)
	}
	return process, nil
}

// requireMore switches on the gates that a server reported as dependencies when it exited.
// It returns false if the server exited for another reason, or if the scenario itself sets
// those gates.
func (o *Options) requireMore(role term.Role, ended error) bool {
	for _, r := range o.plan.Releases {
		if r.Role != role || r.Options.Gates == "" {
			continue
		}
		gates := maps.Clone(o.RequiredOf(role))
		if gates == nil {
			gates = map[string]bool{}
		}
		given := func(gate string) bool { _, decided := r.Options.FeatureGates[gate]; return decided }
		more := servers.FollowGates(ended, true, gates, given)
		o.Require(role, gates)
		return len(more) > 0
	}
	return false
}

// RequiredOf returns the gates that those of the release were found to depend on.
func (o *Options) RequiredOf(role term.Role) map[string]bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.required[role]
}

// Require replaces those gates.
func (o *Options) Require(role term.Role, gates map[string]bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.required[role] = gates
}
