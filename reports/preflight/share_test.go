package preflight_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	reports "github.com/skewsim/skewsim/reports/preflight"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// plant replaces each text of a result by one that names where it was, and returns all of them.
func plant(v reflect.Value, at string) (planted []string) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			planted = append(planted, plant(v.Field(i), at+v.Type().Field(i).Name)...)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			planted = plant(v.Elem(), at)
		}
	case reflect.Slice:
		for i := range v.Len() {
			planted = append(planted, plant(v.Index(i), fmt.Sprint(at, i))...)
		}
	case reflect.String:
		if v.Type() != reflect.TypeFor[string]() { // a word of a list, which a file may have filled with another
			v.SetString("hunter2" + at)
			return []string{"hunter2"}
		}
		// A gate is a name of the release, and a schema version the format's own.
		if strings.HasSuffix(at, "Gate") || strings.Contains(at, "Gates") && strings.HasSuffix(at, "Name") || strings.HasSuffix(at, "SchemaVersion") {
			return nil
		}
		const secret = "hunter2"
		switch {
		case strings.HasSuffix(at, "Path"):
			v.SetString(`.data.` + secret + at)
		case strings.HasSuffix(at, "Owner"):
			v.SetString("Deployment " + secret + at)
		default:
			v.SetString(fmt.Sprintf("the value %q of %s-%s was %s\x00%s is invalid, 47114711471147", secret+at, secret, at, secret, at))
		}
		return []string{secret}
	}
	return planted
}

// TestShareHasNoValue plants a value in every text that may be the user's.
func TestShareHasNoValue(t *testing.T) {
	r := fixture(3)
	r.Hops[len(r.Hops)-1].Findings[0].Unread = []string{"Secret"}
	planted := plant(reflect.ValueOf(&r).Elem(), "")
	require.Greater(t, len(planted), 500)
	for i := range r.Hops {
		r.Hops[i].Written = map[string]int{"hunter2": 1}
	}
	dir := filepath.Join(t.TempDir(), "not", "there")
	require.NoError(t, reports.Share(dir, r))
	for _, f := range reports.Files() {
		name := filepath.Join(dir, f.Name)
		info, err := os.Stat(name)
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm(), f.Name)
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, value := range []string{"hunter2", "47114711471147"} {
			assert.False(t, strings.Contains(readable(t, string(text)), value), "%s has %s", f.Name, value)
		}
	}
}

// TestShareHidesNames: names of the fixture are gone from all files, and what is the release's stays.
func TestShareHidesNames(t *testing.T) {
	r := fixture(3)
	shared, err := reports.Withheld(r)
	require.NoError(t, err)
	text := ""
	for _, f := range append(reports.Files(), summary) {
		text += readable(t, write(t, f, shared, reports.Options{}))
	}
	for _, name := range []string{"team-0", "pod-1", "web-0", "Deployment web", "Rocket", "crew.example.com", "engine", "snapshot.db", "guard", "cdcdcd", "pv-1", "team-batch", "last/preflight", "allow.yaml"} {
		assert.False(t, strings.Contains(text, name), name)
	}
	for _, ours := range []string{"StatefulSet", ".spec.template.spec.hostAliases[].ip", "v1.37.0", "answered 422", "must not have leading", "Argo CD", "storagemigration.k8s.io", preflight.PhaseRewrote, "fix: remove spec.resources.claims before the upgrade",
		"spec.template.spec.hostAliases[].ip: Invalid value: …: must not have leading"} {
		assert.True(t, strings.Contains(text, ours), ours)
	}
	assert.Equal(t, fixture(3), r, "the caller's result stays as it is")
	again, err := reports.Withheld(r)
	require.NoError(t, err)
	assert.NotEqual(t, shared.Hops[1].Findings[1].Name, again.Hops[1].Findings[1].Name, "the key is thrown away")
}

// TestShareCountsAlike: equal names have equal fingerprints, so that answers, causes and owners stay.
func TestShareCountsAlike(t *testing.T) {
	r := fixture(7)
	shared, err := reports.Withheld(r)
	require.NoError(t, err)
	for i, h := range r.Hops {
		for k, a := range h.Answers {
			found, _, _ := strings.Cut(a, ";") // what follows is about the source
			assert.True(t, strings.HasPrefix(shared.Hops[i].Answers[k], found), shared.Hops[i].Answers[k])
		}
		assert.Equal(t, []preflight.Grade{h.Up, h.Back}, []preflight.Grade{shared.Hops[i].Up, shared.Hops[i].Back})
		names := map[string]string{}
		for k, f := range h.Findings {
			got := shared.Hops[i].Findings[k]
			if was, known := names[f.Name]; known {
				assert.Equal(t, was, got.Name)
			}
			names[f.Name] = got.Name
			assert.Equal(t, f.Outcome, got.Outcome)
		}
	}
}

// TestShareFlags: names of gates are the release's, all others may be the user's.
func TestShareFlags(t *testing.T) {
	var r preflight.Result
	for _, path := range []string{"--feature-gates=GangScheduling", "--runtime-config=hunter2.example.com/v1", "--hunter2"} {
		r.Hops = append(r.Hops, preflight.Hop{Findings: []preflight.Finding{{Path: path}}})
	}
	shared, err := reports.Withheld(r)
	require.NoError(t, err)
	assert.Equal(t, "--feature-gates=GangScheduling", shared.Hops[0].Findings[0].Path)
	for _, h := range shared.Hops[1:] {
		assert.NotContains(t, h.Findings[0].Path, "hunter2")
	}
}

// TestShareOfObjects: of objects with a confidential value of each kind, findings and all that is said of the source
// keep no value and no name in what is shared, whatever a server quotes.
func TestShareOfObjects(t *testing.T) {
	said := func(object, message string, causes ...reading.Cause) preflight.Finding {
		o, err := cluster.Parse([]byte(object))
		require.NoError(t, err)
		r := &reading.Record{APIVersion: o.APIVersion, Kind: o.Kind, Form: o.APIVersion, Namespace: o.Namespace, Name: o.Name, Code: 200, Object: o.Body}
		return preflight.Refusal(preflight.Seen{Release: newer, Phase: preflight.PhaseAlone, Record: r}, preflight.Up, reading.Try{Write: reading.Put, Code: 422, Message: message, Causes: causes})
	}
	all := []preflight.Finding{
		said(`{"apiVersion":"v1","kind":"Secret","metadata":{"namespace":"planted-namespace","name":"planted-name"},"data":{"planted-key":"cGxhbnRlZC1wYXNzd29yZA=="}}`,
			`Secret "planted-name" is invalid: data[planted-key]: Invalid value: planted-password: cGxhbnRlZC1wYXNzd29yZA== is not allowed`, reading.Cause{Field: "data[planted-key]"}),
		said(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"a","name":"b"},"data":{"planted.conf":"host=planted-host"}}`, `ConfigMap b: data.planted.conf: host=planted-host is refused`),
		said(`{"apiVersion":"v1","kind":"Pod","metadata":{"namespace":"a","name":"b"},"spec":{"containers":[{"name":"planted-container","env":[{"name":"PLANTED_ENV","value":"planted-env"}]}]}}`,
			`spec.containers[0].env[0].value: Invalid value: planted-env: PLANTED_ENV of planted-container`, reading.Cause{Field: "spec.containers[0].env[0].value"}),
		said(`{"apiVersion":"v1","kind":"Service","metadata":{"namespace":"a","name":"b","annotations":{"planted.example.com/a":"planted-annotation"},"labels":{"planted-label":"planted-value"}}}`,
			`metadata.annotations[planted.example.com/a]: planted-annotation, metadata.labels: planted-label=planted-value`, reading.Cause{Field: "metadata.annotations[planted.example.com/a]"}),
		said(`{"apiVersion":"v1","kind":"Service","metadata":{"namespace":"a","name":"b","annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"spec\":{\"clusterIP\":\"planted-ip\"}}"}}}`,
			`metadata.annotations: {"spec":{"clusterIP":"planted-ip"}} is too long`),
		said(`{"apiVersion":"v1","kind":"Secret","type":"helm.sh/release.v1","metadata":{"namespace":"a","name":"sh.helm.release.v1.planted-release.v1"},"data":{"release":"cGxhbnRlZC1jaGFydA=="}}`,
			`sh.helm.release.v1.planted-release.v1 with cGxhbnRlZC1jaGFydA== (planted-chart)`),
		said(`{"apiVersion":"planted.example.com/v1","kind":"PlantedKind","metadata":{"namespace":"a","name":"b"},"spec":{"plantedField":{"planted-member":1}}}`,
			`PlantedKind.planted.example.com "b" is invalid: spec.plantedField.planted-member: Required value`, reading.Cause{Field: "spec.plantedField.planted-member"}),
		said(`{"apiVersion":"acme.k8s.io/v1","kind":"Secret","metadata":{"namespace":"a","name":"b"},"spec":{"key":{"value":1}}}`, `spec.key.value: Required value`, reading.Cause{Field: "spec.key.value"}),
	}
	r := fixture(1)
	h := &r.Hops[1]
	h.Findings, h.Baseline = all, all
	h.Defaulted = []preflight.Default{{Group: "serving.example.com", Kind: "Service", Path: ".spec.key.plantedField", Objects: 1}}
	h.Written = map[string]int{"PlantedKind": 1}
	h.Kinds = []preflight.Kind{{Group: "acme.k8s.io", Kind: "Secret", Objects: 1}, {Group: "", Kind: preflight.StrayKey, Objects: 1}}
	r.Source.Skipped = []string{
		"Secret.acme.k8s.io key/value: in planted/key.yaml: the server refuses it", "user: in key: is no object", "keys.planted.example.com: expired", "acme.k8s.io/v1 Webhook: v1.36.2 does not serve the kind: 2 not judged",
		"deployments.apps: the caller may not list it (403): see --print-rbac",
	}
	r.Source.Removed = []string{"ValidatingWebhookConfiguration webhook: it would be called"}
	shared, err := reports.Withheld(r)
	require.NoError(t, err)
	text := ""
	for _, f := range append(reports.Files(), summary) {
		text += readable(t, write(t, f, shared, reports.Options{}))
	}
	for _, value := range []string{"lanted", "PLANTED", "cGxhbnRlZC", "acme", ".example.com", ".spec.key", "spec.key", "Secret.acme", "value/", "key.yaml", " key:"} {
		assert.False(t, strings.Contains(text, value), value)
	}
	got := shared.Hops[1]
	paths := func(all []preflight.Finding) (at []string) {
		for _, f := range all {
			at = append(at, f.Path)
		}
		return at
	}
	assert.Equal(t, []string{".data", "", ".spec.containers[].env[].value", ".metadata.annotations", "", ""}, paths(got.Findings)[:6], "what Kubernetes names stays")
	for _, f := range got.Findings[6:] {
		assert.Regexp(t, `^\.spec\.name-[0-9a-f]{12}`, f.Path)
		assert.Contains(t, f.Message, strings.TrimPrefix(f.Path, "."), "a message names the field as the path does")
	}
	assert.Equal(t, preflight.Kind{Kind: preflight.StrayKey, Objects: 1, Outcomes: map[term.Outcome]int{}}, got.Kinds[1], "our own word")
	assert.Equal(t, []string{"…: in …: the server refuses it", "…: in …: is no object", "…: expired", "…: … does not serve the kind: … not judged", "deployments.apps: the caller may not list it (…): see …"}, shared.Source.Skipped)
	assert.Equal(t, []string{"ValidatingWebhookConfiguration …: it would be called"}, shared.Source.Removed)
}

// TestShareUnread: what keeps a server from being ready stays, unless the user named the kind.
func TestShareUnread(t *testing.T) {
	f := preflight.Degraded("v1.36.3", preflight.PhaseBaseline, preflight.Up, []string{"informer-sync"}, []string{"ResourceClaim.resource.k8s.io", "Rocket.crew.example.com"})
	shared, err := reports.Withheld(preflight.Result{Hops: []preflight.Hop{{Baseline: []preflight.Finding{f}}}})
	require.NoError(t, err)
	got := shared.Hops[0].Baseline[0]
	assert.Equal(t, "ResourceClaim.resource.k8s.io", got.Unread[0])
	assert.NotContains(t, strings.Join(got.Unread, " ")+got.Message, "ocket")
	assert.Equal(t, strings.Replace(f.Message, "Rocket.crew.example.com", got.Unread[1], 1), got.Message)
}
