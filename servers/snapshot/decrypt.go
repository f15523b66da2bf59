package snapshot

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"google.golang.org/protobuf/proto"
	"k8s.io/apiserver/pkg/storage/value"
	kmsv2 "k8s.io/apiserver/pkg/storage/value/encrypt/envelope/kmsv2/v2"

	"github.com/skewsim/skewsim/servers/fault"
)

// encrypted is how every encrypted value begins: k8s:enc:PROVIDER:VERSION:KEYNAME:
var encrypted = []byte("k8s:enc:")

// MissingKeys is what a value needs to be decrypted that the keys do not have.
type MissingKeys struct {
	Provider string // aescbc, aesgcm, secretbox or kms; "" if the value does not say it
	KeyName  string // of kms the name of the plugin
	// KMSVersion is v1 or v2, and KMSKeyID the id that the plugin gave its key, where the value
	// says it (v2).
	KMSVersion, KMSKeyID string
	// Configured reports whether the configuration names the KMS plugin.
	Configured bool
}

// String says what is missing.
func (m *MissingKeys) String() string {
	switch {
	case m.Provider == "":
		return "an unknown provider"
	case m.Provider != "kms":
		return fmt.Sprintf("the %s key %q", m.Provider, m.KeyName)
	case m.KMSKeyID != "":
		return fmt.Sprintf("the KMS %s plugin %q with the key id %q", m.KMSVersion, m.KeyName, m.KMSKeyID)
	}
	return fmt.Sprintf("the KMS %s plugin %q", m.KMSVersion, m.KeyName)
}

// Decrypt returns the content of the value under a key of etcd: of a value that is not encrypted
// the value itself. It returns what is missing if the keys do not have the provider or the key
// that the value names, and a *WrongKeyError if a key of that name does not decrypt it. A nil Keys reads
// what is not encrypted.
func (k *Keys) Decrypt(ctx context.Context, path string, stored []byte) (plain []byte, missing *MissingKeys, err error) {
	if !bytes.HasPrefix(stored, encrypted) {
		return stored, nil, nil
	}
	if k == nil {
		return nil, k.missing(stored), nil
	}
	tried := ""
	for _, key := range k.all {
		prefix := fmt.Sprintf("%s%s:v1:%s:", encrypted, key.provider, key.name)
		if !bytes.HasPrefix(stored, []byte(prefix)) {
			continue
		}
		tried = fmt.Sprintf("%s key %q", key.provider, key.name)
		// The path is what kube-apiserver authenticates: a value moved to another key is refused.
		plain, _, err := key.reads.TransformFromStorage(ctx, stored[len(prefix):], value.DefaultContext(path))
		if err == nil && (key.provider != "aescbc" || isObject(plain)) {
			return plain, nil, nil
		}
	}
	if tried == "" {
		return nil, k.missing(stored), nil
	}
	return nil, nil, fault.ByUser(&WrongKeyError{Path: path, Key: tried})
}

// WrongKeyError reports that no key of the name that a value has decrypts it.
type WrongKeyError struct {
	Path string // of the value
	Key  string // the provider and the name: aescbc key "key1"
}

// Error says which key does not decrypt which value, and what to name instead.
func (e *WrongKeyError) Error() string {
	return fmt.Sprintf("%s: the %s of the encryption configuration does not decrypt it: the key has another secret, or the value is damaged: name the configuration that kube-apiserver used when the snapshot was taken", e.Path, e.Key)
}

// isObject reports whether a value begins as one of a kube-apiserver: in protobuf, CBOR, JSON or
// YAML. AES-CBC does not notice a wrong key in one of 256 values.
func isObject(plain []byte) bool {
	return slices.ContainsFunc([]string{"k8s\x00", "\xd9\xd9\xf7", "{", "apiVersion: ", "kind: "}, func(begin string) bool {
		return bytes.HasPrefix(plain, []byte(begin))
	})
}

// missing reads what a value names.
func (k *Keys) missing(stored []byte) *MissingKeys {
	parts := bytes.SplitN(stored[len(encrypted):], []byte(":"), 4)
	if len(parts) < 4 {
		return &MissingKeys{}
	}
	m := &MissingKeys{Provider: printable(parts[0]), KeyName: printable(parts[2])}
	if m.Provider != "kms" {
		return m
	}
	m.KMSVersion = printable(parts[1])
	m.Configured = k != nil && slices.Contains(k.kms, m.KeyName)
	var object kmsv2.EncryptedObject
	if m.KMSVersion == "v2" && proto.Unmarshal(parts[3], &object) == nil {
		m.KMSKeyID = printable([]byte(object.KeyID))
	}
	return m
}

// printable returns a name as it can be shown: without control characters, and not longer than
// a key id of KMS may be.
func printable(name []byte) string {
	text := strings.ToValidUTF8(string(name[:min(len(name), 1024)]), "")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}
