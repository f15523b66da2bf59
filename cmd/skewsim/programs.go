package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// allowPrograms is the flag without which no scenario's file chooses what is executed: files
// come with pull requests of people nobody knows.
const allowPrograms = "allow-programs"

func registerPrograms(flags *pflag.FlagSet, allowed *bool) {
	flags.BoolVar(allowed, allowPrograms, false, "let scenario files choose what is executed: path:, source:, image: and module: builds, and adapters")
}

// programsOf returns the parts of a scenario's file that choose what a run of these
// releases executes, in words: references that only the file names, what its manifests are
// installed on, and the adapter. Files of the catalogue come with skewsim.
func programsOf(s *scenarios.Scenario, refs []servers.Reference, f runFlags) (chosen []string) {
	if s.BuiltIn {
		return nil
	}
	own := f.pair.ownOf(s)
	if f.chain.wanted(s, f.pair) {
		own = func(servers.Reference) bool { return f.chain.through == "" }
	}
	on, err := servers.ParseReference(s.Releases.Server)
	for _, ref := range refs {
		if ref.Executes() && own(ref) {
			chosen = append(chosen, ref.String())
		}
		if ref.Scheme == servers.SchemeManifests && f.pair.server == "" && err == nil && on.Executes() {
			chosen = append(chosen, "releases.server "+s.Releases.Server)
		}
		if ref.AdapterWithin != "" {
			chosen = append(chosen, "releases.adapter "+ref.Adapter)
		}
	}
	if servers.IsCommit(s.Releases.Clients) {
		chosen = append(chosen, "releases.clients "+s.Releases.Clients)
	}
	slices.Sort(chosen)
	return slices.Compact(chosen)
}

// checkPrograms notes the programs that the scenario's file chooses, and refuses a task whose programs it
// chooses unless the user allows that.
func (t *task) checkPrograms() error {
	t.programs = programsOf(t.scenario, t.refs, t.flags)
	if len(t.programs) == 0 || t.flags.pair.programs {
		return nil
	}
	return fmt.Errorf("%s: the file chooses what is executed (%s): name that on the command line (--pair, --old, --new, --server, --adapter), or allow it with --%s if you trust the file",
		t.scenario.File, strings.Join(t.programs, ", "), allowPrograms)
}

// registerServer registers --server, which without a value is what the text says.
func registerServer(flags *pflag.FlagSet, server *string, without string) {
	flags.StringVar(server, "server", "", "of crd: builds, the kube-apiserver `build` that the definitions are installed on (default: "+without+")")
}

// onServer gives manifests the kube-apiserver that the user names.
func onServer(server string, old, new *servers.Reference) error {
	if server == "" {
		return nil
	}
	on, err := servers.ParseReference(server)
	switch {
	case err != nil:
		return fmt.Errorf("--server: %w", err)
	case on.Scheme != servers.SchemeRelease && on.Scheme != servers.SchemePath:
		return fmt.Errorf("--server %s: want a kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE", server)
	case old.Scheme != servers.SchemeManifests || new.Scheme != servers.SchemeManifests:
		return errors.New("--server: is what custom resource definitions are installed on, and these releases are none: leave it out")
	}
	old.Manifests.Server, new.Manifests.Server = server, server
	return nil
}
