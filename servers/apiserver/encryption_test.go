package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers"
)

// configured are the providers of a configuration, in order, each with the names
// of its keys, and the keys by their names.
func configured(t *testing.T, id *Identity, e *servers.Encryption) (all []string, keys map[string]string) {
	t.Helper()
	flags, err := id.encryptionFlags("a-1", e)
	if err != nil || len(flags) != 1 {
		t.Fatal(flags, err)
	}
	_, file, _ := strings.Cut(flags[0], "=")
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info, err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Resources []struct {
			Providers []map[string]struct {
				Keys []struct{ Name, Secret string }
			}
		}
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	keys = map[string]string{}
	for _, provider := range c.Resources[0].Providers {
		for name, of := range provider {
			for _, key := range of.Keys {
				name += " " + key.Name
				keys[key.Name] = key.Secret
			}
			all = append(all, name)
		}
	}
	return all, keys
}

func TestEncryption(t *testing.T) {
	id, other := &Identity{Dir: t.TempDir(), seed: []byte("x")}, &Identity{Dir: t.TempDir(), seed: []byte("y")}
	all, keys := configured(t, id, &servers.Encryption{Resources: []string{"secrets"}, Provider: "aesgcm", Key: "k1", Reads: []string{"k2", "k1"}})
	if want := []string{"aesgcm k1 k2", "aescbc k2 k1", "secretbox k2 k1", "identity"}; !slices.Equal(all, want) {
		t.Errorf("%v, want %v", all, want)
	}
	if raw, err := base64.StdEncoding.DecodeString(keys["k1"]); err != nil || len(raw) != 32 || keys["k1"] == keys["k2"] {
		t.Errorf("key %v %v", raw, err)
	}
	all, read := configured(t, id, &servers.Encryption{Resources: []string{"secrets"}, Reads: []string{"k1"}})
	if want := []string{"identity", "aescbc k1", "aesgcm k1", "secretbox k1"}; !slices.Equal(all, want) || read["k1"] != keys["k1"] {
		t.Errorf("%v, want %v; the same key for the same name", all, want)
	}
	if _, theirs := configured(t, other, &servers.Encryption{Reads: []string{"k1"}}); theirs["k1"] == keys["k1"] {
		t.Error("another run has the same key")
	}
	if flags, err := id.encryptionFlags("a", nil); flags != nil || err != nil {
		t.Error(flags, err)
	}
}
