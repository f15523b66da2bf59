package oracle_test

import (
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// That the stored version moves is noted, with both versions. Where both releases store
// the same, or only one of them has written, nothing is.
func TestStoredVersionMoves(t *testing.T) {
	for name, c := range map[string]struct {
		byOld, byNew string
		want         string
	}{
		"it moves":         {"example.dev/v1", "example.dev/v2", "the stored version of Widget moves: v1.0.0 stores example.dev/v1, and v2.0.0 stores example.dev/v2; each write"},
		"it stays":         {"example.dev/v1", "example.dev/v1", ""},
		"none is reported": {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
			run.Patch("bystander-1", oracletest.Via("a"))
			for i, version := range []string{c.byOld, c.byNew} {
				run.History.Changes[i].APIVersion = version
			}
			res, _ := run.Judge()
			reported := ""
			for _, note := range res.Notes {
				if strings.Contains(note, "stored version") {
					reported = note
				}
			}
			if !strings.HasPrefix(reported, c.want) || (reported == "") != (c.want == "") {
				t.Error(reported)
			}
		})
	}
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b")) // the new release writes nothing
	res, _ := run.Judge()
	if text := strings.Join(res.Notes, " "); strings.Contains(text, "stored version") {
		t.Error(text)
	}
}
