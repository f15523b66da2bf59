package object

import (
	"reflect"
	"sync"
)

// Ungroup copies the fields of one struct to the fields of the same name in another, as
// generated conversions do; both arguments are pointers. If a field is a struct without a
// counterpart, its fields are copied instead. A value and a pointer are compatible: nil is
// copied as zero, and zero as a pointer to zero. Other fields without a counterpart, or with
// incompatible types, are ignored. Nothing is shared between the two structs.
func Ungroup(from, into any) {
	ungroup(reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem())
}

// Group is the reverse of Ungroup.
func Group(from, into any) {
	group(reflect.ValueOf(from).Elem(), reflect.ValueOf(into).Elem())
}

func ungroup(from, into reflect.Value) {
	for _, field := range fieldsOf(from.Type()) {
		source := from.FieldByIndex(field.Index)
		if target := into.FieldByName(field.Name); target.IsValid() {
			fit(source, target)
		} else if source.Kind() == reflect.Struct {
			ungroup(source, into)
		}
	}
}

func group(from, into reflect.Value) {
	for _, field := range fieldsOf(into.Type()) {
		target := into.FieldByIndex(field.Index)
		if source := from.FieldByName(field.Name); source.IsValid() {
			fit(source, target)
		} else if target.Kind() == reflect.Struct {
			group(from, target)
		}
	}
}

var fields sync.Map // reflect.Type -> []reflect.StructField: reflection takes longer than what it is for

// fieldsOf returns a struct's fields, including those of embedded structs.
func fieldsOf(t reflect.Type) []reflect.StructField {
	if known, ok := fields.Load(t); ok {
		return known.([]reflect.StructField)
	}
	var all []reflect.StructField
	for _, field := range reflect.VisibleFields(t) {
		if !field.Anonymous {
			all = append(all, field)
		}
	}
	fields.Store(t, all)
	return all
}

// fit copies a value to one of a similar type.
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
		group(from, into)
	case from.Type().ConvertibleTo(into.Type()) && from.Kind() == into.Kind():
		into.Set(from.Convert(into.Type()))
	}
}

// Find returns a pointer to the struct of type t that root, a pointer to a struct, embeds or
// has as a member at any depth, or nil. It does not search lists, maps and pointers.
func Find(root any, t reflect.Type) any {
	if found := find(reflect.ValueOf(root).Elem(), t); found.IsValid() {
		return found.Addr().Interface()
	}
	return nil
}

func find(v reflect.Value, t reflect.Type) (found reflect.Value) {
	if v.Type() == t {
		return v
	}
	if v.Kind() != reflect.Struct {
		return found
	}
	for i := range v.NumField() {
		if found = find(v.Field(i), t); found.IsValid() {
			return found
		}
	}
	return found
}

// Clear sets what the pointer p points to to its zero value.
func Clear(p any) { reflect.ValueOf(p).Elem().SetZero() }
