package neighbours

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestFind: the newest that lie next to one another are played, and no gap is skipped.
func TestFind(t *testing.T) {
	for _, c := range []struct {
		had  string // what can be had
		most int
		want string
	}{
		{"v1.37.0 v1.36.3 v1.35.4 v1.34.4", 2, "v1.36.3 v1.37.0"},
		{"v1.37.0 v1.36.3 v1.35.4 v1.34.4", 3, "v1.35.4 v1.36.3 v1.37.0"},
		{"v1.36.3 v1.35.4 v1.34.4", 2, "v1.35.4 v1.36.3"},
		{"v1.36.3 v1.35.4 v1.34.4", 3, "v1.34.4 v1.35.4 v1.36.3"},
		{"v1.37.0 v1.35.4 v1.34.4", 3, "v1.34.4 v1.35.4"},
		{"v1.37.0 v1.36.3 v1.34.4", 3, "v1.36.3 v1.37.0"},
		{"v1.37.0 v1.35.4", 2, ""},
		{"", 3, ""},
	} {
		got, err := find(c.most, func(version string) (servers.Build, error) {
			if slices.Contains(strings.Fields(c.had), version) {
				return servers.Build{Version: version}, nil
			}
			return servers.Build{}, &servers.RequestError{Err: errors.New("withheld")}
		})
		var versions []string
		for _, b := range got {
			versions = append(versions, b.Version)
		}
		assert.Equal(t, c.want, strings.Join(versions, " "), "of %q", c.had)
		assert.Equal(t, c.want == "", err != nil, "of %q: %v", c.had, err)
	}
}

// TestFindTellsTrouble: a machine that cannot build is no reason to play something older.
func TestFindTellsTrouble(t *testing.T) {
	full := errors.New("no space left")
	_, err := find(2, func(string) (servers.Build, error) { return servers.Build{}, full })
	require.ErrorIs(t, err, full)
}

// TestTested builds what the tests of other packages play, before they run side by side.
func TestTested(t *testing.T) {
	for _, b := range All(t) {
		t.Logf("%s: %s", b.Reference, b.Path)
	}
}
