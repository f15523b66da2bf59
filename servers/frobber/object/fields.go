package object

import "reflect"

// CopyFields copies the fields of one struct to those of the same name of
// another, as generated conversions do; both arguments are pointers. A value and
// a pointer to one fit together: nil is copied as zero, and zero as a pointer to
// zero. Fields without a counterpart, or whose types do not fit, are left alone.
// What is copied is not shared.
func CopyFields(from, into any) {
	copyFields(reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem())
}

func copyFields(from, into reflect.Value) {
	for _, field := range reflect.VisibleFields(into.Type()) {
		if field.Anonymous {
			continue
		}
		if source := from.FieldByName(field.Name); source.IsValid() {
			fit(source, into.FieldByIndex(field.Index))
		}
	}
}

// fit copies a value to one that may be of another, similar type.
func fit(from, into reflect.Value) {
	switch {
	case from.Type() == into.Type():
		deepCopy(from, into)
	case from.Kind() == reflect.Pointer && into.Kind() == reflect.Pointer:
		if !from.IsNil() {
			into.Set(reflect.New(into.Type().Elem()))
			fit(from.Elem(), into.Elem())
		}
	case from.Kind() == reflect.Pointer:
		if !from.IsNil() {
			fit(from.Elem(), into)
		}
	case into.Kind() == reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		fit(from, into.Elem())
	case from.Kind() == reflect.Slice && into.Kind() == reflect.Slice:
		if !from.IsNil() {
			into.Set(reflect.MakeSlice(into.Type(), from.Len(), from.Len()))
			for i := range from.Len() {
				fit(from.Index(i), into.Index(i))
			}
		}
	case from.Kind() == reflect.Struct && into.Kind() == reflect.Struct:
		copyFields(from, into)
	case from.Type().ConvertibleTo(into.Type()) && from.Kind() == into.Kind():
		into.Set(from.Convert(into.Type()))
	}
}
