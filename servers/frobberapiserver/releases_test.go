package frobberapiserver

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestReleases(t *testing.T) {
	onPath(t, `[ "$1" = releases ] && echo 1.0 && echo 1.1 1.1+null 1.1+required`)
	train, err := Finder{}.Releases(t.Context())
	require.NoError(t, err)
	for release, want := range map[string]string{
		"1.0":          "",
		"1.1":          "",
		"1.1+required": "",
		"1.2":          "frobber@1.2: there is no such release: they are 1.0 to 1.1",
		"1.2+null":     "frobber@1.2+null: there is no such release: they are 1.0 to 1.1",
		"1.1+requird":  "frobber@1.1+requird: there is no such release: of 1.1 there are 1.1+null, 1.1+required",
		"1.0+null":     "frobber@1.0+null: there is no such release: 1.0 has no mutants",
	} {
		if err := train.Check(release); want == "" {
			assert.NoError(t, err)
		} else {
			assert.EqualError(t, err, want)
		}
	}
	assert.NoError(t, train.Check("1.0", "1.1+null"))
	assert.EqualError(t, train.Check("1.0", "1.4", "1.1+requird", "1.5", "1.6", "1.7", "1.8"),
		"frobber@1.1+requird: there is no such release: of 1.1 there are 1.1+null, 1.1+required\n"+
			"frobber@1.4,1.5,1.6 and 2 more: there is no such release: they are 1.0 to 1.1")
	for _, script := range []string{"exit 1", "exit 0", "printf 1.0"} {
		onPath(t, script)
		_, err := Finder{}.Releases(t.Context())
		assert.Error(t, err, script)
	}
}
