package neighbours

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
)

// TestFind: the newest available pair is taken, and a release without its neighbour is not.
func TestFind(t *testing.T) {
	pairs := []pair{{"v1.36.3", "v1.37.0"}, {"v1.35.4", "v1.36.3"}, {"v1.34.4", "v1.35.4"}}
	for _, c := range []struct {
		available string
		want      string
	}{
		{"v1.37.0 v1.36.3 v1.35.4 v1.34.4", "v1.36.3 v1.37.0"},
		{"v1.36.3 v1.35.4 v1.34.4", "v1.35.4 v1.36.3"},
		{"v1.37.0 v1.35.4 v1.34.4", "v1.34.4 v1.35.4"},
		{"v1.37.0 v1.36.3 v1.34.4", "v1.36.3 v1.37.0"},
		{"v1.37.0 v1.35.4", ""},
		{"", ""},
	} {
		got, err := find(pairs, func(version string) (servers.Build, error) {
			if slices.Contains(strings.Fields(c.available), version) {
				return servers.Build{Version: version}, nil
			}
			return servers.Build{}, &servers.RequestError{Err: errors.New("withheld")}
		})
		var versions []string
		for _, b := range got {
			versions = append(versions, b.Version)
		}
		assert.Equal(t, c.want, strings.Join(versions, " "), "available: %q", c.available)
		assert.Equal(t, c.want == "", err != nil, "available: %q: %v", c.available, err)
	}
}

// TestFindFails: an error of the machine is no reason to take an older pair.
func TestFindFails(t *testing.T) {
	full := errors.New("no space left")
	_, err := find([]pair{{"v1.36.3", "v1.37.0"}, {"v1.35.4", "v1.36.3"}}, func(string) (servers.Build, error) { return servers.Build{}, full })
	require.ErrorIs(t, err, full)
}

// TestParse: the pairs of tiers.yaml can be read, and anything else is refused.
func TestParse(t *testing.T) {
	t.Setenv(tiers.ShardVariable, "")
	pairs, err := parse(tiers.Plays(t, tiers.Kubernetes).Pairs)
	require.NoError(t, err)
	assert.NotEmpty(t, pairs)
	got, err := parse([]string{"kube-apiserver@v1.36.3..v1.37.0"})
	require.NoError(t, err)
	assert.Equal(t, []pair{{"v1.36.3", "v1.37.0"}}, got)
	for _, wrong := range []string{"v1.36.3..v1.37.0", "kube-apiserver@v1.36.3"} {
		_, err := parse([]string{wrong})
		assert.ErrorContains(t, err, wrong)
	}
}

// TestKubernetesTested builds the releases that the tests of other packages start, before
// those tests run side by side.
func TestKubernetesTested(t *testing.T) {
	old, new := Pair(t)
	t.Logf("%s at %s, %s at %s", old.Reference, old.Path, new.Reference, new.Path)
}
