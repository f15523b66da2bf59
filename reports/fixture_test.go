package reports_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// What the fixture's Secret holds, and what no format may show.
const (
	secretValue   = "hunter2-correct-horse"
	secretEncoded = "aHVudGVyMi1jb3JyZWN0LWhvcnNl"
)

// hostile is what an attacker would have an object hold: markup, a terminal's
// escape, an override of the reading direction, and a template.
const hostile = "</script><img src=x onerror=alert(1)> \x1b[31m \u202e {{.Plan}} ${alert(1)} @team |`]]>\n# https://evil.example/x"

const (
	oldVersion = "v1.36.3"
	newVersion = "v1.37.0"
	modePath   = `.spec.volumes[name="v"].emptyDir.mode`
	salt       = "salt of the fixture"
)

// stageNames are those of upgrade, rollback, upgrade with two replicas.
var stageNames = []string{"old", "upgrading 1/2", "new", "rolling-back 1/2", "rolled-back", "re-upgrading 1/2", "re-upgraded"}

// fixture makes the run that every test draws.
type fixture struct {
	run   reports.Run
	blobs map[string]history.Blob
}

// fixedRun is a run such as emptydir-mode gives, with every state, a Secret
// and hostile strings. copies adds that many plain copies.
func fixedRun(copies int) reports.Run {
	f := &fixture{blobs: map[string]history.Blob{}}
	f.run.Tool, f.run.Salt = "v0.1.0", salt
	f.run.Blobs = func(digest string) (history.Blob, bool) { b, ok := f.blobs[digest]; return b, ok }
	f.plan()
	f.ledger(copies)
	f.result()
	f.servers()
	measured(&f.run)
	return f.run
}

// roleAt is the release that a replica runs in a stage.
func roleAt(stage, replica int) term.Role {
	roles := [][2]term.Role{{term.Old, term.Old}, {term.New, term.Old}, {term.New, term.New}, {term.Old, term.New}, {term.Old, term.Old}, {term.New, term.Old}, {term.New, term.New}}
	return roles[stage][replica]
}

// rolloutOf is the roll-out that a stage belongs to.
func rolloutOf(stage int) term.Rollout {
	return []term.Rollout{"", term.Upgrade, term.Upgrade, term.Rollback, term.Rollback, term.Upgrade, term.Upgrade}[stage]
}

func versionOf(role term.Role) string {
	if role == term.Old {
		return oldVersion
	}
	return newVersion
}

func (f *fixture) plan() {
	p := plan.Plan{
		Scenario: "emptydir-mode", File: "emptydir-mode.yaml", Component: "kube-apiserver", Seed: 7, Namespace: "skewsim",
		About:    "emptyDir.mode is new in 1.37 (alpha). Any write through a 1.36 replica, even of a label, silently drops the permission bits.",
		Replicas: []string{"a", "b"}, Journey: []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade},
		Releases: []plan.Release{
			{Role: term.Old, Reference: "kube-apiserver@v1.36.3"},
			{Role: term.New, Reference: "kube-apiserver@v1.37.0", Options: scenarios.Options{
				FeatureGates: map[string]bool{"EmptyDirVolumeMode": true}, RuntimeConfig: map[string]bool{"api/all": true}, Flags: []string{"--v=2"}}},
		},
		Manifests: map[string]plan.Manifest{"objects/secret.yaml": {APIVersion: "v1", Kind: "Secret",
			Body: map[string]any{"kind": "Secret", "stringData": map[string]any{"password": secretValue}}}},
		Expect: []scenarios.Expectation{
			{Check: term.CheckNothingLost, Class: scenarios.OneOf[term.Class]{term.Impact}, Cause: scenarios.OneOf[term.Cause]{term.UnknownField}, Via: []term.Role{term.Old}, Path: scenarios.OneOf[string]{modePath}},
			{Check: term.CheckResurrection, Class: scenarios.OneOf[term.Class]{term.Impact}, Copy: []term.CopyRole{term.Untouched}},
			{Check: term.CheckAnswers, Verb: []term.Verb{term.Put, term.StatusPatch}, Count: 2},
		},
	}
	number := 0
	step := func(s plan.Step) plan.Step { number++; s.Number = number; return s }
	for i, name := range stageNames {
		stage := plan.Stage{Name: name, Rollout: rolloutOf(i), Replicas: []plan.ReplicaStage{{Replica: "a", Role: roleAt(i, 0)}, {Replica: "b", Role: roleAt(i, 1)}}}
		for r, replica := range p.Replicas {
			if i == 0 {
				stage.Steps = append(stage.Steps, step(plan.Step{Action: plan.Start, Replica: replica, Role: term.Old}))
			} else if roleAt(i, r) != roleAt(i-1, r) {
				stage.Steps = append(stage.Steps, step(plan.Step{Action: plan.Replace, Replica: replica, Role: roleAt(i, r)}))
			}
		}
		stage.Steps = append(stage.Steps,
			step(plan.Step{Action: plan.Operate, Verb: term.Put, Client: term.OldTyped, Copy: "scratch-treated-1", Read: "a", ReadRole: roleAt(i, 0),
				Via: "b", ViaRole: roleAt(i, 1), Change: &plan.Change{Kind: plan.Label, Names: []string{`.metadata.labels["skewsim.dev/touched"]`}}}),
			step(plan.Step{Action: plan.Observe}))
		p.Stages = append(p.Stages, stage)
	}
	f.run.Plan = p
}

// body records a JSON body and returns its digest.
func (f *fixture) body(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(data))
	f.blobs[digest] = history.Blob{Digest: digest, JSON: data}
	return digest
}

// made holds the bodies of pods and the stored bytes that a fixture has made: most fixtures
// contain the same ones.
var made sync.Map

// once records what make returns for the key, which it calls once for all fixtures.
func (f *fixture) once(key any, make func() history.Blob) string {
	blob, known := made.Load(key)
	if !known {
		blob, _ = made.LoadOrStore(key, make())
	}
	b := blob.(history.Blob)
	f.blobs[b.Digest] = b
	return b.Digest
}

// podBody records a pod and returns its digest.
func (f *fixture) podBody(name string, mode int) string {
	return f.once([2]any{name, mode}, func() history.Blob { return f.blobs[f.body(pod(name, mode))] })
}

// bytes records stored bytes and returns their digest.
func (f *fixture) bytes(stored string) string {
	return f.once(stored, func() history.Blob {
		return history.Blob{Digest: fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(stored))), Bytes: []byte(stored)}
	})
}

// pod is an object as a server serves it; mode 0 leaves the field out.
func pod(name string, mode int) map[string]any {
	volume := map[string]any{"name": "v", "emptyDir": map[string]any{}}
	if mode != 0 {
		volume["emptyDir"] = map[string]any{"mode": int64(mode)}
	}
	return map[string]any{"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": name, "uid": "9007199254740993", "generation": int64(9007199254740993), "annotations": map[string]any{"note": hostile}},
		"spec":     map[string]any{"containers": []any{map[string]any{"name": "c", "image": "registry.k8s.io/pause:3.10"}}, "volumes": []any{map[string]any{"name": "tmp", "emptyDir": map[string]any{}}, volume}}}
}

// life makes a copy's rows: one for each stage, and in it what each replica
// served and etcd held. state says what has become of the mode by stage.
func (f *fixture) ledgerOf(name, object string, role term.CopyRole, state func(stage int, role term.Role) term.Outcome) result.CopyLedger {
	c := result.CopyLedger{Copy: name, Object: object, Role: role, APIVersion: "v1", Kind: "Pod",
		Fields: []result.Field{{Path: modePath, Value: int64(448), Step: 6, Outcome: state(6, term.New)}, {Path: ".spec.containers[name=\"c\"].image", Value: "registry.k8s.io/pause:3.10", Step: 6, Outcome: term.Kept}}}
	worst := len(term.RunOutcomes())
	for stage := 1; stage < len(stageNames); stage++ {
		for _, edge := range []bool{false, true} {
			row := f.row(c, stage, edge, state)
			c.Rows = append(c.Rows, row)
			worst = min(worst, slices.Index(term.RunOutcomes().Words(), string(row.Outcome)))
		}
	}
	c.Outcome = term.RunOutcomes()[worst].Word
	return c
}

// row makes one row of a life.
func (f *fixture) row(c result.CopyLedger, stage int, edge bool, state func(int, term.Role) term.Outcome) result.Row {
	steps := f.run.Plan.Stages[stage].Steps
	operate := steps[len(steps)-2]
	row := result.Row{Step: operate.Number, Stage: stageNames[stage], Title: "put by old-typed, read a, via b", Edge: edge, Outcome: term.Kept}
	if edge {
		row.Step, row.Title = operate.Number+1, "LIST at the stage's edge"
	} else {
		row.Requests = []result.Request{
			{Method: "GET", Path: "/api/v1/namespaces/skewsim/pods/" + c.Copy, Replica: "a", Version: versionOf(roleAt(stage, 0)), Code: 200, Answer: f.podBody(c.Copy, 448)},
			{Method: "PUT", Path: "/api/v1/namespaces/skewsim/pods/" + c.Copy, Replica: "b", Version: versionOf(roleAt(stage, 1)), Code: 200,
				Sent: f.podBody(c.Copy, 0), Answer: f.podBody(c.Copy, 0), Warnings: []string{`unknown field "spec.volumes[1].emptyDir.mode"`}},
		}
	}
	for i, replica := range f.run.Plan.Replicas {
		view := f.view(c, replica, roleAt(stage, i), state(stage, roleAt(stage, i)))
		row.Views = append(row.Views, view)
		if slices.Index(term.RunOutcomes().Words(), string(view.Outcome)) < slices.Index(term.RunOutcomes().Words(), string(row.Outcome)) {
			row.Outcome = view.Outcome
		}
	}
	row.Stored = &result.Stored{Revision: int64(100 + row.Step), Encoding: "protobuf", APIVersion: "v1", Kind: "Pod", Size: 5000 + stage, Value: f.stored(c.Copy)}
	return row
}

// stored records bytes as protobuf stores them, longer than a report shows.
func (f *fixture) stored(name string) string {
	return f.bytes("k8s\x00\n\x09\n\x02v1\x12\x03Pod" + name + strings.Repeat("\x00\xff<img src=x>", 400))
}

// view makes what one replica served.
func (f *fixture) view(c result.CopyLedger, replica string, role term.Role, state term.Outcome) result.View {
	v := result.View{Replica: replica, Role: role, Version: versionOf(role), Code: 200, Outcome: state}
	switch state {
	case term.Kept:
		v.Answer = f.podBody(c.Copy, 448)
		return v
	case term.Undecodable, term.Refused:
		v.Code, v.Message = 500, "illegal tag 0 (wire type 0) "+hostile
		return v
	case term.Changed:
		v.Answer = f.podBody(c.Copy, 511)
		v.Diff = []result.Difference{{Path: modePath, Before: int64(448), After: int64(511), HadBefore: true, HasAfter: true},
			{Path: `.metadata.annotations["note"]`, After: hostile, HasAfter: true}}
	default:
		v.Answer = f.podBody(c.Copy, 0)
		v.Diff = []result.Difference{{Path: modePath, Before: int64(448), HadBefore: true}}
	}
	v.Outcomes = map[string]term.Outcome{modePath: state}
	return v
}

// always is a life in one state from a stage on.
func always(state term.Outcome, from int) func(int, term.Role) term.Outcome {
	return func(stage int, _ term.Role) term.Outcome {
		if stage < from {
			return term.Kept
		}
		return state
	}
}

// hiddenWhileOld is a life that a rollback hides.
func hiddenWhileOld(stage int, role term.Role) term.Outcome {
	switch {
	case role == term.Old:
		return term.Hidden
	case stage > 4:
		return term.Resurrected
	}
	return term.Kept
}

func (f *fixture) ledger(copies int) {
	l := result.Ledger{SchemaVersion: result.LedgerVersion, Lists: map[string]map[string][]string{
		"v1/Pod": {".spec.containers": {"name"}, ".spec.volumes": {"name"}, ".metadata.finalizers": {}}}}
	l.Copies = append(l.Copies, f.ledgerOf("scratch-untouched", "scratch", term.Untouched, hiddenWhileOld))
	for i, outcome := range numbered {
		l.Copies = append(l.Copies, f.ledgerOf(fmt.Sprintf("scratch-treated-%d", i+1), "scratch", term.Treated, always(outcome, 3)))
	}
	l.Copies = append(l.Copies, f.ledgerOf("scratch-bystander", "scratch", term.Bystander, always(term.Kept, 1)),
		f.ledgerOf(hostile, "hostile "+hostile, term.Treated, always(term.Changed, 2)), f.secret())
	for i := range copies {
		l.Copies = append(l.Copies, f.crowd(i))
	}
	f.run.Ledger = l
}

// numbered are the outcomes of the copies, in the order of their numbers, which tests name: an
// order of its own, so that a new outcome gives no copy another number.
var numbered = []term.Outcome{
	term.Undecodable, term.Lost, term.Changed, term.Varies, term.Resurrected, term.Frozen, term.Refused,
	term.Failed, term.Dropped, term.Indeterminate, term.Hidden, term.Withdrawn, term.Kept,
}

// crowd is one of many copies, of the size a real one has: one operation, 20
// rows, and bodies that grow by what servers note in them.
func (f *fixture) crowd(i int) result.CopyLedger {
	c := f.ledgerOf(fmt.Sprintf("crowd-%03d", i), "crowd", term.Treated, always(numbered[i%10], 3))
	for j := range c.Rows {
		row := &c.Rows[j]
		if j > 1 {
			row.Requests = nil
		}
		for k := range row.Views {
			if row.Views[k].Answer != "" {
				row.Views[k].Answer = f.body(grown(pod(c.Copy, 448), fmt.Sprintf("%s %d", c.Copy, j/3)))
			}
		}
	}
	for len(c.Rows) < 20 {
		row := c.Rows[len(c.Rows)-1]
		row.Step++
		c.Rows = append(c.Rows, row)
	}
	return c
}

// grown adds what a server notes of an object: an identity, and who owns which field.
func grown(object map[string]any, seed string) map[string]any {
	metadata := object["metadata"].(map[string]any)
	metadata["uid"] = fmt.Sprintf("%x", sha256.Sum256([]byte(seed)))
	fields := map[string]any{}
	for i := range 40 {
		fields[fmt.Sprintf("f:field%d", i)] = map[string]any{"f:name": map[string]any{}, fmt.Sprintf("f:value%d", i): map[string]any{}}
	}
	metadata["managedFields"] = []any{map[string]any{"manager": "skewsim", "operation": "Update", "time": seed, "fieldsV1": fields}}
	return object
}

// secret is a copy of a Secret whose value is in every place it could leak from.
func (f *fixture) secret() result.CopyLedger {
	c := f.ledgerOf("token-1", "token", term.Treated, always(term.Kept, 1))
	c.Kind = "Secret"
	applied := fmt.Sprintf(`{"kind":"Secret","data":{"password":%q}}`, secretEncoded)
	object := map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": "token-1",
		"annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": applied}}, "data": map[string]any{"password": secretEncoded}}
	patch := []any{map[string]any{"op": "replace", "path": "/stringData/password", "value": secretValue}}
	status := map[string]any{"kind": "Status", "message": "patch: Invalid value: " + secretEncoded + " " + secretValue}
	for i := range c.Rows {
		row := &c.Rows[i]
		row.Stored.Kind, row.Stored.Value = "Secret", f.bytes("k8s\x00 Secret "+secretValue)
		for j := range row.Requests {
			row.Requests[j].Sent, row.Requests[j].Answer = f.body(patch), f.body(status)
			row.Requests[j].Message = "Invalid value: " + secretValue
			row.Requests[j].Warnings = []string{"will not keep " + secretEncoded}
		}
		for j := range row.Views {
			v := &row.Views[j]
			v.Answer, v.Message = f.body(object), "quoted "+secretEncoded
			v.Diff = []result.Difference{{Path: ".data.password", Before: secretEncoded, After: redact.For(nil).Value("Secret", ".data.password", secretEncoded, salt), HadBefore: true, HasAfter: true}}
		}
	}
	c.Fields = []result.Field{{Path: ".data.password", Value: secretEncoded, Step: 6, Outcome: term.Lost}}
	return c
}

func (f *fixture) result() {
	expectedAt := func(place int, x result.Finding) result.Finding { x.Expected, x.Expectation = true, place; return x }
	lost := func(copy string, step int, stage string) result.Finding {
		return result.Finding{Check: term.CheckNothingLost, Rule: term.Rule6, Class: term.Impact, Object: "scratch", Kind: "Pod", Copy: copy, CopyRole: term.Treated,
			Path: modePath, Outcome: term.Lost, Cause: term.UnknownField, Step: step, Stage: stage, Client: term.OldTyped, Verb: term.Put, Read: term.Old, Via: term.Old,
			Replica: "a", Release: oldVersion, Before: int64(448), AcknowledgedStep: 6,
			Message: fmt.Sprintf("nothing-lost: pods/%s %s acknowledged in step 6 (%s), gone in step %d (put by old-typed via %s)", copy, modePath, newVersion, step, oldVersion)}
	}
	changed := lost(hostile, 9, "new")
	changed.Class, changed.Rule, changed.Outcome, changed.Cause, changed.Message = term.Violation, term.Rule5, term.Changed, term.Unattributed, "pods/"+hostile+" changed"
	changed.Object, changed.After = "hostile "+hostile, hostile
	leak := lost("token-1", 12, "rolling-back 1/2")
	leak.Object, leak.Kind, leak.Path, leak.Before, leak.After = "token", "Secret", ".data.password", secretEncoded, map[string]any{"x": secretValue}
	leak.Message = "answers: secrets/token-1 was answered 422: Invalid value: " + secretValue + " " + secretEncoded
	list := result.Finding{Check: term.CheckEverythingDecodes, Rule: term.RuleStorage, Class: term.Violation, Object: "scratch", Kind: "Pod", Outcome: term.Undecodable, Cause: term.Unattributed,
		Step: 13, Stage: "rolling-back 1/2", Replica: "a", Release: oldVersion, Message: "everything-decodes: LIST pods through a (" + oldVersion + ") answered 500 in step 13"}
	back := lost("scratch-untouched", 18, "re-upgrading 1/2")
	back.Check, back.Rule, back.Outcome, back.CopyRole, back.Cause = term.CheckResurrection, term.RuleResurrection, term.Resurrected, term.Untouched, ""
	back.Message = "resurrection: pods/scratch-untouched " + modePath + " hidden since step 12, served again in step 18"
	f.run.Result = result.Result{
		SchemaVersion: result.SchemaVersion, Scenario: f.run.Plan.Scenario, About: f.run.Plan.About, Releases: []string{oldVersion, newVersion}, Journey: f.run.Plan.Journey, Seed: 7,
		Verdict: term.Fail, Answer: "`" + modePath + "` was lost in 3 of 7 writes, all by v1.36.3 servers; rule-6 was broken", Reason: "3 findings are not expected, and 1 expectation was not met.",
		Findings: []result.Finding{expectedAt(1, lost("scratch-treated-2", 12, "rolling-back 1/2")), changed, leak, list, expectedAt(1, lost("scratch-treated-3", 12, "rolling-back 1/2")), expectedAt(2, back)},
		Missing:  []result.Missing{{Expectation: f.run.Plan.Expect[2], Place: 3, Message: "expected 2 findings, seen none " + hostile}},
		Checks: []result.Check{
			check(term.CheckNothingLost, term.Fail, 412, 3, 4, ""), check(term.CheckEverythingDecodes, term.Fail, 96, 0, 1, ""),
			check(term.CheckResurrection, term.Pass, 24, 0, 1, ""), check(term.CheckAnswers, term.Unknown, 0, 0, 0, "no call was answered"),
		},
		Notes: []string{"old-typed and new-typed are approximate: fields are pruned by the published schema", "a note of " + hostile},
		Skipped: []result.Skip{
			{Line: 14, Stage: "old", Cell: "touch scratch: put by new-typed, read new, via new", Reason: "no replica runs new in this stage"},
			{Line: 14, Stage: "rolled-back", Cell: "touch scratch: put by new-typed, read new, via new", Reason: "no replica runs new in this stage"},
			{Step: 9, Reason: "the copy was not created: " + hostile},
		},
		Builds: []result.Build{
			{Role: term.Old, Reference: "kube-apiserver@v1.36.3", Version: oldVersion, Digest: "sha256:" + strings.Repeat("1a2b", 16), Gates: map[string]bool{"AllAlpha": false}},
			{Role: term.New, Reference: "kube-apiserver@v1.37.0", Version: newVersion, Digest: "sha256:" + strings.Repeat("3c4d", 16), Gates: map[string]bool{"AllAlpha": false, "EmptyDirVolumeMode": true}},
		},
		Timing: result.Timing{Total: 31.4, Starts: 16.2, Stops: 7.9, Operations: 0.412, Looks: 1.05},
		Counts: result.Counts{Copies: len(f.run.Ledger.Copies), Steps: 22, Operations: 96, Looks: 210, Changes: 77},
	}
}

func check(name term.CheckName, verdict term.VerdictWord, judged, indeterminate, findings int, reason string) result.Check {
	return result.Check{Name: name, Guarantee: term.Checks().Meaning(name), Verdict: verdict, Judged: judged, Indeterminate: indeterminate, Findings: findings, Reason: reason}
}

func (f *fixture) servers() {
	for _, stage := range f.run.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Replica != "" {
				f.run.Servers = append(f.run.Servers, history.Server{Step: s.Number, Replica: s.Replica, Role: s.Role, Version: versionOf(s.Role), Event: history.Ready, Seconds: 2.04})
			}
		}
	}
	f.run.Servers = append(f.run.Servers, history.Server{Step: 21, Replica: "a", Role: term.New, Version: newVersion, Event: history.Died, Message: "exit status 1 " + hostile})
}
