package object

import (
	"reflect"
	"strings"
)

// Tombstone is what is left of a field that is gone: what bytes that are stored
// still call it. Neither may be given to another field. A struct says so by
// embedding an empty struct with a method Tombstone; codecs and clients see
// nothing of it.
type Tombstone struct {
	Name string // in JSON
	Tag  int    // in protobuf
	// Note tells users where the field has gone. It is published with the
	// description of the struct that the field was in. Default: nothing is.
	Note string
}

// Tombstones lists those of a struct, and of the structs that it embeds.
func Tombstones(t reflect.Type) (all []Tombstone) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	if marked, ok := reflect.Zero(t).Interface().(interface{ Tombstone() Tombstone }); ok && t.NumField() == 0 {
		return []Tombstone{marked.Tombstone()}
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.Anonymous {
			all = append(all, Tombstones(f.Type)...)
		}
	}
	return all
}

// notes are what a struct's tombstones tell users.
func notes(t reflect.Type) string {
	var all []string
	for _, stone := range Tombstones(t) {
		if stone.Note != "" {
			all = append(all, stone.Note)
		}
	}
	return strings.Join(all, " ")
}
