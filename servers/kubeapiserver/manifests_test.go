package kubeapiserver_test

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/skewsim/skewsim/servers"
)

// restricted is a namespace in which the Pod Security Standards' strictest level warns.
const restricted = `{apiVersion: v1, kind: Namespace, metadata: {name: restricted, labels: {pod-security.kubernetes.io/warn: restricted}}}`

// answer is a server's response to a manifest.
type answer struct {
	code     int
	body     string
	warnings []string
}

// creator posts manifests to a server.
type creator struct {
	t *testing.T
	e servers.Endpoint
	c *http.Client
}

func newCreator(t *testing.T, e servers.Endpoint) creator {
	t.Helper()
	pool := x509.NewCertPool()
	require.True(t, pool.AppendCertsFromPEM(e.CAData))
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	t.Cleanup(transport.CloseIdleConnections)
	return creator{t, e, &http.Client{Transport: transport}}
}

func (c creator) post(path, manifest string) answer {
	c.t.Helper()
	request, err := http.NewRequestWithContext(c.t.Context(), http.MethodPost, c.e.URL+path, strings.NewReader(manifest))
	require.NoError(c.t, err)
	request.Header.Set("Content-Type", "application/yaml")
	request.Header.Set("Accept", "application/json")
	request.Header.Set("Authorization", "Bearer "+c.e.Token)
	response, err := c.c.Do(request)
	require.NoError(c.t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	require.NoError(c.t, err)
	return answer{response.StatusCode, string(body), response.Header.Values("Warning")}
}

// tried sends a manifest as a strict dry run.
func (c creator) tried(manifest string) answer {
	c.t.Helper()
	var kind struct{ Kind string }
	require.NoError(c.t, yaml.Unmarshal([]byte(manifest), &kind))
	paths := map[string]string{"Job": "/apis/batch/v1/namespaces/restricted/jobs", "PersistentVolumeClaim": "/api/v1/namespaces/restricted/persistentvolumeclaims"}
	path, known := paths[kind.Kind]
	require.True(c.t, known, kind.Kind)
	return c.post(path+"?dryRun=All&fieldValidation=Strict", manifest)
}

// documented returns the manifests in a file of the documentation.
func documented(t *testing.T, file string) (all []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/kubernetes/" + file)
	require.NoError(t, err)
	for _, part := range bytes.Split(text, []byte("\n---\n")) {
		all = append(all, string(part))
	}
	return all
}

// TestKubernetesDocumentedManifests: a real server accepts the manifests of the documentation
// in a strict dry run, without warnings in a restricted namespace. It refuses manifests with
// one mistake.
func TestKubernetesDocumentedManifests(t *testing.T) {
	runtime, at := launchpad(t)
	at.Name = "a"
	server, err := runtime.Start(t.Context(), newest(t), at)
	require.NoError(t, err)
	c := newCreator(t, server.Endpoint())
	made := c.post("/api/v1/namespaces", restricted)
	require.Equal(t, http.StatusCreated, made.code, made.body)

	skew, merge := documented(t, "skew-job.yaml"), documented(t, "merge-job.yaml")
	require.Len(t, skew, 2)
	require.Len(t, merge, 1)
	for _, manifest := range append(merge, skew...) {
		said := c.tried(manifest)
		assert.Equal(t, http.StatusCreated, said.code, said.body)
		assert.Empty(t, said.warnings)
	}
	job := skew[1]
	for _, wrong := range []struct{ from, to, said string }{
		{"backoffLimitPerIndex: 1", "backoffLimitPerIndx: 1", `unknown field \"spec.backoffLimitPerIndx\"`},
		{"completions: 4 ", "# ", "spec.completions: Required value"},
		{"restartPolicy: Never", "restartPolicy: OnFailure", "spec.template.spec.restartPolicy: Invalid value"},
		{"containerName: skewsim", "containerName: skewsin", "spec.podFailurePolicy.rules[1].onExitCodes.containerName: Invalid value"},
		{"completionMode: Indexed", "completionMode: NonIndexed", "spec.backoffLimitPerIndex: Invalid value"},
		{"name: tmp, mountPath", "name: temp, mountPath", "spec.template.spec.containers[0].volumeMounts[1].name: Not found"},
	} {
		require.Contains(t, job, wrong.from)
		said := c.tried(strings.Replace(job, wrong.from, wrong.to, 1))
		assert.GreaterOrEqual(t, said.code, 400, wrong.to)
		assert.Contains(t, said.body, wrong.said)
	}
	for _, part := range []string{"runAsNonRoot: true", "capabilities: {drop: [ALL]}", "allowPrivilegeEscalation: false", "seccompProfile: {type: RuntimeDefault}"} {
		require.Contains(t, job, part)
		said := c.tried(strings.Replace(job, part, "", 1))
		assert.Equal(t, http.StatusCreated, said.code, said.body)
		assert.Contains(t, strings.Join(said.warnings, "\n"), "PodSecurity", part)
	}
}
