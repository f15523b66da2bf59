package trace_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// forms is the evidence of a run with a treated and a bystander form of this spec each.
func forms(t *testing.T, treated, bystander oracletest.Object) *trace.Evidence {
	run := oracletest.NewMixed(t)
	widget := run.History.Header.Plan.Manifests["widget"]
	for name, spec := range map[string]oracletest.Object{"treated": treated, "bystander": bystander} {
		widget.Body = oracletest.Object{"apiVersion": widget.APIVersion, "kind": widget.Kind, "spec": spec}
		run.History.Header.Plan.Manifests[name] = widget
		run.Create(name+"-1", `{}`, oracletest.Of(name))
	}
	return trace.Gather(trace.Build(run.History, run.Schemas))
}

func TestOnlyTreatedHave(t *testing.T) {
	ev := forms(t, oracletest.Object{"colour": "red", "tags": []any{"a", "b"}}, oracletest.Object{"colour": "blue", "tags": []any{"a"}})
	tl := ev.ByCopy["treated-1"]
	for text, want := range map[string]bool{".spec.colour": true, ".spec.tags[=\"a\"]": false, ".spec.tags[=\"b\"]": true} {
		leaf, has := trace.LeavesIn(tl.Kind, tl.Manifest.Body)[text]
		if got := trace.OnlyTreatedHave(ev, tl, leaf); !has || got != want {
			t.Errorf("%s: %t, present %t; want %t", text, got, has, want)
		}
	}
	leaf := trace.LeavesIn(tl.Kind, ev.ByCopy["bystander-1"].Manifest.Body)[".spec.colour"]
	if trace.OnlyTreatedHave(ev, tl, leaf) {
		t.Error("the bystander's value is not the treated form's")
	}
}

// A form is read once, whatever number of its values is looked up: what a second look-up allocates
// does not grow with the lists of the form.
func TestFormsAreReadOnce(t *testing.T) {
	lookUp := func(elements int) float64 {
		var tags []any
		for i := range elements {
			tags = append(tags, fmt.Sprint("t", i))
		}
		ev := forms(t, oracletest.Object{"colour": "red", "tags": tags}, oracletest.Object{"tags": tags})
		tl := ev.ByCopy["treated-1"]
		leaf := schema.Leaf{Path: oracletest.Path(t, ".spec.colour"), Semantic: "red"}
		return testing.AllocsPerRun(10, func() { trace.OnlyTreatedHave(ev, tl, leaf) })
	}
	if few, many := lookUp(2), lookUp(500); many > few {
		t.Errorf("a look-up allocates %v times in a list of 2, %v times in a list of 500", few, many)
	}
}

// The values at a place are found without a visit of the values at other places.
func TestAcknowledgedAtIsIndexed(t *testing.T) {
	run := oracletest.NewMixed(t)
	tags := make([]string, 300)
	for i := range tags {
		tags[i] = fmt.Sprintf("%q", fmt.Sprint("t", i))
	}
	for i := range 3 {
		run.Create(fmt.Sprint("treated-", i), `{"colour": "red", "tags": [`+strings.Join(tags, ",")+`]}`)
	}
	ev := trace.Gather(trace.Build(run.History, run.Schemas))
	at := func(name string) trace.Place {
		return trace.SpotOf(ev.ByCopy["treated-1"], &trace.AckedValue{Name: name}, "")
	}
	for name, want := range map[string]int{".spec.colour": 3, ".spec.tags[=\"t7\"]": 3, ".spec.size": 0} {
		found := trace.AcknowledgedAt(ev, at(name))
		if len(found) != want {
			t.Errorf("%s: %d values, want %d", name, len(found), want)
		}
		for _, held := range found {
			if held.Value.Name != name {
				t.Errorf("%s: got %s of %s", name, held.Value.Name, held.Timeline.Copy.Name)
			}
		}
	}
	place := at(".spec.colour")
	if n := testing.AllocsPerRun(10, func() { trace.AcknowledgedAt(ev, place) }); n > 0 {
		t.Errorf("a look-up in the index allocates %v times", n)
	}
	ev.Timelines = nil
	if len(trace.AcknowledgedAt(ev, place)) != 3 {
		t.Error("the timelines are walked again")
	}
}
