package sweep

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle/blame"
	"github.com/skewsim/skewsim/sim/result"
)

// Installed returns findings as they are of the definitions that were installed. Where a server
// refused a release's definition of a kind, the definition before it stays: what the release would
// make of stored objects did not happen, and what its servers do later, the other definition does.
func Installed(all []result.Finding) (kept []result.Finding) {
	for _, f := range all {
		i := slices.IndexFunc(all, func(r result.Finding) bool { return refusedFor(r, f) })
		switch {
		case i < 0:
		case f.Outcome == term.Undecodable:
			continue
		case f.Step > all[i].Step && f.Outcome == term.Lost:
			f.Via = f.Via.Other()
			f.Actor = blame.ActorOf(f)
		}
		kept = append(kept, f)
	}
	return kept
}

// refusedFor reports whether a finding is that the definition was refused which another finding
// rests on.
func refusedFor(r, f result.Finding) bool {
	kind, _, _ := strings.Cut(r.Defines, ".")
	return r.Check == term.CheckInstalls && kind != "" && kind == f.Kind && r.Via == f.Via && f.Check != term.CheckInstalls
}
