package serverflags

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNothingIsCalled: no flag that would have a server call another one is taken over.
func TestNothingIsCalled(t *testing.T) {
	file := filepath.Join(t.TempDir(), "flags")
	require.NoError(t, os.WriteFile(file, []byte(`--audit-webhook-config-file=/a
--audit-policy-file=/a
--authentication-config=/jwt.yaml
--authentication-token-webhook-config-file=/a
--authorization-config=/a
--authorization-webhook-config-file=/a
--oidc-issuer-url=https://issuer.example.com
--service-account-jwks-uri=https://issuer.example.com/jwks
--service-account-signing-endpoint=/run/signer.sock
--egress-selector-config-file=/a
--tracing-config-file=/a
--encryption-provider-config=/kms.yaml
--etcd-servers=https://etcd.example.com:2379
--etcd-servers-overrides=/events#https://etcd.example.com:2379
--kubelet-certificate-authority=/a
--proxy-client-cert-file=/a
--peer-advertise-ip=10.0.0.1
--enable-admission-plugins=ImagePolicyWebhook
`), 0o600))
	flags, err := Read(file)
	require.NoError(t, err)
	options, account := flags.Take(nil)
	assert.Empty(t, options.Flags)
	assert.Empty(t, account.Taken)
	assert.Empty(t, account.Unknown)
	assert.Len(t, account.NotTaken, 18)
}
