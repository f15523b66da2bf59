package object

import "reflect"

// DeepCopy copies what p points to, and all that is reached from there. Structs
// must be of exported fields, or know how to copy themselves, as metav1.Time
// does (DeepCopyInto).
func DeepCopy[T any](p *T) *T {
	if p == nil {
		return nil
	}
	into := new(T)
	deepCopy(reflect.ValueOf(p).Elem(), reflect.ValueOf(into).Elem())
	return into
}

func deepCopy(from, into reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		if !from.IsNil() {
			into.Set(reflect.New(from.Type().Elem()))
			deepCopy(from.Elem(), into.Elem())
		}
	case reflect.Slice:
		if !from.IsNil() {
			into.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				deepCopy(from.Index(i), into.Index(i))
			}
		}
	case reflect.Map:
		copyMap(from, into)
	case reflect.Struct:
		copyStruct(from, into)
	default:
		into.Set(from)
	}
}

func copyMap(from, into reflect.Value) {
	if from.IsNil() {
		return
	}
	into.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
	for key, value := range from.Seq2() {
		copied := reflect.New(value.Type()).Elem()
		deepCopy(value, copied)
		into.SetMapIndex(key, copied)
	}
}

// copyStruct prefers the struct's own method, but for one that it has only from
// a struct which it embeds: that would copy no more than the embedded part.
func copyStruct(from, into reflect.Value) {
	if !embeds(from.Type()) {
		if method := from.Addr().MethodByName("DeepCopyInto"); method.IsValid() {
			method.Call([]reflect.Value{into.Addr()})
			return
		}
	}
	for i := range from.NumField() {
		deepCopy(from.Field(i), into.Field(i))
	}
}

func embeds(t reflect.Type) bool {
	for i := range t.NumField() {
		if t.Field(i).Anonymous {
			return true
		}
	}
	return false
}
