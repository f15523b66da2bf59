package result

import (
	"bytes"
	"flag"
	"os"
	"reflect"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestJSONSchema holds the schemas in docs/: field names are a contract.
func TestJSONSchema(t *testing.T) {
	for file, make := range map[string]func() ([]byte, error){
		"../../docs/result.schema.json": JSONSchema, "../../docs/merged.schema.json": MergedJSONSchema,
	} {
		got, err := make()
		if err != nil {
			t.Fatal(err)
		}
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the types say: if the change is meant, run make update and raise its version when a field went or changed", file)
		}
	}
}

// TestEveryClosedListIsAnEnumeration walks the types of a result: a string
// type of package term without an enumeration would let any word through.
func TestEveryClosedListIsAnEnumeration(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(reflect.Type)
	walk = func(at reflect.Type) {
		if seen[at] {
			return
		}
		seen[at] = true
		switch at.Kind() {
		case reflect.Struct:
			for i := range at.NumField() {
				walk(at.Field(i).Type)
			}
		case reflect.Slice, reflect.Map, reflect.Pointer:
			walk(at.Elem())
		case reflect.String:
			if at.PkgPath() == reflect.TypeFor[term.Verb]().PkgPath() && closedWords(at) == nil {
				t.Errorf("%s has no enumeration", at)
			}
		}
	}
	walk(reflect.TypeFor[Result]())
	walk(reflect.TypeFor[Merged]())
	if len(seen) < 20 {
		t.Errorf("only %d types walked", len(seen))
	}
}
