package session

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// TestLeaveOutUnruled: a kind whose webhook has no rules in one of the folders is left out of both, and
// listed. Where it is the only one, the build refuses the folder as before.
func TestLeaveOutUnruled(t *testing.T) {
	for _, all := range [][]string{{"a.x", "b.x"}, {"b.x"}} {
		s := &session{refs: map[term.Role]servers.Reference{
			term.Old: {Scheme: servers.SchemeManifests, Path: "old"}, term.New: {Scheme: servers.SchemeManifests, Path: "new"},
		}}
		s.host.Definitions = func(_ context.Context, ref servers.Reference) ([]string, []string) {
			if ref.Path == "old" {
				return all, nil
			}
			return all, []string{"b.x"}
		}
		leaveOutUnruled(t.Context(), s)
		addUnruled(s)
		want := ""
		if len(all) == 2 {
			want = "b.x"
		}
		assert.Equal(t, want, s.refs[term.Old].Manifests.Without)
		assert.Equal(t, want, s.refs[term.New].Manifests.Without)
		assert.Len(t, s.result.NotCompared, len(all)-1)
	}
}

// TestLeaveOutOtherKinds: the builds of a sweep of some kinds define these alone, before a server starts; those
// of any other sweep define all.
func TestLeaveOutOtherKinds(t *testing.T) {
	for want, kinds := range map[string][]string{"": nil, "A,B.x": {"A", "B.x"}} {
		s := &session{refs: map[term.Role]servers.Reference{
			term.Old: {Scheme: servers.SchemeManifests, Path: "old"}, term.New: {Scheme: servers.SchemeManifests, Path: "new"},
		}}
		s.request.Kinds = kinds
		var asked []string
		s.host.Definitions = func(_ context.Context, ref servers.Reference) ([]string, []string) {
			asked = append(asked, ref.Manifests.Kinds)
			return []string{"a.x", "b.x"}, nil
		}
		leaveOutOtherKinds(s)
		leaveOutUnruled(t.Context(), s)
		assert.Equal(t, []string{want, want}, asked)
		assert.Equal(t, want, s.refs[term.Old].Manifests.Kinds)
		assert.Equal(t, want, s.refs[term.New].Manifests.Kinds)
	}
}
