package oracle_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/result"
)

// booked has a value that goes with a write through the old release, and of what
// the object's books say before it and after it.
func booked(t *testing.T, before, after object) result.Finding {
	s := mixed(t)
	created := s.create("treated-1", onlyShine, via("a"))
	lost := s.patch("treated-1", via("b"))
	for step, books := range map[int]object{created: before, lost: after} {
		for _, replica := range []string{"a", "b"} {
			for _, purpose := range []history.Purpose{history.Act, history.Look} {
				s.keeps(step, purpose, replica, books)
			}
		}
	}
	res, _ := s.judge()
	if len(res.Findings) != 1 || res.Findings[0].State != term.Lost {
		t.Fatalf("%+v", res.Findings)
	}
	return res.Findings[0]
}

// keeps writes metadata into an answer, where there is one.
func (s *story) keeps(step int, purpose history.Purpose, replica string, books object) {
	for i := range s.h.Operations {
		op := &s.h.Operations[i]
		if op.Step != step || op.Purpose != purpose || op.Replica != replica || op.Exchange.Answer == "" {
			continue
		}
		for at, value := range books {
			op.Exchange.Answer = s.bend(op.Exchange.Answer, ".metadata."+at, value)
		}
	}
}

// owning are managedFields that name owners of fields.
func owning(owners map[string]object) []any {
	var all []any
	for _, manager := range []string{"another", "mine"} {
		if fields, owns := owners[manager]; owns {
			all = append(all, object{"manager": manager, "operation": "Update", "fieldsV1": fields})
		}
	}
	return all
}

func ofShine() object  { return object{"f:spec": object{"f:shine": object{"f:level": object{}}}} }
func ofColour() object { return object{"f:spec": object{"f:colour": object{}}} }

// A generation that stands still while a value of the spec goes is reported; one that moves
// is not, and one that is not there says nothing.
func TestGenerationUnmoved(t *testing.T) {
	for name, c := range map[string]struct {
		before, after object
		want          term.Generation
	}{
		"it stands still":  {object{"generation": 1}, object{"generation": 1}, term.Unmoved},
		"it moves":         {object{"generation": 1}, object{"generation": 2}, ""},
		"no generation":    {object{}, object{}, ""},
		"it is new":        {object{}, object{"generation": 1}, ""},
		"it is taken away": {object{"generation": 1}, object{}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			f := booked(t, c.before, c.after)
			if f.Generation != c.want {
				t.Errorf("%q, want %q", f.Generation, c.want)
			}
			if told := strings.Contains(f.Message, "metadata.generation did not move"); told != (c.want == term.Unmoved) {
				t.Error(f.Message)
			}
		})
	}
}

// Managers that still claim the value which is gone are named; those of other
// fields are not, nor is one that claimed it before alone.
func TestClaimedBy(t *testing.T) {
	for name, c := range map[string]struct {
		before, after map[string]object
		want          []string
	}{
		"still claimed":    {map[string]object{"mine": ofShine()}, map[string]object{"mine": ofShine()}, []string{"mine"}},
		"by two":           {nil, map[string]object{"mine": ofShine(), "another": ofShine()}, []string{"another", "mine"}},
		"given up":         {map[string]object{"mine": ofShine()}, map[string]object{"mine": ofColour()}, nil},
		"of another field": {nil, map[string]object{"another": ofColour()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			f := booked(t, object{"managedFields": owning(c.before)}, object{"managedFields": owning(c.after)})
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
