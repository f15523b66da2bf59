package snapshot

import (
	"bytes"
	"context"
	"crypto/aes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/proto"
	"k8s.io/apiserver/pkg/storage/value"
	aestransformer "k8s.io/apiserver/pkg/storage/value/encrypt/aes"
	kmsv2 "k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/v2"
	"k8s.io/apiserver/pkg/storage/value/encrypt/secretbox"

	"github.com/skewsim/skewsim/servers/fault"
)

const path = "/registry/secrets/ns/name"

// secret returns 32 bytes of a letter, and how a configuration has them.
func secret(letter string) (raw []byte, text string) {
	raw = []byte(strings.Repeat(letter, 32))
	return raw, base64.StdEncoding.EncodeToString(raw)
}

// sealedBy encrypts a value as a kube-apiserver does.
func sealedBy(t *testing.T, provider, name, letter, at, plain string) []byte {
	t.Helper()
	raw, _ := secret(letter)
	block, err := aes.NewCipher(raw)
	require.NoError(t, err)
	gcm, err := aestransformer.NewGCMTransformer(block)
	require.NoError(t, err)
	transformer := map[string]value.Transformer{
		"aescbc": aestransformer.NewCBCTransformer(block), "aesgcm": gcm, "secretbox": secretbox.NewSecretboxTransformer([32]byte(raw)),
	}[provider]
	writes := value.NewPrefixTransformers(nil, value.PrefixTransformer{
		Prefix:      []byte("k8s:enc:" + provider + ":v1:"),
		Transformer: value.NewPrefixTransformers(nil, value.PrefixTransformer{Prefix: []byte(name + ":"), Transformer: transformer}),
	})
	out, err := writes.TransformToStorage(t.Context(), []byte(plain), value.DefaultContext(at))
	require.NoError(t, err)
	return out
}

// configuration is a file with a provider's keys: name and letter, in turn.
func configuration(provider string, keys ...string) string {
	text := "apiVersion: apiserver.config.k8s.io/v1\nkind: EncryptionConfiguration\nresources:\n- resources: [configmaps]\n  providers:\n  - identity: {}\n  - " + provider + ":\n      keys:\n"
	for i := 0; i < len(keys); i += 2 {
		_, encoded := secret(keys[i+1])
		text += fmt.Sprintf("      - name: %s\n        secret: %s\n", keys[i], encoded)
	}
	return text + "- resources: ['*.*']\n  providers:\n  - kms: {apiVersion: v2, name: vault, endpoint: 'unix:///x'}\n"
}

func loaded(t *testing.T, text string) *Keys {
	t.Helper()
	file := filepath.Join(t.TempDir(), "encryption.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	keys, err := LoadKeys(file)
	require.NoError(t, err)
	return keys
}

// TestDecrypt: each provider's values are read by the key that they name, and by no other.
func TestDecrypt(t *testing.T) {
	const plain = "k8s\x00content"
	for _, provider := range []string{"aescbc", "aesgcm", "secretbox"} {
		t.Run(provider, func(t *testing.T) {
			keys := loaded(t, configuration(provider, "new", "a", "old", "b", "a:colon", "c"))
			for name, letter := range map[string]string{"new": "a", "old": "b", "a:colon": "c"} {
				value := sealedBy(t, provider, name, letter, path, plain)
				before := bytes.Clone(value)
				got, missing, err := keys.Decrypt(t.Context(), path, value)
				require.NoError(t, err)
				assert.Nil(t, missing)
				assert.Equal(t, plain, string(got))
				assert.Equal(t, before, value, "the value is the caller's")
			}
			_, missing, err := keys.Decrypt(t.Context(), path, sealedBy(t, provider, "other", "a", path, plain))
			require.NoError(t, err)
			assert.Equal(t, &MissingKeys{Provider: provider, KeyName: "other"}, missing)
			for range 600 { // AES-CBC alone accepts about two of them
				got, missing, err := keys.Decrypt(t.Context(), path, sealedBy(t, provider, "new", "z", path, plain))
				require.Nil(t, missing)
				require.Nil(t, got)
				require.ErrorContains(t, err, path+": the "+provider+` key "new" of the encryption configuration does not decrypt it`)
				require.True(t, fault.Is(err, fault.User))
			}
			short := sealedBy(t, provider, "new", "a", path, plain)
			_, _, err = keys.Decrypt(t.Context(), path, short[:len("k8s:enc:"+provider+":v1:new:")+3])
			assert.ErrorContains(t, err, "does not decrypt it")
		})
	}
}

// TestSameName: one name may have a secret for each list of resources, and the right one reads.
func TestSameName(t *testing.T) {
	for _, provider := range []string{"aescbc", "aesgcm", "secretbox"} {
		keys := loaded(t, configuration(provider, "key1", "a", "key1", "b"))
		for _, letter := range []string{"a", "b"} {
			got, _, err := keys.Decrypt(t.Context(), path, sealedBy(t, provider, "key1", letter, path, `{"kind":"x"}`))
			require.NoError(t, err)
			assert.Equal(t, `{"kind":"x"}`, string(got))
		}
	}
}

// TestMoved: AES-GCM authenticates the key of etcd.
func TestMoved(t *testing.T) {
	keys := loaded(t, configuration("aesgcm", "key1", "a"))
	value := sealedBy(t, "aesgcm", "key1", "a", path, "{}")
	_, _, err := keys.Decrypt(t.Context(), "/registry/secrets/ns/other", value)
	assert.ErrorContains(t, err, "/registry/secrets/ns/other: ")
	_, _, err = keys.Decrypt(t.Context(), path, value)
	assert.NoError(t, err)
}

// TestMissing: what a value needs is said as well as the value says it.
func TestMissing(t *testing.T) {
	object, err := proto.Marshal(&kmsv2.EncryptedObject{KeyID: "key-7\n", EncryptedData: []byte("x"), EncryptedDEKSource: []byte("y")})
	require.NoError(t, err)
	keys := loaded(t, configuration("aescbc", "key1", "a"))
	for value, want := range map[string]struct {
		missing MissingKeys
		words   string
	}{
		"k8s:enc:kms:v2:vault:" + string(object): {MissingKeys{"kms", "vault", "v2", "key-7", true}, `the KMS v2 plugin "vault" with the key id "key-7"`},
		"k8s:enc:kms:v2:other:\xff\xff":          {MissingKeys{"kms", "other", "v2", "", false}, `the KMS v2 plugin "other"`},
		"k8s:enc:kms:v1:vault:\x00\x03abc":       {MissingKeys{"kms", "vault", "v1", "", true}, `the KMS v1 plugin "vault"`},
		"k8s:enc:aesgcm:v1:key1:xyz":             {MissingKeys{Provider: "aesgcm", KeyName: "key1"}, `the aesgcm key "key1"`},
		"k8s:enc:aescbc:v1:key10:xyz":            {MissingKeys{Provider: "aescbc", KeyName: "key10"}, `the aescbc key "key10"`},
		"k8s:enc:new:v1:\x1bname:":               {MissingKeys{Provider: "new", KeyName: "name"}, `the new key "name"`},
		"k8s:enc:":                               {MissingKeys{}, "an unknown provider"},
	} {
		plain, missing, err := keys.Decrypt(t.Context(), path, []byte(value))
		require.NoError(t, err)
		assert.Nil(t, plain)
		assert.Equal(t, &want.missing, missing)
		assert.Equal(t, want.words, missing.String())
	}
	var none *Keys
	_, missing, err := none.Decrypt(t.Context(), path, []byte("k8s:enc:aescbc:v1:key1:xyz"))
	require.NoError(t, err)
	assert.Equal(t, &MissingKeys{Provider: "aescbc", KeyName: "key1"}, missing)
	for _, plain := range []string{"", "{}", "k8s\x00", "k8s:en"} {
		got, missing, err := none.Decrypt(context.Background(), path, []byte(plain))
		require.NoError(t, err)
		assert.Nil(t, missing)
		assert.Equal(t, plain, string(got))
	}
}

// TestLoadRefuses: an error says what is wrong and where, and has nothing of a key.
func TestLoadRefuses(t *testing.T) {
	_, encoded := secret("s")
	right := configuration("aescbc", "key1", "s")
	for words, text := range map[string]string{
		"apiVersion and kind":         strings.Replace(right, "config.k8s.io/v1", "config.k8s.io/v2", 1),
		"its apiVersion and kind are": "",
		"it is not the YAML or JSON of an EncryptionConfiguration: name":                          encoded,
		"it is not the YAML or JSON of an EncryptionConfiguration: line 1":                        strings.Replace(right, "secret: ", "secret: : *", 1),
		"resources[0].providers[1]: it names none of the providers":                               strings.Replace(right, "aescbc", "aescbcc", 1),
		"resources[0].providers[1].aescbc.keys[0].name: it is missing":                            strings.Replace(right, "name: key1", "nam: key1", 1),
		"resources[0].providers[1].aescbc.keys[0].secret: it is not base64":                       strings.Replace(right, encoded, encoded[:9]+"!"+encoded[9:], 1),
		"resources[0].providers[1].aescbc.keys[0].secret: it has 3 bytes":                         strings.Replace(right, encoded, encoded[:4], 1),
		"secretbox.keys[0].secret: it has 16 bytes, and the provider needs one of [32]":           strings.Replace(configuration("secretbox", "key1", "s"), encoded, base64.StdEncoding.EncodeToString([]byte(strings.Repeat("s", 16))), 1),
		"it is not the YAML or JSON of an EncryptionConfiguration: name the file that --encrypti": right[:strings.Index(right, "keys:")] + "keys: " + encoded,
	} {
		file := filepath.Join(t.TempDir(), "encryption.yaml")
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		_, err := LoadKeys(file)
		if assert.ErrorContains(t, err, words) {
			assert.ErrorContains(t, err, "encryption configuration "+file+": ")
			assert.True(t, fault.Is(err, fault.User))
			assert.NotContains(t, err.Error(), encoded[:4])
		}
	}
	_, err := LoadKeys(filepath.Join(t.TempDir(), "missing"))
	assert.True(t, fault.Is(err, fault.User))
	_, err = LoadKeys(t.TempDir())
	assert.True(t, fault.Is(err, fault.User))
}

// TestKeysAreNotShown: no verb shows a key.
func TestKeysAreNotShown(t *testing.T) {
	raw, encoded := secret("s")
	keys := loaded(t, configuration("secretbox", "key1", "s"))
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		text := fmt.Sprintf(verb, keys) + fmt.Sprintf(verb, struct{ Keys *Keys }{keys})
		for _, shown := range []string{string(raw[:8]), encoded[:8], "115 115 115", "73737373", "0x73, 0x73"} {
			assert.NotContains(t, text, shown, verb)
		}
	}
	assert.Equal(t, "1 keys", fmt.Sprint(keys))
	assert.Equal(t, "no keys", fmt.Sprint((*Keys)(nil)))
}
