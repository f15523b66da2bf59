package object

import (
	"reflect"
	"sync"
)

// DeepCopy copies what p points to, with everything that is reachable from it. Structs must
// have only exported fields, or copy themselves, as metav1.Time does (DeepCopyInto).
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

func copyStruct(from, into reflect.Value) {
	if owns(from.Type(), "DeepCopyInto") {
		from.Addr().MethodByName("DeepCopyInto").Call([]reflect.Value{into.Addr()})
		return
	}
	for i := range from.NumField() {
		deepCopy(from.Field(i), into.Field(i))
	}
}

// owns reports whether a struct has the method itself rather than from an embedded struct,
// whose method would only cover the embedded part.
func owns(t reflect.Type, method string) bool {
	key := owned{t, method}
	known, ok := ownedMethods.Load(key)
	if !ok {
		known = findOwned(t, method)
		ownedMethods.Store(key, known)
	}
	return known.(bool)
}

type owned struct {
	t      reflect.Type
	method string
}

var ownedMethods sync.Map // owned -> bool

func findOwned(t reflect.Type, method string) bool {
	if _, ok := reflect.PointerTo(t).MethodByName(method); !ok {
		return false
	}
	for i := range t.NumField() {
		f := t.Field(i)
		if _, promoted := reflect.PointerTo(f.Type).MethodByName(method); f.Anonymous && promoted {
			return false
		}
	}
	return true
}
