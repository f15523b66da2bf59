package blame_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/result"
)

// ownedValue has a value that goes with a write through the old release, and of what
// the object's metadata says before it and after it.
func ownedValue(t *testing.T, before, after oracletest.Object) result.Finding {
	run := oracletest.NewMixed(t)
	created := run.Create("treated-1", oracletest.ShineSpec, oracletest.Via("a"))
	lost := run.Patch("treated-1", oracletest.Via("b"))
	for step, metadata := range map[int]oracletest.Object{created: before, lost: after} {
		for _, replica := range []string{"a", "b"} {
			for _, purpose := range []history.Purpose{history.Act, history.Look} {
				keeps(run, step, purpose, replica, metadata)
			}
		}
	}
	res, _ := run.Judge()
	if len(res.Findings) != 1 || res.Findings[0].Outcome != term.Lost {
		t.Fatalf("%+v", res.Findings)
	}
	return res.Findings[0]
}

// keeps writes metadata into an answer, where there is one.
func keeps(run *oracletest.Run, step int, purpose history.Purpose, replica string, metadata oracletest.Object) {
	for i := range run.History.Operations {
		op := &run.History.Operations[i]
		if op.Step != step || op.Purpose != purpose || op.Replica != replica || op.Exchange.Answer == "" {
			continue
		}
		for at, value := range metadata {
			op.Exchange.Answer = run.Edited(op.Exchange.Answer, ".metadata."+at, value)
		}
	}
}

// owning are managedFields that name owners of fields.
func owning(owners map[string]oracletest.Object) []any {
	var all []any
	for _, manager := range []string{"another", "mine"} {
		if fields, owns := owners[manager]; owns {
			all = append(all, oracletest.Object{"manager": manager, "operation": "Update", "fieldsV1": fields})
		}
	}
	return all
}

func ofShine() oracletest.Object {
	return oracletest.Object{"f:spec": oracletest.Object{"f:shine": oracletest.Object{"f:level": oracletest.Object{}}}}
}

func ofColour() oracletest.Object {
	return oracletest.Object{"f:spec": oracletest.Object{"f:colour": oracletest.Object{}}}
}

// A generation that stands still while a value of the spec goes is reported; one that moves
// is not, and one that is not there says nothing.
func TestGenerationUnmoved(t *testing.T) {
	for name, c := range map[string]struct {
		before, after oracletest.Object
		want          term.Generation
	}{
		"it stands still":  {oracletest.Object{"generation": 1}, oracletest.Object{"generation": 1}, term.Unmoved},
		"it moves":         {oracletest.Object{"generation": 1}, oracletest.Object{"generation": 2}, ""},
		"no generation":    {oracletest.Object{}, oracletest.Object{}, ""},
		"it is new":        {oracletest.Object{}, oracletest.Object{"generation": 1}, ""},
		"it is taken away": {oracletest.Object{"generation": 1}, oracletest.Object{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := ownedValue(t, c.before, c.after)
			if f.Generation != c.want {
				t.Errorf("%q, want %q", f.Generation, c.want)
			}
			if reported := strings.Contains(f.Message, "metadata.generation did not move"); reported != (c.want == term.Unmoved) {
				t.Error(f.Message)
			}
		})
	}
}

// Managers that still claim the value which is gone are named; those of other
// fields are not, nor is one that claimed it before alone.
func TestClaimedBy(t *testing.T) {
	for name, c := range map[string]struct {
		before, after map[string]oracletest.Object
		want          []string
	}{
		"still claimed":    {map[string]oracletest.Object{"mine": ofShine()}, map[string]oracletest.Object{"mine": ofShine()}, []string{"mine"}},
		"by two":           {nil, map[string]oracletest.Object{"mine": ofShine(), "another": ofShine()}, []string{"another", "mine"}},
		"given up":         {map[string]oracletest.Object{"mine": ofShine()}, map[string]oracletest.Object{"mine": ofColour()}, nil},
		"of another field": {nil, map[string]oracletest.Object{"another": ofColour()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := ownedValue(t, oracletest.Object{"managedFields": owning(c.before)}, oracletest.Object{"managedFields": owning(c.after)})
			if !slices.Equal(f.ClaimedBy, c.want) {
				t.Errorf("%v, want %v", f.ClaimedBy, c.want)
			}
			text := "managedFields still name " + strings.Join(c.want, " and ") + " as its owner"
			if strings.Contains(f.Message, "managedFields still name") != (len(c.want) > 0) || len(c.want) > 0 && !strings.Contains(f.Message, text) {
				t.Error(f.Message)
			}
		})
	}
}
