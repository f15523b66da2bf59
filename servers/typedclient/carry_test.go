package typedclient_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/typedclient"
)

// at gives the value at a path of field names, with the bytes it has there: the
// order and spelling of what a client sends are part of the test.
func at(t *testing.T, body []byte, path string) string {
	t.Helper()
	value := json.RawMessage(body)
	for name := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(value, &object), "%s of %s", path, body)
		var ok bool
		if value, ok = object[name]; !ok {
			return "absent"
		}
	}
	return string(value)
}

// twice is through a typed client that encodes as protobuf, then one that reads it.
func twice(t *testing.T, p *typedclient.Program, r typedclient.CarryRequest) []byte {
	t.Helper()
	r.To = typedclient.Protobuf
	body, err := p.Carry(t.Context(), r)
	require.NoError(t, err)
	require.Equal(t, "k8s\x00", string(body[:4]))
	r.Body, r.From, r.To = body, typedclient.Protobuf, typedclient.JSON
	body, err = p.Carry(t.Context(), r)
	require.NoError(t, err)
	return body
}

type encoding struct {
	name, kind, body string
	at               string // which part of the object is looked at
	want             string
	newer            string // where the newer release's types differ
	protobuf         string // where protobuf differs from JSON
}

func encodings() []encoding {
	return []encoding{
		{name: "explicit 0 of a value", kind: "apps/v1 Deployment", body: `{"spec":{"minReadySeconds":0}}`, at: "spec.minReadySeconds", want: "absent"},
		{name: "explicit 0 of a pointer", kind: "apps/v1 Deployment", body: `{"spec":{"revisionHistoryLimit":0}}`, at: "spec.revisionHistoryLimit", want: "0"},
		{name: "no value of a pointer", kind: "apps/v1 Deployment", body: `{"spec":{}}`, at: "spec.revisionHistoryLimit", want: "absent"},
		{name: "0 that a type always writes", kind: "policy/v1 PodDisruptionBudget", body: `{}`, at: "status.currentHealthy", want: "0"},
		{name: "explicit false of a value", kind: "v1 Pod", body: `{"spec":{"hostNetwork":false}}`, at: "spec.hostNetwork", want: "absent"},
		{name: "explicit false of a pointer", kind: "v1 Pod", body: `{"spec":{"automountServiceAccountToken":false}}`, at: "spec.automountServiceAccountToken", want: "false"},
		{name: "Scale to zero", kind: "autoscaling/v1 Scale", body: `{"spec":{"replicas":0}}`, at: "spec", want: "{}"},
		{name: "empty string", kind: "v1 Pod", body: `{"spec":{"containers":[{"name":"c","env":[{"name":"a","value":""}]}]}}`, at: "spec.containers",
			want: `[{"name":"c","env":[{"name":"a"}],"resources":{}}]`},
		{name: "null", kind: "v1 Pod", body: `{"spec":{"tolerations":null,"priority":null,"hostNetwork":null}}`, at: "spec", want: `{"containers":null}`},
		{name: "null for the object", kind: "v1 Pod", body: `null`, at: "spec", want: `{"containers":null}`},
		{name: "null in a list", kind: "v1 Pod", body: `{"spec":{"containers":[null]}}`, at: "spec.containers", want: `[{"name":"","resources":{}}]`},
		{name: "null in a map", kind: "v1 ConfigMap", body: `{"data":{"x":null}}`, at: "data", want: `{"x":""}`},
		{name: "null among bytes", kind: "v1 ConfigMap", body: `{"binaryData":{"x":null}}`, at: "binaryData", want: `{"x":null}`, protobuf: `{"x":""}`},
		{name: "empty struct behind a pointer", kind: "v1 Pod", body: `{"spec":{"volumes":[{"name":"v","emptyDir":{}}]}}`, at: "spec.volumes", want: `[{"name":"v","emptyDir":{}}]`},
		{name: "empty struct of a value", kind: "v1 Pod", body: `{"spec":{"containers":[{"name":"c"}]}}`, at: "spec.containers", want: `[{"name":"c","resources":{}}]`},
		{name: "empty list that may be omitted", kind: "v1 Pod", body: `{"spec":{"volumes":[]}}`, at: "spec.volumes", want: "absent"},
		{name: "empty list that may not", kind: "v1 Pod", body: `{"spec":{"containers":[]}}`, at: "spec.containers", want: "[]", protobuf: "null"},
		{name: "no list where one must be", kind: "rbac.authorization.k8s.io/v1 Role", body: `{}`, at: "rules", want: "null"},
		{name: "empty list of rules", kind: "rbac.authorization.k8s.io/v1 Role", body: `{"rules":[]}`, at: "rules", want: "[]", protobuf: "null"},
		{name: "empty list that means something", kind: "networking.k8s.io/v1 NetworkPolicy", body: `{"spec":{"podSelector":{},"ingress":[{"from":[]}],"egress":[]}}`, at: "spec",
			want: `{"podSelector":{},"ingress":[{}]}`},
		{name: "empty map", kind: "v1 ConfigMap", body: `{"data":{}}`, at: "data", want: "absent"},
		{name: "quantities", kind: "v1 Pod", body: `{"spec":{"containers":[{"name":"c","resources":{"limits":{"a":"1000m","b":"0.5","c":2,"d":"1024Mi"}}}]}}`, at: "spec.containers",
			want: `[{"name":"c","resources":{"limits":{"a":"1","b":"500m","c":"2","d":"1Gi"}}}]`},
		{name: "port as a number", kind: "v1 Service", body: `{"spec":{"ports":[{"port":80,"targetPort":80}]}}`, at: "spec.ports", want: `[{"port":80,"targetPort":80}]`},
		{name: "port as a name", kind: "v1 Service", body: `{"spec":{"ports":[{"port":80,"targetPort":"http"}]}}`, at: "spec.ports", want: `[{"port":80,"targetPort":"http"}]`},
		{name: "no target port", kind: "v1 Service", body: `{"spec":{"ports":[{"port":80}]}}`, at: "spec.ports", want: `[{"port":80,"targetPort":0}]`},
		{name: "percentage", kind: "apps/v1 Deployment", body: `{"spec":{"strategy":{"rollingUpdate":{"maxSurge":"25%","maxUnavailable":0}}}}`, at: "spec.strategy",
			want: `{"rollingUpdate":{"maxUnavailable":0,"maxSurge":"25%"}}`},
		{name: "raw data", kind: "apps/v1 ControllerRevision", body: `{"data":{"b":1,"a":[null,0,""]},"revision":1}`, at: "data", want: `{"b":1,"a":[null,0,""]}`},
		{name: "no raw data", kind: "apps/v1 ControllerRevision", body: `{"revision":1}`, at: "data", want: `null`},
		{name: "time that is zero", kind: "v1 Pod", body: `{"metadata":{"creationTimestamp":null,"name":"x"}}`, at: "metadata", want: `{"name":"x"}`},
		{name: "time with a fraction", kind: "v1 Pod", body: `{"metadata":{"creationTimestamp":"2026-01-02T03:04:05.9+02:00"}}`, at: "metadata.creationTimestamp", want: `"2026-01-02T01:04:05Z"`},
		{name: "empty status", kind: "v1 Pod", body: `{"status":{}}`, at: "status", want: "{}"},
		{name: "no status", kind: "v1 Pod", body: `{}`, at: "status", want: "{}"},
		{name: "no status in a kind with required ones", kind: "v1 Service", body: `{}`, at: "status", want: `{"loadBalancer":{}}`},
		{name: "who owns what", kind: "v1 Pod", body: `{"metadata":{"managedFields":[{"manager":"m","fieldsV1":{"f:z":{},"f:a":{}}}]}}`, at: "metadata.managedFields",
			want: `[{"manager":"m","fieldsV1":{"f:z":{},"f:a":{}}}]`},
		{name: "field of the newer release", kind: "v1 Pod", body: `{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}}]}}`, at: "spec.volumes",
			want: `[{"name":"v","emptyDir":{}}]`, newer: `[{"name":"v","emptyDir":{"mode":448}}]`},
		{name: "field of no release", kind: "v1 Pod", body: `{"spec":{"containers":[{"name":"c","later":1}]},"later":{}}`, at: "spec.containers", want: `[{"name":"c","resources":{}}]`},
		{name: "field in another case", kind: "v1 Pod", body: `{"spec":{"HostNetwork":true}}`, at: "spec", want: `{"containers":null}`},
		{name: "field twice", kind: "v1 Pod", body: `{"spec":{"priority":1,"priority":2}}`, at: "spec.priority", want: "2"},
		{name: "value that no enum has", kind: "v1 Pod", body: `{"spec":{"restartPolicy":"OnlyOnTuesday"}}`, at: "spec.restartPolicy", want: `"OnlyOnTuesday"`},
		{name: "kind of a list's element", kind: "v1 PodList", body: `{"items":[{"kind":"Pod","apiVersion":"v1"}]}`, at: "items",
			want:     `[{"kind":"Pod","apiVersion":"v1","metadata":{},"spec":{"containers":null},"status":{}}]`,
			protobuf: `[{"metadata":{},"spec":{"containers":null},"status":{}}]`},
		{name: "write-only field", kind: "v1 Secret", body: `{"stringData":{"a":""}}`, at: "stringData", want: `{"a":""}`},
		{name: "not in the schema's own case", kind: "v1 Node", body: `{"status":{"daemonEndpoints":{"kubeletEndpoint":{"Port":1}}}}`, at: "status.daemonEndpoints", want: `{"kubeletEndpoint":{"Port":1}}`},
	}
}

// TestKubernetesCarry is the real encoding, release by release.
func TestKubernetesCarry(t *testing.T) {
	for i, p := range both(t) {
		for _, c := range encodings() {
			t.Run(p.Release()+"/"+c.name, func(t *testing.T) {
				want := c.want
				if i > 0 && c.newer != "" {
					want = c.newer
				}
				r := typedclient.CarryRequest{Kind: kind(t, c.kind), Body: []byte(c.body)}
				body, err := p.Carry(t.Context(), r)
				require.NoError(t, err)
				assert.Equal(t, want, at(t, body, c.at))
				if c.protobuf != "" {
					want = c.protobuf
				}
				assert.Equal(t, want, at(t, twice(t, p, r), c.at), "as protobuf")
			})
		}
	}
}

// TestKubernetesCarryAcrossReleases: what the newer release's client wrote as protobuf, the
// older one's drops as well.
func TestKubernetesCarryAcrossReleases(t *testing.T) {
	programs := both(t)
	r := typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), To: typedclient.Protobuf,
		Body: []byte(`{"spec":{"volumes":[{"name":"v","emptyDir":{"mode":448}}]}}`)}
	var err error
	r.Body, err = programs[1].Carry(t.Context(), r)
	require.NoError(t, err)
	r.From = typedclient.Protobuf
	for i, want := range []string{`[{"name":"v","emptyDir":{}}]`, `[{"name":"v","emptyDir":{"mode":448}}]`} {
		assert.Equal(t, want, at(t, twice(t, programs[i], r), "spec.volumes"))
	}
}

// TestKubernetesCarryIsStable: what a client sent, it sends again.
func TestKubernetesCarryIsStable(t *testing.T) {
	for _, p := range both(t) {
		r := typedclient.CarryRequest{Kind: kind(t, "v1 Pod"), Body: pod(t)}
		once, err := p.Carry(t.Context(), r)
		require.NoError(t, err)
		r.Body = once
		again, err := p.Carry(t.Context(), r)
		require.NoError(t, err)
		assert.Equal(t, string(once), string(again))
		assert.Equal(t, byte('\n'), once[len(once)-1])
	}
}

func TestKubernetesCarryRefuses(t *testing.T) {
	deep := func(n int) string { return strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) }
	const noKind = `decode: couldn't get version/kind; json parse error: `
	for _, p := range both(t) {
		deployment, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "apps/v1 Deployment"), Body: []byte("{}"), To: typedclient.Protobuf})
		require.NoError(t, err)
		for _, c := range []struct{ kind, from, to, body, want string }{
			{"example.dev/v1 Widget", "", "", `{}`, "this release has no types for this kind"},
			{"v1 Status", "", "", `{}`, "this release has no types for this kind"},
			{"v1 Pod", "", "", `{"kind":"Deployment","apiVersion":"apps/v1"}`, "decode: the body is of kind apps/v1 Deployment"},
			{"v1 Pod", "", "", `{"kind":"Status","apiVersion":"v1","message":"no"}`, "decode: the body is of kind v1 Status"},
			{"v1 Pod", "", "", `{"kind":"Widget","apiVersion":"example.dev/v1"}`, `decode: no kind "Widget" is registered for version "example.dev/v1" in scheme "pkg/runtime/scheme.go:`},
			{"v1 Pod", "", "", `garbage`, noKind + "invalid character 'g' looking for beginning of value"},
			{"v1 Pod", "", "", `{} {}`, noKind + "invalid character '{' after top-level value"},
			{"v1 Pod", "", "", ``, noKind + "unexpected end of JSON input"},
			{"v1 Pod", "", "", `[]`, noKind + "json: cannot unmarshal array into Go value of type struct"},
			{"v1 Pod", "", "", `{"spec":{"priority":1.5}}`, "decode: json: cannot unmarshal number 1.5 into Go struct field PodSpec.spec.priority of type int32"},
			{"v1 Pod", "", "", `{"spec":{"containers":{}}}`, "decode: json: cannot unmarshal object into Go struct field PodSpec.spec.containers of type []v1.Container"},
			{"v1 Secret", "", "", `{"data":{"a":"!"}}`, "decode: illegal base64 data at input byte 0"},
			{"coordination.k8s.io/v1 Lease", "", "", `{"spec":{"renewTime":"2026-01-02T03:04:05.1Z"}}`, `decode: parsing time "2026-01-02T03:04:05.1Z" as "2006-01-02T15:04:05.000000Z07:00": `},
			{"v1 Pod", "", "", deep(20_000), noKind + "invalid character '{' exceeded max depth"},
			{"v1 Pod", typedclient.Protobuf, "", string(deployment), "decode: the body is of kind apps/v1 Deployment"},
			{"v1 Pod", typedclient.Protobuf, "", `{}`, "decode: provided data does not appear to be a protobuf message, expected prefix"},
			{"v1 Pod", typedclient.Protobuf, "", "k8s\x00\xff\xff\xff", "decode: "},
			{"v1 Pod", typedclient.Protobuf, "", string(deployment[:len(deployment)-3]), "decode: unexpected EOF"},
			{"v1 Pod", "text/html", "", `{}`, "no serializers registered for text/html"},
			{"v1 Pod", "", "text/html", `{}`, "no serializers registered for text/html"},
		} {
			_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, c.kind), Body: []byte(c.body), From: c.from, To: c.to})
			var answer *typedclient.AnswerError
			require.ErrorAs(t, err, &answer, c.body)
			want := "typed-client " + p.Release() + ": carry " + c.kind + ": " + c.want
			assert.True(t, strings.HasPrefix(err.Error(), want), "said %.300s\nwant %s", err, want)
		}
	}
}

// TestKubernetesLargeAndDeep: what an API server would refuse is no harm here.
func TestKubernetesLargeAndDeep(t *testing.T) {
	p := run(t, newer)
	large := `{"data":{"x":"` + strings.Repeat("x", 20<<20) + `"}}`
	body, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 ConfigMap"), Body: []byte(large)})
	require.NoError(t, err)
	assert.Equal(t, at(t, []byte(large), "data"), at(t, body, "data"))
	_, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "v1 ConfigMap"), Body: make([]byte, 64<<20)})
	assert.ErrorContains(t, err, "carry v1 ConfigMap: the request: a frame has at most 67108864 bytes, this one has 67108")
	nested := `{"data":` + strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000) + `,"revision":1}`
	body, err = p.Carry(t.Context(), typedclient.CarryRequest{Kind: kind(t, "apps/v1 ControllerRevision"), Body: []byte(nested)})
	require.NoError(t, err)
	assert.Equal(t, at(t, []byte(nested), "data"), at(t, body, "data"))
}

func TestKubernetesKinds(t *testing.T) {
	for _, p := range both(t) {
		kinds := p.Kinds()
		assert.Greater(t, len(kinds), 200)
		for name, want := range map[string]struct{ there, apply bool }{
			"v1 Pod": {true, true}, "v1 PodList": {true, false}, "apps/v1 Deployment": {true, true}, "autoscaling/v1 Scale": {true, true},
			"v1 PodLogOptions": {}, "v1 Status": {}, "apps/__internal Deployment": {}, "example.dev/v1 Widget": {},
		} {
			k, ok := p.Lookup(kind(t, name))
			assert.Equal(t, want.there, ok, name)
			assert.Equal(t, want.apply, k.Apply, name)
		}
		for _, k := range kinds {
			found, ok := p.Lookup(k.GroupVersionKind)
			assert.True(t, ok && found == k, k)
			if strings.HasSuffix(k.Kind, "List") {
				continue
			}
			_, err := p.Carry(t.Context(), typedclient.CarryRequest{Kind: k.GroupVersionKind, Body: []byte("{}")})
			assert.NoError(t, err)
		}
		kinds[0].Kind = "changed"
		assert.NotEqual(t, "changed", p.Kinds()[0].Kind)
	}
}
