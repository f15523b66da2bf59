package object

import (
	"errors"
	"fmt"
	"reflect"

	"google.golang.org/protobuf/encoding/protowire"
)

// Reset empties the object.
func (o *Object[S, T]) Reset() { *o = Object[S, T]{} }

// Unmarshal decodes into the object as Kubernetes' generated code does: it skips unknown
// fields, and returns an error for a known field with another wire type.
func (o *Object[S, T]) Unmarshal(data []byte) error {
	return unmarshalFields(data, reflect.ValueOf(o).Elem())
}

// Reset empties the list.
func (l *List[S, T]) Reset() { *l = List[S, T]{} }

// Unmarshal decodes into the list.
func (l *List[S, T]) Unmarshal(data []byte) error {
	return unmarshalFields(data, reflect.ValueOf(l).Elem())
}

type unmarshaler interface{ Unmarshal([]byte) error }

// unmarshal decodes a message, which may have generated code.
func unmarshal(data []byte, into reflect.Value) error {
	if owns(into.Type(), "Unmarshal") {
		return into.Addr().Interface().(unmarshaler).Unmarshal(data)
	}
	return unmarshalFields(data, into)
}

func unmarshalFields(data []byte, into reflect.Value) error {
	fields := shapeOf(into.Type()).numbers
	return eachField(data, func(number protowire.Number, wire protowire.Type, value []byte) error {
		m, ok := fields[int(number)]
		if !ok {
			return nil
		}
		err := decodeField(wire, value, into.FieldByIndex(m.Index))
		if err == errWire { // this field itself, not one within
			return fmt.Errorf("%w = %d for field %s", errWire, wire, m.Name)
		}
		return err
	})
}

// errWire has the text of generated code.
var errWire = errors.New("proto: wrong wireType")

// eachField calls each with every field of a message.
func eachField(data []byte, each func(protowire.Number, protowire.Type, []byte) error) error {
	for len(data) > 0 {
		number, wire, n := protowire.ConsumeTag(data)
		if n < 0 {
			return protowire.ParseError(n)
		}
		data = data[n:]
		if n = protowire.ConsumeFieldValue(number, wire, data); n < 0 {
			return protowire.ParseError(n)
		}
		if err := each(number, wire, data[:n]); err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// decodeField sets a field, or adds to a list or a map.
func decodeField(wire protowire.Type, value []byte, into reflect.Value) error {
	switch {
	case into.Kind() == reflect.Pointer:
		if into.IsNil() || into.Elem().Kind() != reflect.Struct {
			into.Set(reflect.New(into.Type().Elem()))
		}
		return decodeField(wire, value, into.Elem())
	case into.Kind() == reflect.Slice && into.Type().Elem().Kind() != reflect.Uint8:
		return decodeElement(wire, value, into)
	case into.Kind() == reflect.Map:
		return decodeEntry(wire, value, into)
	}
	return decodeOne(wire, value, into)
}

// decodeElement adds an element, or several packed numbers.
func decodeElement(wire protowire.Type, value []byte, into reflect.Value) error {
	one := reflect.New(into.Type().Elem()).Elem()
	if wire == protowire.BytesType && isNumber(one.Kind()) {
		for packed, _ := protowire.ConsumeBytes(value); len(packed) > 0; {
			n := protowire.ConsumeFieldValue(1, protowire.VarintType, packed)
			if n < 0 {
				return protowire.ParseError(n)
			}
			if err := decodeElement(protowire.VarintType, packed[:n], into); err != nil {
				return err
			}
			packed = packed[n:]
		}
		return nil
	}
	if err := decodeField(wire, value, one); err != nil {
		return err
	}
	into.Set(reflect.Append(into, one))
	return nil
}

func isNumber(k reflect.Kind) bool {
	return k == reflect.Bool || k == reflect.Int32 || k == reflect.Int64
}

// decodeEntry adds an entry of a map: a message of a key and a value.
func decodeEntry(wire protowire.Type, entry []byte, into reflect.Value) error {
	if wire != protowire.BytesType {
		return errWire
	}
	key, value := reflect.New(into.Type().Key()).Elem(), reflect.New(into.Type().Elem()).Elem()
	inner, _ := protowire.ConsumeBytes(entry)
	err := eachField(inner, func(number protowire.Number, wire protowire.Type, b []byte) error {
		switch number {
		case 1:
			return decodeOne(wire, b, key)
		case 2:
			return decodeOne(wire, b, value)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if into.IsNil() {
		into.Set(reflect.MakeMap(into.Type()))
	}
	into.SetMapIndex(key, value)
	return nil
}

// decodeOne sets a value that is not a list or a map.
func decodeOne(wire protowire.Type, value []byte, into reflect.Value) error {
	want := protowire.BytesType
	if isNumber(into.Kind()) {
		want = protowire.VarintType
	}
	if wire != want {
		return errWire
	}
	if want == protowire.VarintType {
		n, _ := protowire.ConsumeVarint(value)
		setNumber(into, n)
		return nil
	}
	b, _ := protowire.ConsumeBytes(value)
	switch into.Kind() {
	case reflect.String:
		into.SetString(string(b))
	case reflect.Slice:
		into.SetBytes(append([]byte{}, b...))
	case reflect.Struct:
		return unmarshal(b, into)
	default:
		return cannot(into.Type())
	}
	return nil
}

func setNumber(into reflect.Value, n uint64) {
	switch into.Kind() {
	case reflect.Bool:
		into.SetBool(n != 0)
	case reflect.Int32:
		into.SetInt(int64(int32(n)))
	default:
		into.SetInt(int64(n))
	}
}
