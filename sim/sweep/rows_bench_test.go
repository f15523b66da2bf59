package sweep

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// manyFields is a lap of a kind with a number of new fields: each object has twelve copies, of which the other release
// refuses a third to change, and loses the value of one.
func manyFields(n int) ([]Row, Lap) {
	var all []diff.Difference
	for i := range n {
		path := fmt.Sprintf(".spec.field%d", i)
		all = append(all, diff.Difference{Difference: term.FieldAdded, Version: "v1", Kind: "Thing", Path: path, Playable: true, Places: []diff.Place{{APIVersion: "v1", Kind: "Thing", Path: path}}})
	}
	rows := differences(diff.Result{Differences: all}, Scope{})
	lap := Lap{Lap: term.DefaultLap, Scope: Scope{Whole: all}}
	var r result.Result
	var l result.Ledger
	stage, number := plan.Stage{Name: StageMixed}, 0
	for _, t := range Targets(rows, term.DefaultLap, Options{}) {
		lap.Objects = append(lap.Objects, Object{Target: t, Specimen: try.Specimen{Target: t.Target, Held: t.Path, Answered: 1, Object: map[string]any{"apiVersion": "v1", "kind": "Thing", "spec": map[string]any{}}}})
		for c := range 12 {
			name := fmt.Sprintf("%s-treated-%03d", t.ID, c)
			number += 2
			birth := plan.Step{Number: number - 1, Action: plan.Operate, Verb: term.Create, Client: term.Dynamic, ViaRole: t.Release, Object: t.ID, Copy: name, Birth: true}
			write := plan.Step{Number: number, Action: plan.Operate, Verb: term.MergePatch, Client: term.Dynamic, ViaRole: t.Release.Other(), Object: t.ID, Copy: name, Change: &plan.Change{Kind: plan.Label}}
			stage.Steps = append(stage.Steps, birth, write)
			answer := result.Request{Code: 200}
			if c%3 == 0 {
				answer = result.Request{Code: 422, Message: "invalid", StatusCauses: []result.StatusCause{{Reason: "FieldValueInvalid", Field: t.Path, Message: "Invalid value"}}}
			}
			if c == 1 {
				f := lostHere
				f.Path, f.Object, f.Copy, f.Step = t.Path, t.ID, name, number
				r.Findings = append(r.Findings, f)
			}
			l.Copies = append(l.Copies, result.CopyLedger{Copy: name, Object: t.ID, Role: term.Treated, Fields: []result.Field{{Path: t.Path, Step: birth.Number, Outcome: term.Kept}}, Rows: []result.Row{
				{Step: birth.Number, Requests: []result.Request{{Code: 201}}, Stored: &result.Stored{Revision: 1}}, {Step: write.Number, Requests: []result.Request{answer}},
			}})
		}
	}
	lap.Evidence = []Evidence{EvidenceOf(&plan.Plan{Stages: []plan.Stage{stage}}, r, l)}
	return rows, lap
}

// BenchmarkRows: rows of many differences of one kind.
func BenchmarkRows(b *testing.B) {
	for _, n := range []int{250, 500, 1000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			rows, lap := manyFields(n)
			for b.Loop() {
				Rows(rows, []Lap{lap})
			}
		})
	}
}
