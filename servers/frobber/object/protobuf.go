package object

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"
)

// Marshal encodes as Kubernetes' generated code does: in the order of the tags, values always,
// nil pointers and empty slices and maps never.
func (o *Object[S, T]) Marshal() ([]byte, error) { return marshalFields(reflect.ValueOf(o).Elem()) }

// MarshalTo encodes to the start of a buffer.
func (o *Object[S, T]) MarshalTo(into []byte) (int, error) { return fill(into, o) }

// Size returns the length of Marshal's result.
func (o *Object[S, T]) Size() int { return size(o) }

// Marshal encodes the list.
func (l *List[S, T]) Marshal() ([]byte, error) { return marshalFields(reflect.ValueOf(l).Elem()) }

// MarshalTo encodes to the start of a buffer.
func (l *List[S, T]) MarshalTo(into []byte) (int, error) { return fill(into, l) }

// Size returns the length of Marshal's result.
func (l *List[S, T]) Size() int { return size(l) }

// marshaler is implemented by generated code.
type marshaler interface{ Marshal() ([]byte, error) }

func fill(into []byte, m marshaler) (int, error) {
	b, err := m.Marshal()
	if err != nil {
		return 0, err
	}
	if len(into) < len(b) {
		return 0, fmt.Errorf("object: a buffer of %d bytes for %d", len(into), len(b))
	}
	return copy(into, b), nil
}

// size is called before Marshal, which reports the error if the message cannot be encoded.
func size(m marshaler) int {
	b, _ := m.Marshal()
	return len(b)
}

// marshal encodes a message, which may have generated code.
func marshal(v reflect.Value) ([]byte, error) {
	if owns(v.Type(), "Marshal") {
		return addressed(v).Interface().(marshaler).Marshal()
	}
	return marshalFields(v)
}

func marshalFields(v reflect.Value) ([]byte, error) {
	var b []byte
	for _, m := range shapeOf(v.Type()).tagged {
		var err error
		if b, err = appendField(b, m.number, v.FieldByIndex(m.Index)); err != nil {
			return nil, fmt.Errorf("field %s: %w", m.Name, err)
		}
	}
	return b, nil
}

// addressed returns a pointer to a value, or to a copy if it has no address.
func addressed(v reflect.Value) reflect.Value {
	if v.CanAddr() {
		return v.Addr()
	}
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p
}

func appendField(b []byte, number int, v reflect.Value) ([]byte, error) {
	switch {
	case v.Kind() == reflect.Pointer:
		if v.IsNil() {
			return b, nil
		}
		return appendField(b, number, v.Elem())
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() != reflect.Uint8:
		for i := range v.Len() {
			var err error
			if b, err = appendField(b, number, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return b, nil
	case v.Kind() == reflect.Map:
		return appendMap(b, number, v)
	}
	return appendOne(b, protowire.Number(number), v)
}

// appendOne encodes a value that is not a list or a map.
func appendOne(b []byte, number protowire.Number, v reflect.Value) ([]byte, error) {
	switch v.Kind() {
	case reflect.Bool:
		return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), protowire.EncodeBool(v.Bool())), nil
	case reflect.Int32, reflect.Int64:
		return protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v.Int())), nil
	case reflect.String:
		return protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v.String()), nil
	case reflect.Slice: // of bytes; nil is not sent, empty is
		if v.IsNil() {
			return b, nil
		}
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v.Bytes()), nil
	case reflect.Struct:
		inner, err := marshal(v)
		if err != nil {
			return nil, err
		}
		return protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), inner), nil
	}
	return nil, cannot(v.Type())
}

// appendMap encodes each entry as a message of a key and a value, sorted by key.
func appendMap(b []byte, number int, v reflect.Value) ([]byte, error) {
	keys := v.MapKeys()
	slices.SortFunc(keys, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	for _, key := range keys {
		entry, err := appendOne(nil, 1, key)
		if err != nil {
			return nil, err
		}
		if entry, err = appendOne(entry, 2, v.MapIndex(key)); err != nil {
			return nil, err
		}
		b = protowire.AppendBytes(protowire.AppendTag(b, protowire.Number(number), protowire.BytesType), entry)
	}
	return b, nil
}

func cannot(t reflect.Type) error {
	return fmt.Errorf("object: %s: no encoding: use bool, string, int32, int64, bytes, and what is made of them", t)
}
