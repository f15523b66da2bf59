package play

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/sweep"
)

// TestMismatchesIn: a log that two runs link to counts once, a log of equal content by another
// server counts too, and one without a mismatch adds nothing.
func TestMismatchesIn(t *testing.T) {
	const line = `E1123 1 validate.go:192] "Unexpected difference between hand written validation and declarative validation error results, extra error(s) found {Type=\"Forbidden\", Field=\"spec.a[1]\", Origin=\"\"}. Consider disabling it."` + "\n"
	at := func(name string) string { return filepath.Join(t.TempDir(), name) }
	one, linked, other, clean := at("a-1.log"), at("a-1.log"), at("b-1.log"), at("b-2.log")
	require.NoError(t, os.WriteFile(one, []byte(line+line), 0o600))
	require.NoError(t, os.Link(one, linked))
	require.NoError(t, os.WriteFile(other, []byte(line), 0o600))
	require.NoError(t, os.WriteFile(clean, []byte("I1123 1 serving\n"), 0o600))
	found, err := mismatchesIn(term.DefaultLap, []serverLog{{term.New, one}, {term.New, linked}, {term.New, other}, {term.Old, clean}, {term.Old, at("gone.log")}})
	require.NoError(t, err)
	assert.Equal(t, []sweep.Mismatch{{Lap: term.DefaultLap, Release: term.New, Field: "spec.a[]", Error: "Forbidden", Extra: true, Count: 3}}, sweep.MergedMismatches(found))
}
