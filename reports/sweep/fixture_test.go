package sweep_test

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/sweep"
)

// hostile is text that means something to a browser, a forge, a spreadsheet or a terminal.
const hostile = "</script><img src=x onerror=alert(1)>|`@admin` [x](javascript:alert(1)) \u202egnp\x1b[31m =cmd|' /C calc'!A0 ]]>"

// story is what happens to one of the fixture's rows.
type story struct {
	kind    term.DifferenceKind
	place   string // group/version Kind path
	name    string
	effect  term.Effect
	class   term.Class
	rule    term.Rule
	cause   term.Cause
	message string
	gate    *diff.Gate
	known   string
	owner   string
	reason  string
	old     bool // the old release alone does it too
}

var (
	alphaGate = &diff.Gate{Name: "PodLevelThing", Source: term.FromTag, Old: nil, New: &diff.GateState{Stage: "ALPHA"}}
	betaGate  = &diff.Gate{Name: "MinReplicasZero", Source: term.FromLifecycle, Old: &diff.GateState{Stage: "ALPHA"}, New: &diff.GateState{Stage: "BETA", Default: true}}
	gaGate    = &diff.Gate{Name: "RelaxedNames", Source: term.FromTag, Old: &diff.GateState{Stage: "BETA", Default: true}, New: &diff.GateState{Stage: "GA", Default: true, Locked: true}}
)

// stories has every fate, and most kinds of differences.
func stories() []story {
	lost := story{effect: term.Lost.By(term.OldServer), class: term.Impact, rule: term.Rule6, cause: term.UnknownField, message: "acknowledged in step 4, gone in step 9: a server that does not know the field rewrote the object"}
	of := func(base story, kind term.DifferenceKind, place string) story {
		base.kind, base.place = kind, place
		return base
	}
	return []story{
		{kind: term.StorageChanged, place: "storage.example.io/v1 Volume", effect: term.Undecodable.Effect(), class: term.Violation, rule: term.RuleStorage, cause: term.BadVersion, message: "stored as v2, which the old release cannot decode: every list fails"},
		{kind: term.EnumValueAdded, place: "v1 Pod .spec.restartPolicy", name: "RestartAllContainers", effect: term.Panicked.Effect(), class: term.Violation, rule: term.Rule3, cause: term.ServerPanic, message: "the server panicked as it answered the call", known: "https://github.com/example/example/issues/1"},
		{kind: term.EnumValueAdded, place: "apps/v1 Deployment .spec.strategy.type", name: "Staged", effect: term.Frozen.Effect(), class: term.Violation, rule: term.RuleWritable, cause: term.UnknownValue, message: `Deployment "w" is invalid: spec.strategy.type: Unsupported value: "Staged"`, gate: alphaGate},
		{kind: term.RuleTightened, place: "v1 Service .spec.ports[].name", name: "k8s:maxLength=15", effect: term.PartlyFrozen.Effect(), class: term.Violation, rule: term.Rule2, cause: term.NotRatcheted, message: "a field beside the value can no longer be written", owner: "sig-network"},
		of(lost, term.FieldAdded, "v1 Pod .spec.resources.limits"), of(lost, term.FieldAdded, "batch/v1 Job .spec.successPolicy"),
		{kind: term.FieldAdded, place: "v1 Pod .spec.hostUsers", effect: term.Lost.By(term.OldServer), class: term.Violation, rule: term.RuleLifecycle, cause: term.GateDisabled, gate: alphaGate, message: hostile},
		{kind: term.FieldRemoved, place: "v1 Node .spec.externalID", effect: term.Lost.By(term.OldClient), class: term.Violation, rule: term.Rule5, cause: term.ClientOmitted, message: "an old typed client could not carry the field"},
		{kind: term.TypeChanged, place: "v1 Event .series.count", effect: term.Lost.By(term.NewRelease), class: term.Violation, rule: term.Rule2, cause: term.Converted, message: "a server of the new release rewrote the value"},
		{kind: term.DefaultChanged, place: "apps/v1 StatefulSet .spec.updateStrategy.rollingUpdate.maxUnavailable", effect: term.Changed.Effect(), class: term.Violation, rule: term.Rule2, cause: term.Defaulted, gate: betaGate, message: "an object that sets nothing is served with another default"},
		{kind: term.FieldAdded, place: "networking.k8s.io/v1 NetworkPolicy .spec.ingress[].name", effect: term.OwnershipChanged.Effect(), class: term.Impact, rule: term.Rule6, cause: term.ApplyReleased, message: "managedFields no longer name the manager that applied it"},
		{kind: term.FieldAdded, place: "v1 Pod .spec.containers[].restartRules", effect: term.Dropped.Effect(), class: term.Impact, rule: term.Rule6, cause: term.UnknownField, gate: alphaGate, message: "accepted with a warning, and not stored"},
		{kind: term.GateChanged, place: "", name: "MinReplicasZero", effect: term.Refused.Effect(), gate: betaGate, reason: "spec.minReplicas: Invalid value: 0: must be greater than or equal to 1"},
		{kind: term.RuleRelaxed, place: "v1 ConfigMap .metadata.name", name: hostile, effect: term.Refused.Effect(), gate: gaGate, reason: hostile},
		{kind: term.FieldAdded, place: "v1 Pod .status.allocatedResources", effect: term.Hidden.Effect(), gate: gaGate},
		{kind: term.FieldAdded, place: "autoscaling/v2 HorizontalPodAutoscaler .spec.behavior.tolerance", effect: term.Kept.Effect(), gate: gaGate},
		{kind: term.FieldAdded, place: "v1 PersistentVolume .spec.flexVolume.thing", effect: term.NotExercised.Effect(), reason: `spec.flexVolume.driver: Required value; ` + hostile},
		{kind: term.BehaviourChanged, place: "example.io/v2 Thing .spec.extra", name: "lost:new-release", effect: term.Lost.By(term.NewRelease), class: term.Violation, rule: term.Rule4, cause: term.Converted, message: "v1 has no such field", old: true},
		{kind: term.ColumnsChanged, place: "v1 Node", effect: term.Indeterminate.Effect(), reason: "tables are listed, and not played"},
	}
}

// fixture is a sweep with that many rows, of all fates.
func fixture(rows int) sweep.Result {
	r := sweep.Result{
		SchemaVersion: sweep.SchemaVersion, Date: "2026-11-23", Seed: 1, Command: "skewsim sweep kube-apiserver@v1.36.3..v1.37.2",
		Old:    sweep.Build{Reference: "kube-apiserver@v1.36.3", Version: "v1.36.3", Digest: "sha256:0123456789abcdef0123456789abcdef"},
		New:    sweep.Build{Reference: "kube-apiserver@v1.37.0", Version: "v1.37.2", Digest: "sha256:fedcba9876543210fedcba9876543210", Substituted: []string{"v1.37.2 for v1.37.0, which is not available"}},
		Answer: "At default settings a cluster can lose 2 of the 48 fields that v1.37.2 adds, and 1 kind of objects cannot be read after a rollback.",
		Timing: &sweep.Timing{Seconds: 119.75, SimulatorCPU: 61.5, ServersCPU: 142.25, Memory: 412 << 20},
		Laps: []sweep.LapSummary{
			{Lap: term.DefaultLap, Run: "default", Verdict: term.Impacts, Objects: 41, Copies: 512, Seconds: 61.25},
			{Lap: term.GatesLap, Run: "gates", Verdict: term.Fail, Objects: 44, Copies: 540, Seconds: 58.5, Gates: map[string]bool{"PodLevelThing": true}, Skipped: map[string]string{"volume-flex": "the server refused it: " + hostile}},
		},
		NotCompared: []string{"hand-written validation: it is code, and found only by playing", "v1.36.3: " + hostile},
		Mismatches:  []sweep.Mismatch{{Lap: term.DefaultLap, Release: term.New, Field: "spec.devices[].name", Error: hostile, Extra: true, Count: 3}},
		Notes:       []string{"the metric of mismatched validation did not rise"},
	}
	all := stories()
	for i := range rows {
		r.Rows = append(r.Rows, all[i*len(all)/rows].row(i))
	}
	r.Totals = sweep.Summarize(r, nil).Totals
	return r
}

func (s story) row(i int) sweep.Row {
	d := diff.Difference{Difference: s.kind, Name: s.name, Playable: s.effect.Outcome != term.Indeterminate}
	if words := strings.SplitN(s.place, " ", 3); len(words) > 1 {
		d.Group, d.Version, _ = strings.Cut(words[0], "/")
		if d.Version == "" {
			d.Group, d.Version = "", d.Group
		}
		d.Kind = words[1]
		if len(words) > 2 {
			d.Path = fmt.Sprintf("%s%d", words[2], i)
			d.Type = "io.k8s.api.core.v1." + d.Kind + "Spec"
		}
		d.Places = []diff.Place{{APIVersion: words[0], Kind: d.Kind, Path: d.Path}, {APIVersion: words[0], Kind: d.Kind + "Template", Path: ".template" + d.Path}}
	}
	if s.kind == term.DefaultChanged {
		d.Old, d.New = "nothing", "1"
	}
	if s.gate != nil {
		d.Gates = []diff.Gate{*s.gate}
	}
	row := sweep.Row{ID: fmt.Sprintf("%s/%s/%s/%d", s.kind, d.Kind, strings.TrimPrefix(d.Path, "."), i), Difference: d, Reachable: s.gate != alphaGate}
	lap := term.DefaultLap
	if !row.Reachable {
		lap = term.GatesLap
	}
	row.LapResult = s.outcome(i, lap, d)
	if d.Playable {
		row.Laps = []sweep.LapResult{row.LapResult}
		if row.Reachable && i%3 == 0 {
			row.Laps = append(row.Laps, s.outcome(i, term.GatesLap, d))
		}
	}
	return row
}

func (s story) outcome(i int, lap term.Lap, d diff.Difference) sweep.LapResult {
	o := sweep.LapResult{Lap: lap, Effect: s.effect, Reason: s.reason, Class: s.class, Rule: s.rule, Cause: s.cause, Known: s.known, Accepted: s.owner, PreExisting: s.old}
	if s.effect.Outcome == term.NotExercised || s.effect.Outcome == term.Indeterminate {
		return o
	}
	o.Object, o.Origin = fmt.Sprintf("%s-%d", strings.ToLower(d.Kind), i), term.ObjectOrigins()[i%4].Word
	o.WasPlayed, o.Exercised = true, true
	o.History = fmt.Sprintf("%s/report.html#ledger/%s", lap, o.Object)
	if s.class == term.Impact && i%5 == 0 {
		o.Broken = 1
	}
	if i%10 == 3 {
		o.Notes = []string{"another value of the object was lost: .spec.other " + hostile}
	}
	if i%20 == 6 {
		o.History = "javascript:alert(1)"
	}
	writes := []string{"nothing is written", "label by put through the old release", "label by merge-patch through the old release", "label by apply through the old release", "put by an old typed client through the new release", "create through the old release, fieldValidation Warn"}
	for n, write := range writes {
		c := sweep.Cell{Write: write, Stage: []string{"upgrading 1/2", "rolled-back"}[n%2], Copy: fmt.Sprintf("%s-treated-%d", o.Object, n), Step: 4 + n, Effect: term.Kept.Effect()}
		if (n+i)%3 == 0 || n == 1 {
			c.Effect, c.Class, c.Rule, c.Cause, c.Message, c.Path, c.PreExisting = s.effect, s.class, s.rule, s.cause, s.message, d.Path, s.old
		}
		o.Cells = append(o.Cells, c)
	}
	return o
}
