package storage

import (
	"bytes"
	"regexp"
	"unicode"
	"unicode/utf8"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/cbor/direct"
	"k8s.io/apimachinery/pkg/util/json"
)

// Encoding is how a stored value is written.
type Encoding string

// The encodings an API server can store.
const (
	Protobuf  Encoding = "protobuf"
	JSON      Encoding = "json"
	CBOR      Encoding = "cbor"
	YAML      Encoding = "yaml"
	Encrypted Encoding = "encrypted" // by an encryption provider: opaque from here
	Opaque    Encoding = "opaque"    // none of those
)

// Envelope is what is known about a stored value without its schema.
type Envelope struct {
	Encoding   Encoding
	APIVersion string // "" if unknown
	Kind       string
	// Provider and Key are the provider that an Encrypted value is encrypted by, and the name
	// of the key; of a KMS its plugin's. "" if unknown.
	Provider, Key string
}

// The prefixes that API servers put before what they store. protobuf's and
// CBOR's are those of apimachinery's serializers, the last is that of
// apiserver's value transformers.
var (
	protobufPrefix  = []byte("k8s\x00")
	cborPrefix      = []byte{0xd9, 0xd9, 0xf7}
	encryptedPrefix = []byte("k8s:enc:")
)

// Describe reads a value's envelope. It never fails: what cannot be read is Opaque.
func Describe(value []byte) Envelope {
	switch {
	case bytes.HasPrefix(value, protobufPrefix):
		return describeProtobuf(value[len(protobufPrefix):])
	case bytes.HasPrefix(value, encryptedPrefix):
		return describeEncrypted(value[len(encryptedPrefix):])
	case bytes.HasPrefix(value, cborPrefix):
		return describeCBOR(value)
	}
	if e := describeJSON(value); e.Encoding != Opaque {
		return e
	}
	return describeYAML(value)
}

// describeEncrypted reads PROVIDER:VERSION:KEY: before what is encrypted.
func describeEncrypted(rest []byte) Envelope {
	const most = 200 // bytes of a name
	parts := bytes.SplitN(rest[:min(len(rest), 3*most)], []byte(":"), 4)
	e := Envelope{Encoding: Encrypted}
	if len(parts) < 4 {
		return e
	}
	for _, part := range parts[:3] {
		if len(part) > most || !utf8.Valid(part) || bytes.ContainsFunc(part, unicode.IsControl) {
			return e
		}
	}
	e.Provider, e.Key = string(parts[0]), string(parts[2])
	return e
}

func describeProtobuf(message []byte) Envelope {
	u, ok := readUnknown(message)
	if !ok {
		return Envelope{Encoding: Opaque}
	}
	return Envelope{Encoding: Protobuf, APIVersion: u.apiVersion, Kind: u.kind}
}

// describeJSON reads names as servers do, which tell "kind" from "Kind".
func describeJSON(value []byte) Envelope {
	var meta metav1.TypeMeta
	if len(value) == 0 || value[0] != '{' || json.Unmarshal(value, &meta) != nil {
		return Envelope{Encoding: Opaque}
	}
	return Envelope{Encoding: JSON, APIVersion: meta.APIVersion, Kind: meta.Kind}
}

// describeCBOR reads names as servers do. What is CBOR by its prefix alone stays so.
func describeCBOR(value []byte) Envelope {
	var meta metav1.TypeMeta
	if len(value) > maxValue || direct.Unmarshal(value, &meta) != nil {
		return Envelope{Encoding: CBOR}
	}
	return Envelope{Encoding: CBOR, APIVersion: meta.APIVersion, Kind: meta.Kind}
}

// The two lines by which what a server writes as YAML says what it is.
var (
	yamlVersion = regexp.MustCompile(`(?m)^apiVersion: ([a-z0-9./-]{1,200})$`)
	yamlKind    = regexp.MustCompile(`(?m)^kind: ([A-Za-z0-9]{1,200})$`)
)

// describeYAML reads those two lines alone: that the rest is YAML whoever reads it finds.
func describeYAML(value []byte) Envelope {
	version, kind := yamlVersion.FindSubmatch(value), yamlKind.FindSubmatch(value)
	if version == nil || kind == nil || !utf8.Valid(value) {
		return Envelope{Encoding: Opaque}
	}
	return Envelope{Encoding: YAML, APIVersion: string(version[1]), Kind: string(kind[1])}
}
