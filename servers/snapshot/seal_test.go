package snapshot

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
)

// TestSeal: what is sealed shows nothing of its content, is read by the seal and by servers that
// make the key of the same seed, and by no other seal.
func TestSeal(t *testing.T) {
	s := NewSeal()
	assert.Nil(t, s.Encryption(), "nothing was encrypted")
	out, err := s.Encrypt(t.Context(), "secrets", path, []byte(`{"password":"s3cr3t"}`))
	require.NoError(t, err)
	assert.NotContains(t, string(out), "s3cr3t")
	plain, err := s.Open(t.Context(), path, out)
	require.NoError(t, err)
	assert.Equal(t, `{"password":"s3cr3t"}`, string(plain))
	plain, err = s.Open(t.Context(), path, []byte("as it is"))
	require.NoError(t, err)
	assert.Equal(t, "as it is", string(plain))
	_, err = NewSeal().Open(t.Context(), path, out)
	assert.Error(t, err)

	e := s.Encryption()
	assert.Equal(t, []string{"secrets"}, e.Resources)
	text := configuration(e.Provider, e.Key, "x")
	_, made := secret("x")
	text = strings.Replace(text, made, base64.StdEncoding.EncodeToString(servers.EncryptionKey([]byte(s.Seed), e.Key)), 1)
	got, missing, err := loaded(t, text).Decrypt(t.Context(), path, out)
	require.NoError(t, err)
	assert.Nil(t, missing)
	assert.Equal(t, `{"password":"s3cr3t"}`, string(got))
}
