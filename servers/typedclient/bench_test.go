package typedclient_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers/typedclient"
)

// pod is a Pod of some 4 KB of JSON, as a server would give it: with two
// containers, a status and what managers own.
func pod(t testing.TB) []byte {
	t.Helper()
	container := func(name string) map[string]any {
		var env []any
		for i := range 20 {
			env = append(env, map[string]any{"name": fmt.Sprintf("VARIABLE_%d", i), "value": strings.Repeat("v", 20)})
		}
		return map[string]any{
			"name": name, "image": "registry.example/" + name + ":1.2.3", "env": env,
			"ports":         []any{map[string]any{"name": "http", "containerPort": 8080, "protocol": "TCP"}},
			"resources":     map[string]any{"limits": map[string]any{"cpu": "1000m", "memory": "1Gi"}, "requests": map[string]any{"cpu": "250m"}},
			"livenessProbe": map[string]any{"httpGet": map[string]any{"path": "/healthz", "port": "http"}, "periodSeconds": 10},
			"volumeMounts":  []any{map[string]any{"name": "scratch", "mountPath": "/scratch"}},
		}
	}
	owned := map[string]any{"f:spec": map[string]any{"f:containers": map[string]any{}}}
	for _, name := range []string{"one", "two"} {
		fields := map[string]any{".": map[string]any{}}
		for _, f := range []string{"name", "image", "env", "ports", "resources", "livenessProbe", "volumeMounts", "imagePullPolicy"} {
			fields["f:"+f] = map[string]any{}
		}
		owned["f:spec"].(map[string]any)["f:containers"].(map[string]any)[`k:{"name":"`+name+`"}`] = fields
	}
	b, err := json.Marshal(map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{
			"name": "example", "namespace": "demo", "uid": "5d1c3c0e-7b5f-4e8e-9a53-0a3f0c6f6c11", "resourceVersion": "123456",
			"creationTimestamp": "2026-07-22T18:07:38Z", "labels": map[string]any{"app": "example", "skewsim.dev/touch": "7"},
			"managedFields": []any{map[string]any{
				"manager": "m", "operation": "Apply", "apiVersion": "v1", "time": "2026-07-22T18:07:38Z", "fieldsType": "FieldsV1", "fieldsV1": owned,
			}},
		},
		"spec": map[string]any{
			"containers": []any{container("one"), container("two")}, "restartPolicy": "Always", "terminationGracePeriodSeconds": 30,
			"volumes":     []any{map[string]any{"name": "scratch", "emptyDir": map[string]any{}}},
			"tolerations": []any{map[string]any{"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": 300}},
		},
		"status": map[string]any{
			"phase": "Running", "podIP": "10.0.0.7", "qosClass": "Burstable",
			"conditions": []any{map[string]any{"type": "Ready", "status": "True", "lastTransitionTime": "2026-07-22T18:07:40Z"}},
		},
	})
	require.NoError(t, err)
	require.InDelta(t, 4096, len(b), 700)
	return b
}

func BenchmarkKubernetesCarry(b *testing.B) {
	p, body := run(b, newer), pod(b)
	v1Pod := kind(b, "v1 Pod")
	proto, err := p.Carry(b.Context(), typedclient.CarryRequest{Kind: v1Pod, Body: body, To: typedclient.Protobuf})
	require.NoError(b, err)
	for _, c := range []struct {
		name    string
		request typedclient.CarryRequest
	}{
		{"json", typedclient.CarryRequest{Kind: v1Pod, Body: body}},
		{"protobuf", typedclient.CarryRequest{Kind: v1Pod, Body: proto, From: typedclient.Protobuf, To: typedclient.Protobuf}},
	} {
		carry := func(b *testing.B) {
			if _, err := p.Carry(b.Context(), c.request); err != nil {
				b.Error(err)
			}
		}
		b.Run(c.name+"/one caller", func(b *testing.B) {
			for b.Loop() {
				carry(b)
			}
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "carries/s")
		})
		b.Run(c.name+"/many callers", func(b *testing.B) {
			b.SetParallelism(8)
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					carry(b)
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "carries/s")
		})
	}
}

func BenchmarkKubernetesOthers(b *testing.B) {
	p, body := run(b, newer), pod(b)
	v1Pod := kind(b, "v1 Pod")
	after := []byte(strings.Replace(string(body), ":1.2.3", ":1.2.4", 1))
	for name, do := range map[string]func() ([]byte, error){
		"diff": func() ([]byte, error) {
			return p.Diff(b.Context(), typedclient.DiffRequest{Kind: v1Pod, Before: body, After: after})
		},
		"apply": func() ([]byte, error) {
			return p.Apply(b.Context(), typedclient.ApplyRequest{Kind: v1Pod, Manifest: body})
		},
		"extract": func() ([]byte, error) {
			return p.Extract(b.Context(), typedclient.ExtractRequest{Kind: v1Pod, Live: body, Manager: "m"})
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := do(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkKubernetesStart(b *testing.B) {
	program, log := buildOf(b, newer), filepath.Join(b.TempDir(), "log")
	for b.Loop() {
		p, err := typedclient.Start(program, log)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
