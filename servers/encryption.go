package servers

import (
	"crypto/hmac"
	"crypto/sha256"
)

// Encryption is how a release's servers encrypt what they store.
type Encryption struct {
	Resources []string // such as secrets, configmaps, widgets.example.dev
	// Provider and Key encrypt what is written; "": it is written as it is.
	Provider, Key string
	// Reads are the names of keys that what is stored is read with as well, by
	// whichever provider.
	Reads []string
}

// EncryptionKey makes the key of a name: as random as a seed, and the same for all servers that
// share it. 32 bytes are right for every provider.
func EncryptionKey(seed []byte, name string) []byte {
	sum := hmac.New(sha256.New, seed)
	sum.Write([]byte("encryption key " + name))
	return sum.Sum(nil)
}
