package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// realHistory plays a scenario on the real pair and gives its history.
func realHistory(t *testing.T, scenario, pair string) *history.History {
	t.Helper()
	r := newReal(t)
	out := filepath.Join(t.TempDir(), "out")
	o := r.run("run", "testdata/real/"+scenario+".yaml", "--pair", pair, "--out", out, "--quiet")
	wantNoServers(t, out)
	h, err := history.Load(out)
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, tail(o.stdout), o.stderr)
	}
	if !h.Complete() {
		t.Fatalf("the run did not end by itself:\n%s\n%s", tail(o.stdout), o.stderr)
	}
	o.want(t, ExitExpected, "no finding, and none was expected")
	return h
}

// TestKubernetesEveryClient plays every verb by every client that has it, in
// both encodings: each is played and succeeds, or says why it is not.
func TestKubernetesEveryClient(t *testing.T) { everyClient(t, pairUnderTest(t)) }

// TestNightlyEveryClientOfOneRelease does so in an A/A run of the new release.
func TestNightlyEveryClientOfOneRelease(t *testing.T) {
	tiers.NeedFirst(t)
	_, new := neighbours.Pair(t)
	everyClient(t, pairOf(new, new))
}

func everyClient(t *testing.T, pair string) {
	t.Helper()
	h := realHistory(t, "verbs", pair)
	verbs := map[term.Verb]bool{}
	acts := actsOf(h)
	for _, stage := range h.Header.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate && !skipped(t, h, s) {
				verbs[s.Verb] = true
				wantPlayed(t, s, acts[s.Number])
			}
		}
	}
	for _, verb := range term.Verbs() {
		if !verbs[verb.Word] {
			t.Errorf("%s: not played at all", verb.Word)
		}
	}
}

// actsOf are the operations themselves, by step.
func actsOf(h *history.History) map[int]history.Operation {
	acts := map[int]history.Operation{}
	for _, o := range h.Operations {
		if o.Purpose == history.Act {
			acts[o.Step] = o
		}
	}
	return acts
}

// skipped reports whether a step was skipped, for a reason that its kind has.
func skipped(t *testing.T, h *history.History, s plan.Step) bool {
	t.Helper()
	i := slices.IndexFunc(h.Skips, func(k history.Skip) bool { return k.Step == s.Number })
	if i < 0 {
		return false
	}
	reasons := []string{
		"ConfigMap has no /status", "ConfigMap has no /scale",
		"CronJob publishes no .status.conditions; name a status field with set",
	}
	if !slices.Contains(reasons, h.Skips[i].Reason) {
		t.Errorf("%s: skipped: %s", s, h.Skips[i].Reason)
	}
	return true
}

func wantPlayed(t *testing.T, s plan.Step, act history.Operation) {
	t.Helper()
	x := act.Exchange
	if !x.Succeeded() || act.Turn > 0 {
		t.Errorf("%s: answered %d at turn %d: %s", s, x.Code, act.Turn, x.Message)
	}
	if packed := s.Encoding == term.Protobuf; packed != (x.SentBytes != "") || packed != (x.AnswerBytes != "") {
		t.Errorf("%s: sent %q, answered %q", s, x.SentBytes, x.AnswerBytes)
	}
}

// TestKubernetesEncodings holds that what a typed client sends is what its release's
// types make of what it was given, to the byte, and nothing that happens between
// them and the server changes that.
func TestKubernetesEncodings(t *testing.T) {
	h := realHistory(t, "encodings", pairUnderTest(t))
	clients := realClients(t, h)
	reads := map[int]history.Operation{}
	for _, o := range h.Operations {
		if o.Purpose == history.Read {
			reads[o.Step] = o
		}
	}
	puts := map[string]int{}
	for step, act := range actsOf(h) {
		role, typed := act.Client.Role()
		if !typed || act.Exchange.Method != "PUT" {
			continue
		}
		k := carrier{t, h, clients[role], act}
		k.wantSame(reads[step])
		puts[string(act.Client)+" "+act.Exchange.ContentType]++
	}
	if len(puts) != 4 {
		t.Errorf("not every client has written in each encoding: %v", puts)
	}
	wantBirths(t, h)
}

// wantBirths holds what typed clients make of the manifests: types that omit
// empty values do, pointers keep theirs, and quantities are spelled anew. The
// releases' own sources say so; no schema does.
func wantBirths(t *testing.T, h *history.History) {
	t.Helper()
	want := map[string]string{
		".spec.replicas": "0", ".spec.revisionHistoryLimit": "0", ".spec.strategy.rollingUpdate.maxUnavailable": `"0%"`,
		".spec.strategy.rollingUpdate.maxSurge": "1", ".spec.minReadySeconds": "", ".spec.paused": "",
		".metadata.creationTimestamp": "", ".metadata.annotations": "",
		".spec.template.metadata.creationTimestamp": "", ".spec.template.spec.hostNetwork": "",
		".spec.template.spec.automountServiceAccountToken": "false", ".spec.template.spec.terminationGracePeriodSeconds": "0",
		".spec.template.spec.nodeSelector": "", ".spec.template.spec.tolerations": "", ".spec.template.spec.priorityClassName": "",
		`.spec.template.spec.volumes[name="v"].emptyDir`:                             "{}",
		`.spec.template.spec.containers[name="c"].env`:                               "",
		`.spec.template.spec.containers[name="c"].stdin`:                             "",
		`.spec.template.spec.containers[name="c"].resources.limits.cpu`:              `"1"`,
		`.spec.template.spec.containers[name="c"].resources.limits.memory`:           `"1Mi"`,
		`.spec.template.spec.containers[name="c"].livenessProbe.httpGet.port`:        "80",
		`.spec.template.spec.containers[name="c"].livenessProbe.initialDelaySeconds`: "",
		`.spec.template.spec.containers[name="c"].readinessProbe.tcpSocket.port`:     `"web"`,
		".revision": "0",
		".data":     `{"deep":{"list":[null,{},0]},"false":false,"list":[],"map":{},"nothing":null,"zero":0}`,
	}
	births := map[string]int{}
	for _, act := range actsOf(h) {
		_, typed := act.Client.Role()
		if !typed || act.Exchange.Method != "POST" {
			continue
		}
		births[string(act.Client)+" "+act.Exchange.ContentType]++
		sent := h.Object(act.Exchange.Sent)
		for at, text := range want {
			if strings.HasPrefix(at, ".spec") == (sent["spec"] == nil) && !strings.HasPrefix(at, ".metadata") {
				continue // another kind's
			}
			wantValue(t, act, sent, at, text)
		}
	}
	if len(births) != 4 {
		t.Errorf("not every client has created in each encoding: %v", births)
	}
}

func wantValue(t *testing.T, act history.Operation, sent map[string]any, at, text string) {
	t.Helper()
	p, err := path.Parse(at)
	if err != nil {
		t.Fatal(err)
	}
	got := ""
	if v, has := path.Get(sent, p); has {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		got = string(raw)
	}
	if got != text {
		t.Errorf("step %d: %s sends %s = %q, want %q", act.Step, act.Client, at, got, text)
	}
}

// realClients are the same programs that the run had.
func realClients(t *testing.T, h *history.History) map[term.Role]*typedclient.Program {
	t.Helper()
	cache, err := build.OpenCache("")
	if err != nil {
		t.Fatal(err)
	}
	all := map[term.Role]*typedclient.Program{}
	for _, role := range []term.Role{term.Old, term.New} {
		typed := h.Releases[role].Typed
		if typed == nil || typed.Version != h.Releases[role].Version || len(typed.Approximate) > 0 {
			t.Fatalf("%s: the clients were %+v", role, typed)
		}
		b, err := typedclient.Get(t.Context(), cache, typed.Version, nil)
		if err != nil {
			t.Fatal(err)
		}
		if b.Digest != typed.Digest {
			t.Errorf("%s: the run says that it had %s, not %s", role, typed.Digest, b.Digest)
		}
		if all[role], err = typedclient.Start(b, ""); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = all[role].Close() })
	}
	return all
}

// carrier looks over one PUT of a typed client.
type carrier struct {
	t       *testing.T
	h       *history.History
	program *typedclient.Program
	act     history.Operation
}

// wantSame holds the PUT against what the types make of the read before it.
func (k carrier) wantSame(read history.Operation) {
	k.t.Helper()
	x := k.act.Exchange
	raw, from := k.h.Body(read.Exchange.Answer).JSON, typedclient.JSON
	if x.SentBytes != "" {
		raw, from = k.h.Body(read.Exchange.AnswerBytes).Bytes, typedclient.Protobuf
	}
	object := k.object(k.carry(raw, from, typedclient.JSON))
	k.mutate(object)
	plain, err := json.Marshal(object)
	if err != nil {
		k.t.Fatal(err)
	}
	want := k.carry(plain, typedclient.JSON, typedclient.JSON)
	if got := k.h.Body(x.Sent).JSON; !bytes.Equal(sorted(k.t, want), got) {
		k.t.Errorf("step %d sent\n%s\nwant\n%s", k.act.Step, got, want)
	}
	if x.SentBytes == "" {
		return
	}
	if got := k.h.Body(x.SentBytes).Bytes; !bytes.Equal(k.carry(plain, typedclient.JSON, typedclient.Protobuf), got) {
		k.t.Errorf("step %d sent other protobuf than its types make", k.act.Step)
	}
	if got := k.carry(k.h.Body(x.AnswerBytes).Bytes, typedclient.Protobuf, typedclient.JSON); !bytes.Equal(sorted(k.t, got), k.h.Body(x.Answer).JSON) {
		k.t.Errorf("step %d: the answer on record is not what its types make of the bytes", k.act.Step)
	}
}

// mutate makes the step's change on an object.
func (k carrier) mutate(object map[string]any) {
	for _, stage := range k.h.Header.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Number != k.act.Step {
				continue
			}
			all, err := s.Assignments()
			if err != nil {
				k.t.Fatal(err)
			}
			for _, a := range all {
				if err := path.Set(object, a.Path, a.Value); err != nil {
					k.t.Fatal(err)
				}
			}
		}
	}
}

func (k carrier) carry(body []byte, from, to string) []byte {
	k.t.Helper()
	kind := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	if strings.Contains(k.act.Exchange.Path, "/controllerrevisions/") {
		kind.Kind = "ControllerRevision"
	}
	raw, err := k.program.Carry(k.t.Context(), typedclient.CarryRequest{Kind: kind, Body: body, From: from, To: to})
	if err != nil {
		k.t.Fatal(err)
	}
	return raw
}

func (k carrier) object(raw []byte) map[string]any {
	var object map[string]any
	if err := json.Unmarshal(raw, &object); err != nil {
		k.t.Fatal(err)
	}
	return object
}

// sorted spells JSON as histories do.
func sorted(t *testing.T, raw []byte) []byte {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(out.Bytes())
}
