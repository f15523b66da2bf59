package serverflags

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCopyAdmission: plug-ins that call servers stay out of the copy, wherever that is written, and files that
// are here come into it; a server can use the copy.
func TestCopyAdmission(t *testing.T) {
	dir, to := t.TempDir(), t.TempDir()
	write := func(name, text string) string {
		at := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(at, []byte(text), 0o600))
		return at
	}
	write("podsecurity.yaml", "kind: PodSecurityConfiguration\ndefaults: {enforce: baseline}\n")
	write("image.yaml", "imagePolicy: {kubeConfigFile: /etc/kubernetes/image.conf}\n")
	copied, left, err := CopyAdmission(write("admission.yaml", `apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: EventRateLimit
  configuration: {kind: Configuration, limits: [{type: Server, qps: 50, burst: 100}]}
- {name: PodSecurity, path: podsecurity.yaml}
- {name: ImagePolicyWebhook, path: image.yaml}
- {name: PodNodeSelector, path: /no/such/file}
- name: ValidatingAdmissionWebhook
  configuration: {kind: WebhookAdmissionConfiguration, kubeConfigFile: /etc/kubernetes/hooks.conf}
`), to)
	require.NoError(t, err)
	var names []string
	for _, f := range left {
		names = append(names, f.Value)
	}
	assert.Equal(t, []string{"ImagePolicyWebhook", "PodNodeSelector", "ValidatingAdmissionWebhook"}, names)
	text, err := os.ReadFile(copied)
	require.NoError(t, err)
	for _, has := range []string{"enforce: baseline", "qps: 50", "apiserver.config.k8s.io/v1"} {
		assert.Contains(t, string(text), has)
	}
	assert.NotContains(t, string(text), "etc/kubernetes")
	assert.NoError(t, checkAdmission(copied))

	for _, bad := range []string{write("other.yaml", "kind: Pod\n"), filepath.Join(dir, "none"), dir} {
		_, _, err := CopyAdmission(bad, to)
		assert.ErrorAs(t, err, new(*FileError))
	}
}
