package session

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// leaveOutUnruled leaves definitions out of both releases whose objects a webhook converts in either of
// them, and no file says how. Where no definition would be left, nothing is left out: the build then says
// what the folder lacks.
func leaveOutUnruled(ctx context.Context, s *session) {
	var without []string
	var defined [][]string // by each release
	for _, role := range []term.Role{term.Old, term.New} {
		if s.host.Definitions == nil || s.refs[role].Scheme != servers.SchemeManifests {
			return
		}
		all, unruled := s.host.Definitions(ctx, s.refs[role])
		defined, without = append(defined, all), append(without, unruled...)
	}
	slices.Sort(without)
	without = slices.Compact(without)
	for _, all := range defined {
		if !slices.ContainsFunc(all, func(name string) bool { return !slices.Contains(without, name) }) {
			return
		}
	}
	s.unruled = without
	for role, ref := range s.refs {
		ref.Manifests.Without = strings.Join(without, ",")
		s.refs[role] = ref
	}
}

// addUnruled says which kinds were left out.
func addUnruled(s *session) {
	for _, name := range s.unruled {
		s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf("%s: a webhook converts its objects, and no file in the folder has its rules", name))
	}
}
