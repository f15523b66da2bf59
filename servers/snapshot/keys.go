package snapshot

import (
	"crypto/aes"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"

	v1 "k8s.io/apiserver/pkg/apis/apiserver/v1"
	"k8s.io/apiserver/pkg/storage/value"
	aestransformer "k8s.io/apiserver/pkg/storage/value/encrypt/aes"
	"k8s.io/apiserver/pkg/storage/value/encrypt/secretbox"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/servers/fault"
)

// Keys are the keys of an EncryptionConfiguration. Nil has none.
type Keys struct {
	all []key
	kms []string // names of plugins
}

// String does not show the keys.
func (k *Keys) String() string {
	if k == nil {
		return "no keys"
	}
	return fmt.Sprintf("%d keys", len(k.all))
}

// GoString does not show the keys.
func (k *Keys) GoString() string { return k.String() }

// Format does not show the keys, whichever the verb.
func (k *Keys) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, k.String()) }

// key is one key of a provider.
type key struct {
	provider, name string
	reads          value.Read
}

// maxFile bounds what is read: a configuration has a few kilobytes.
const maxFile = 4 << 20

// LoadKeys reads an EncryptionConfiguration, in YAML or JSON.
func LoadKeys(path string) (*Keys, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fault.ByUser(fmt.Errorf("encryption configuration: %w: name the file that --encryption-provider-config of kube-apiserver names", err))
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile))
	if err != nil {
		return nil, fault.ByUser(fmt.Errorf("encryption configuration: %w", err))
	}
	keys, err := parse(text)
	if err != nil {
		return nil, fault.ByUser(fmt.Errorf("encryption configuration %s: %w", path, err))
	}
	return keys, nil
}

const (
	apiVersion = "apiserver.config.k8s.io/v1"
	kind       = "EncryptionConfiguration"
)

var lineOfError = regexp.MustCompile(`line \d+`)

// parse reads the keys. An error of a parser may quote what it read, so it is left out but for
// its line.
func parse(text []byte) (*Keys, error) {
	var config v1.EncryptionConfiguration
	if err := yaml.Unmarshal(text, &config); err != nil {
		at := lineOfError.FindString(err.Error())
		if at != "" {
			at = ": " + at
		}
		return nil, fmt.Errorf("it is not the YAML or JSON of an %s%s: name the file that --encryption-provider-config of kube-apiserver names", kind, at)
	}
	if config.APIVersion != apiVersion || config.Kind != kind {
		return nil, fmt.Errorf("its apiVersion and kind are not %s and %s: name the file that --encryption-provider-config of kube-apiserver names", apiVersion, kind)
	}
	keys := &Keys{}
	for i, resource := range config.Resources {
		for j, provider := range resource.Providers {
			if err := keys.add(provider, fmt.Sprintf("resources[%d].providers[%d]", i, j)); err != nil {
				return nil, err
			}
		}
	}
	return keys, nil
}

// add adds the keys of one provider.
func (k *Keys) add(p v1.ProviderConfiguration, at string) error {
	switch {
	case p.AESCBC != nil:
		return k.addAll("aescbc", p.AESCBC.Keys, at)
	case p.AESGCM != nil:
		return k.addAll("aesgcm", p.AESGCM.Keys, at)
	case p.Secretbox != nil:
		return k.addAll("secretbox", p.Secretbox.Keys, at)
	case p.KMS != nil:
		k.kms = append(k.kms, p.KMS.Name)
	case p.Identity == nil:
		return fmt.Errorf("%s: it names none of the providers aescbc, aesgcm, secretbox, identity and kms: correct its spelling", at)
	}
	return nil
}

func (k *Keys) addAll(provider string, all []v1.Key, at string) error {
	for i, one := range all {
		at := fmt.Sprintf("%s.%s.keys[%d]", at, provider, i)
		if one.Name == "" {
			return fmt.Errorf("%s.name: it is missing: kube-apiserver requires it", at)
		}
		secret, err := base64.StdEncoding.DecodeString(one.Secret)
		if err != nil {
			return fmt.Errorf("%s.secret: it is not base64", at)
		}
		reads, err := transformer(provider, secret)
		if err != nil {
			return fmt.Errorf("%s.secret: %w", at, err)
		}
		k.all = append(k.all, key{provider, one.Name, reads})
	}
	return nil
}

// transformer returns what reads the values of a key.
func transformer(provider string, secret []byte) (value.Read, error) {
	lengths := []int{16, 24, 32}
	if provider == "secretbox" {
		lengths = []int{32}
	}
	if !slices.Contains(lengths, len(secret)) {
		return nil, fmt.Errorf("it has %d bytes, and the provider needs one of %v", len(secret), lengths)
	}
	if provider == "secretbox" {
		return secretbox.NewSecretboxTransformer([32]byte(secret)), nil
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	if provider == "aesgcm" {
		return aestransformer.NewGCMTransformer(block)
	}
	return aestransformer.NewCBCTransformer(block), nil
}
