package apiserver

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/servers"
)

// providers are those that a key may be read by, whichever wrote with it.
func providers() []string { return []string{"aescbc", "aesgcm", "secretbox"} }

// encryptionFlags writes what a server is to encrypt with, and is the flag that
// names the file. Nil: it encrypts nothing.
func (id *Identity) encryptionFlags(name string, e *servers.Encryption) ([]string, error) {
	if e == nil {
		return nil, nil
	}
	text, err := json.Marshal(id.encryption(e))
	if err != nil {
		return nil, err
	}
	file := filepath.Join(id.Dir, "encryption-"+name+".json") // JSON is YAML too
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return nil, err
	}
	return []string{"--encryption-provider-config=" + file}, nil
}

// object is a part of a configuration.
type object = map[string]any

// encryption is an EncryptionConfiguration. What is first in it writes; all of it
// reads, what was stored as it is included.
func (id *Identity) encryption(e *servers.Encryption) object {
	identity := object{"identity": object{}}
	var all []object
	if e.Provider == "" {
		all = append(all, identity)
	} else {
		all = append(all, id.provider(e.Provider, append([]string{e.Key}, e.Reads...)))
	}
	for _, provider := range providers() {
		if provider != e.Provider && len(e.Reads) > 0 {
			all = append(all, id.provider(provider, e.Reads))
		}
	}
	if e.Provider != "" {
		all = append(all, identity)
	}
	return object{
		"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration",
		"resources": []object{{"resources": e.Resources, "providers": all}},
	}
}

// provider is one with its keys; the first one writes.
func (id *Identity) provider(name string, keys []string) object {
	var all []object
	for i, key := range keys {
		if !slices.Contains(keys[:i], key) {
			all = append(all, object{"name": key, "secret": servers.EncryptionKey(id.seed, key)}) // in base64
		}
	}
	return object{name: object{"keys": all}}
}
