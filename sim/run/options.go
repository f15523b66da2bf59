package run

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/plan"
)

// options are what the servers of a release are started with: what the plan says,
// and of a whole stage of gates also those that they were found to hang on.
func (w *walker) options(role term.Role) servers.Options {
	for _, r := range w.config.Plan.Releases {
		if r.Role == role {
			return servers.Options{
				FeatureGates: w.gates(r), RuntimeConfig: apis(r.Options), Flags: r.Options.Flags,
				Encryption:              encryption(r.Options.Encryption),
				EmulatedVersion:         w.minor(r.Options.EmulatedVersion),
				MinCompatibilityVersion: w.minor(r.Options.MinCompatibilityVersion),
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

// allOf are the names under which a server has all gates of a stage.
var allOf = map[term.GateStage]string{term.AlphaGates: "AllAlpha", term.BetaGates: "AllBeta"}

// gates are those that a release's servers are started with; nil: none are named.
func (w *walker) gates(r plan.Release) map[string]bool {
	all, asked := allOf[r.Options.Gates]
	if !asked {
		return r.Options.FeatureGates
	}
	gates := map[string]bool{all: true}
	maps.Copy(gates, w.followedOf(r.Role))
	maps.Copy(gates, r.Options.FeatureGates)
	return gates
}

// apisOf are the APIs of a stage of gates. Features of a stage watch kinds of their
// own: without those a server waits for them, and ends.
var apisOf = map[term.GateStage]map[string]bool{term.AlphaGates: {"api/all": true}, term.BetaGates: {"api/beta": true}}

// apis are those that a release's servers switch; nil: none are named.
func apis(o scenarios.Options) map[string]bool {
	of, asked := apisOf[o.Gates]
	if !asked {
		return o.RuntimeConfig
	}
	of = maps.Clone(of)
	maps.Copy(of, o.RuntimeConfig)
	return of
}

// minor is a release as servers are told it: 1.36. Of the old one its build knows.
func (w *walker) minor(text string) string {
	if text != string(term.Old) {
		return strings.TrimPrefix(text, "v")
	}
	return plan.MinorOf(w.config.Builds[term.Old].Version) // of what is none the server says what is wrong with it
}

// mostStarts is how often a server is started to find what its gates hang on: each
// start tells of all that hang on one another directly.
const mostStarts = 8

// startAlone starts a server of the release on a scratch store. Where a whole stage
// of gates is asked for, it switches on what they hang on as well: AllAlpha alone is
// refused by releases whose alpha features need beta ones.
func (w *walker) startAlone(
	ctx context.Context, role term.Role, build servers.Build, name string, store servers.Store,
) (servers.Process, error) {
	for try := 1; ; try++ {
		place := name
		if try > 1 {
			place = fmt.Sprintf("%s-%d", name, try)
		}
		process, err := w.config.Runtime.Start(ctx, build, servers.Placement{Name: place, Store: store, Options: w.options(role)})
		if err == nil {
			return process, nil
		}
		if try == mostStarts || !w.follow(role, err) {
			return nil, fmt.Errorf("start %s on a scratch store: %w", build.Reference, err)
		}
	}
}

// follow switches on what a server that ended says its gates hang on; false: it
// ended for another reason, or for what the scenario has decided itself.
func (w *walker) follow(role term.Role, ended error) bool {
	for _, r := range w.config.Plan.Releases {
		if r.Role != role || r.Options.Gates == "" {
			continue
		}
		gates := maps.Clone(w.followedOf(role))
		if gates == nil {
			gates = map[string]bool{}
		}
		given := func(gate string) bool { _, decided := r.Options.FeatureGates[gate]; return decided }
		more := servers.FollowGates(ended, true, gates, given)
		w.keepFollowed(role, gates)
		return len(more) > 0
	}
	return false
}

func (w *walker) followedOf(role term.Role) map[string]bool {
	w.followedLock.Lock()
	defer w.followedLock.Unlock()
	return w.followed[role]
}

func (w *walker) keepFollowed(role term.Role, gates map[string]bool) {
	w.followedLock.Lock()
	defer w.followedLock.Unlock()
	w.followed[role] = gates
}
