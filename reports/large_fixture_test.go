package reports_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// hostPath is the field that the large run is about: the old release hides it,
// and a write through it loses it.
const hostPath = ".spec.hostnameOverride"

// large makes a run as large as asked for. Its bodies are made when they are
// asked for, so that only what a report keeps takes memory.
type large struct {
	run                 reports.Run
	copies, rows, every int
	first               []int // of each row the number of its step, or of the first copy's where each has its own
}

// largeRun is a run of copies with rows each. Every so many rows a copy is
// written, in a step of its own; in the others all copies are looked at. Of
// twenty copies one loses a value. Bodies are Pods of some 2 KB, whose label,
// resourceVersion and times change with each write.
func largeRun(copies, rows, every int) reports.Run {
	l := &large{copies: copies, rows: rows, every: every}
	l.run.Tool, l.run.Salt, l.run.Blobs = "v0.1.0", salt, blobOf
	l.plan()
	l.ledger()
	l.result()
	return l.run
}

// stageOf is the stage that a row is in.
func (l *large) stageOf(row int) int { return row * len(stageNames) / l.rows }

// writes reports whether a row is a write.
func (l *large) writes(row int) bool { return row%l.every == 0 }

func (l *large) plan() {
	p := plan.Plan{Scenario: "large", Component: "kube-apiserver", Namespace: "skewsim", About: "As many copies as a report shall take.",
		Replicas: []string{"a", "b"}, Journey: []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade},
		Releases: []plan.Release{{Role: term.Old, Reference: "kube-apiserver@" + oldVersion}, {Role: term.New, Reference: "kube-apiserver@" + newVersion}}}
	for i, name := range stageNames {
		p.Stages = append(p.Stages, plan.Stage{Name: name, Replicas: []plan.ReplicaStage{{Replica: "a", Role: roleAt(i, 0)}, {Replica: "b", Role: roleAt(i, 1)}}})
	}
	number := 0
	for row := range l.rows {
		stage := &p.Stages[l.stageOf(row)]
		l.first = append(l.first, number+1)
		if !l.writes(row) {
			number++
			stage.Steps = append(stage.Steps, plan.Step{Number: number, Action: plan.Observe})
			continue
		}
		for i := range l.copies {
			number++
			stage.Steps = append(stage.Steps, plan.Step{Number: number, Action: plan.Operate, Verb: term.Put, Client: term.OldTyped, Object: "web", Copy: largeName(i),
				Read: "a", ReadRole: stage.Replicas[0].Role, Via: "b", ViaRole: stage.Replicas[1].Role, Change: &plan.Change{Kind: plan.Label}})
		}
	}
	l.run.Plan = p
}

func largeName(i int) string { return fmt.Sprintf("web-treated-%04d", i+1) }

// losesFrom is the row from which on a copy's value is lost; past the last one
// where it never is.
func (l *large) losesFrom(i int) int {
	if i%20 != 0 {
		return l.rows
	}
	return (l.rows/2 + l.every - 1) / l.every * l.every
}

func (l *large) ledger() {
	l.run.Ledger.SchemaVersion = result.LedgerVersion
	for i := range l.copies {
		c := result.CopyLedger{Copy: largeName(i), Object: "web", Role: term.Treated, APIVersion: "v1", Kind: "Pod", Outcome: term.Hidden,
			Fields: []result.Field{{Path: hostPath, Value: "host-" + largeName(i), Step: l.first[0] + i, Outcome: term.Kept},
				{Path: `.spec.containers[name="c0"].image`, Value: "registry.k8s.io/pause:3.10", Step: l.first[0] + i, Outcome: term.Kept}}}
		if l.losesFrom(i) < l.rows {
			c.Outcome, c.Fields[0].Outcome = term.Lost, term.Lost
		}
		for row := range l.rows {
			c.Rows = append(c.Rows, l.row(i, row))
		}
		l.run.Ledger.Copies = append(l.run.Ledger.Copies, c)
	}
}

// row is one row of a copy.
func (l *large) row(i, row int) result.Row {
	stage, write := l.stageOf(row), row/l.every
	r := result.Row{Step: l.first[row], Stage: stageNames[stage], Title: "LIST at the stage's edge", Edge: !l.writes(row), Outcome: term.Kept}
	if !r.Edge {
		r.Step, r.Title = l.first[row]+i, "put by old-typed, read a, via b"
		r.Requests = l.requests(i, write, stage)
	}
	for at, replica := range l.run.Plan.Replicas {
		v := l.view(i, row, write, roleAt(stage, at))
		v.Replica = replica
		r.Views = append(r.Views, v)
		if v.Outcome == term.Lost || v.Outcome == term.Hidden && r.Outcome == term.Kept {
			r.Outcome = v.Outcome
		}
	}
	body := bodyName(i, write, "etcd", row >= l.losesFrom(i))
	r.Stored = &result.Stored{Revision: revisionOf(i, write), Encoding: "protobuf", APIVersion: "v1", Kind: "Pod", Size: 1400, Value: body}
	return r
}

func (l *large) requests(i, write, stage int) []result.Request {
	address := "/api/v1/namespaces/skewsim/pods/" + largeName(i)
	answer := string(roleAt(stage, 1))
	return []result.Request{
		{Method: "GET", Path: address, Replica: "a", Version: versionOf(roleAt(stage, 0)), Code: 200, Answer: bodyName(i, max(0, write-1), string(roleAt(stage, 0)), false)},
		{Method: "PUT", Path: address, Replica: "b", Version: versionOf(roleAt(stage, 1)), Code: 200, Sent: bodyName(i, write, "sent", false), Answer: bodyName(i, write, answer, false)},
	}
}

// view is what a release serves.
func (l *large) view(i, row, write int, role term.Role) result.View {
	v := result.View{Role: role, Version: versionOf(role), Code: 200, Outcome: term.Kept, Answer: bodyName(i, write, string(role), row >= l.losesFrom(i))}
	switch {
	case row >= l.losesFrom(i):
		v.Outcome = term.Lost
	case role == term.Old:
		v.Outcome = term.Hidden
	default:
		return v
	}
	v.Outcomes = map[string]term.Outcome{hostPath: v.Outcome}
	v.Diff = []result.Difference{{Path: hostPath, Before: "host-" + largeName(i), HadBefore: true}}
	return v
}

func (l *large) result() {
	l.run.Result = result.Result{SchemaVersion: result.SchemaVersion, Scenario: "large", About: l.run.Plan.About, Releases: []string{oldVersion, newVersion},
		Journey: l.run.Plan.Journey, Verdict: term.Fail, Reason: "nothing-lost: findings are not expected",
		Builds: []result.Build{{Role: term.Old, Reference: "kube-apiserver@" + oldVersion, Version: oldVersion}, {Role: term.New, Reference: "kube-apiserver@" + newVersion, Version: newVersion}}}
	for i := range l.copies {
		row := l.losesFrom(i)
		if row >= l.rows {
			continue
		}
		step := l.first[row] + i
		l.run.Result.Findings = append(l.run.Result.Findings, result.Finding{Check: term.CheckNothingLost, Rule: term.Rule6, Class: term.Impact, Object: "web", Kind: "Pod",
			Copy: largeName(i), CopyRole: term.Treated, Path: hostPath, Outcome: term.Lost, Cause: term.UnknownField, Step: step, Stage: stageNames[l.stageOf(row)],
			Client: term.OldTyped, Verb: term.Put, Via: roleAt(l.stageOf(row), 1), Replica: "b", Before: "host-" + largeName(i), AcknowledgedStep: l.first[0] + i,
			Message: fmt.Sprintf("nothing-lost: pods/%s %s acknowledged in step %d, gone in step %d", largeName(i), hostPath, l.first[0]+i, step)})
	}
	l.run.Result.Counts = result.Counts{Copies: l.copies, Steps: l.first[l.rows-1]}
}

// bodyName is used instead of the digest of a body, and says what it is.
func bodyName(i, write int, form string, lost bool) string {
	return fmt.Sprintf("%d %d %s %t", i, write, form, lost)
}

func revisionOf(i, write int) int64 { return int64(1000 + 7919*write + i) }

// blobOf makes the body that a name represents.
func blobOf(name string) (history.Blob, bool) {
	var i, write int
	var form string
	var lost bool
	if n, err := fmt.Sscanf(name, "%d %d %s %t", &i, &write, &form, &lost); n != 4 || err != nil {
		return history.Blob{}, false
	}
	pod := largePod(i, write)
	if lost || form == string(term.Old) || form == "sent" {
		pod.Spec.HostnameOverride = nil
	}
	if form == "etcd" {
		return history.Blob{Digest: name, Bytes: asStored(pod)}, true
	}
	pod.ResourceVersion = fmt.Sprint(revisionOf(i, write))
	text, err := json.Marshal(pod)
	return history.Blob{Digest: name, JSON: text}, err == nil
}

// asStored is a Pod as a server stores it.
func asStored(pod *corev1.Pod) []byte {
	raw, err := pod.Marshal()
	if err != nil {
		panic(err) // it is the fixture's own
	}
	envelope := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: "v1", Kind: "Pod"}, Raw: raw}
	text, err := envelope.Marshal()
	if err != nil {
		panic(err)
	}
	return append([]byte("k8s\x00"), text...)
}

// largePod is a copy after a write.
func largePod(i, write int) *corev1.Pod {
	name := largeName(i)
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(name)))
	host := "host-" + name
	made := metav1.NewTime(time.Date(2026, 1, 1, 0, 0, i, 0, time.UTC))
	written := metav1.NewTime(made.Add(time.Duration(write) * time.Minute))
	var fields strings.Builder
	for n := range 12 {
		fmt.Fprintf(&fields, `,"f:field%d":{".":{},"f:name":{},"f:value":{}}`, n)
	}
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: "skewsim", UID: types.UID(sum[:36]), CreationTimestamp: made,
			Labels: map[string]string{"app": "web", "skewsim.dev/touched": fmt.Sprintf("step-%d", revisionOf(i, write))},
			ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "skewsim", Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: "v1", Time: &written,
				FieldsType: "FieldsV1", FieldsV1: metav1.NewFieldsV1(`{"f:metadata":{"f:labels":{}}` + fields.String() + `}`)}}},
		Spec:   corev1.PodSpec{HostnameOverride: &host, NodeName: "node-" + sum[40:44], SchedulerName: "default-scheduler"},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, PodIP: fmt.Sprintf("10.%d.%d.7", i/256, i%256)}}
	for n := range 2 {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: fmt.Sprintf("c%d", n), Image: "registry.k8s.io/pause:3.10",
			Env:       []corev1.EnvVar{{Name: "TOKEN_PATH", Value: "/var/run/" + sum[n*8:n*8+8]}, {Name: "LOG_LEVEL", Value: "info"}},
			Ports:     []corev1.ContainerPort{{Name: "http", ContainerPort: int32(8080 + n), Protocol: corev1.ProtocolTCP}},
			Resources: corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceMemory: resource.MustParse("64Mi")}}})
	}
	return pod
}
