package plan_test

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// TestSignature holds, field by field, whether two steps that differ in it
// alone are the same call. A field that is new must be put where it belongs.
func TestSignature(t *testing.T) {
	same := map[string]bool{"Number": true, "Line": true, "Follows": true, "Copy": true, "Respond": true, "Adopts": true, "Read": true, "Via": true, "ReadRole": true, "ViaRole": true, "Discovers": true}
	whole := reflect.ValueOf(&plan.Step{}).Elem()
	for i := range whole.NumField() {
		name, step := whole.Type().Field(i).Name, plan.Step{Verb: term.Put}
		fill(reflect.ValueOf(&step).Elem().Field(i))
		got := step.Signature() == plan.Step{Verb: term.Put}.Signature()
		assert.Equal(t, same[name], got, "%s: the same call", name)
	}
	assert.Equal(t, plan.Step{Verb: term.Create}.Signature(), plan.Step{Verb: term.Create, Birth: true}.Signature(), "a create is a birth")
	assert.Equal(t, plan.Step{}.Signature(), plan.Step{Change: &plan.Change{}}.Signature())
}

// fill gives a field a value that is not its zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Int:
		v.SetInt(7)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		fill(v.Field(0))
	}
}
