package client

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// AcceptProtobuf is what a client with protobuf asks for; what a server cannot
// say in it may come as JSON.
const AcceptProtobuf = ProtobufContent + "," + JSONContent

// magic is how every body in Kubernetes' protobuf begins.
var magic = []byte("k8s\x00")

// IsProtobuf tells a body in Kubernetes' protobuf from any other.
func IsProtobuf(body []byte) bool { return bytes.HasPrefix(body, magic) }

// PlainStatus reads a Status that came as protobuf, and gives its JSON too: so
// that a refusal reads the same in either encoding.
func PlainStatus(body []byte) (*metav1.Status, []byte, error) {
	envelope, err := unpack(body)
	if err != nil {
		return nil, nil, err
	}
	if envelope.Kind != "Status" {
		return nil, nil, fmt.Errorf("a %s, not a Status", envelope.Kind)
	}
	status := &metav1.Status{TypeMeta: metav1.TypeMeta{Kind: envelope.Kind, APIVersion: envelope.APIVersion}}
	if err := status.Unmarshal(envelope.Raw); err != nil {
		return nil, nil, fmt.Errorf("decode a Status: %w", err)
	}
	raw, err := json.Marshal(status)
	return status, raw, err
}

func unpack(body []byte) (*runtime.Unknown, error) {
	var envelope runtime.Unknown
	if !IsProtobuf(body) {
		return nil, fmt.Errorf("no protobuf of Kubernetes")
	}
	if err := envelope.Unmarshal(body[len(magic):]); err != nil {
		return nil, fmt.Errorf("decode the envelope: %w", err)
	}
	return &envelope, nil
}

// madeUpTag is the last field number there is, which no message uses.
const madeUpTag = 1<<29 - 1

// withMadeUpTag adds a field to a message in protobuf that no type has.
func withMadeUpTag(body []byte) ([]byte, error) {
	envelope, err := unpack(body)
	if err != nil {
		return nil, err
	}
	envelope.Raw = binary.AppendUvarint(envelope.Raw, madeUpTag<<3) // a number follows
	envelope.Raw = binary.AppendUvarint(envelope.Raw, 1)
	raw, err := envelope.Marshal()
	if err != nil {
		return nil, err
	}
	return append(bytes.Clone(magic), raw...), nil
}
