package snapshot

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"

	"k8s.io/apiserver/pkg/storage/value"
	"k8s.io/apiserver/pkg/storage/value/encrypt/secretbox"

	"github.com/skewsim/skewsim/servers"
)

// Seal encrypts values of a private copy with a key that is made for it and thrown away.
type Seal struct {
	// Seed is what servers of the copy make the same key of.
	Seed string

	transformer value.Transformer
	prefix      []byte
	mu          sync.Mutex
	resources   []string
}

// keyOfSeal is the name of the key.
const keyOfSeal = "copy"

// NewSeal makes a key.
func NewSeal() *Seal {
	seed := make([]byte, 32)
	rand.Read(seed) // never fails, see its documentation
	s := &Seal{Seed: hex.EncodeToString(seed), prefix: []byte(string(encrypted) + "secretbox:v1:" + keyOfSeal + ":")}
	s.transformer = secretbox.NewSecretboxTransformer([32]byte(servers.EncryptionKey([]byte(s.Seed), keyOfSeal)))
	return s
}

// Encrypt returns a value of a resource, such as widgets.example.com, as servers of the copy store it
// under a key.
func (s *Seal) Encrypt(ctx context.Context, resource, path string, plain []byte) ([]byte, error) {
	s.mu.Lock()
	if !slices.Contains(s.resources, resource) {
		s.resources = append(s.resources, resource)
	}
	s.mu.Unlock()
	out, err := s.transformer.TransformToStorage(ctx, plain, value.DefaultContext(path))
	return slices.Concat(s.prefix, out), err
}

// Open returns the content of a value of the copy. What is not encrypted is its own content.
func (s *Seal) Open(ctx context.Context, path string, stored []byte) ([]byte, error) {
	sealed, is := bytes.CutPrefix(stored, s.prefix)
	if !is {
		return stored, nil
	}
	plain, _, err := s.transformer.TransformFromStorage(ctx, sealed, value.DefaultContext(path))
	if err != nil {
		return nil, fmt.Errorf("%s: value of the copy: %w", path, err)
	}
	return plain, nil
}

// Encryption is how servers of the copy read and write; nil if nothing was encrypted.
func (s *Seal) Encryption() *servers.Encryption {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.resources) == 0 {
		return nil
	}
	return &servers.Encryption{Resources: slices.Clone(s.resources), Provider: "secretbox", Key: keyOfSeal}
}
