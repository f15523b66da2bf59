package plan_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
)

// setTexts sets every text that a value has, and makes one element of each list, map and pointer.
func setTexts(v reflect.Value, text string, depth int) {
	if depth == 0 {
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		setTexts(v.Elem(), text, depth-1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			setTexts(v.Index(i), text, depth-1)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		setTexts(key, text, depth-1)
		setTexts(value, text, depth-1)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				setTexts(v.Field(i), text, depth-1)
			}
		}
	}
}

// TestHostileTexts: whatever text a stranger's scenario sets, the plan has as many lines as with a harmless
// one, and no character that a terminal interprets.
func TestHostileTexts(t *testing.T) {
	const maxDepth = 7
	print := func(text string) string {
		var p plan.Plan
		setTexts(reflect.ValueOf(&p).Elem(), text, maxDepth)
		for i := range p.Stages { // the words of a closed list stay: a scenario cannot set others
			for j := range p.Stages[i].Steps {
				p.Stages[i].Steps[j].Action, p.Stages[i].Steps[j].Verb = plan.Operate, term.Put
			}
		}
		return p.String()
	}
	hostile := print("x\x1b[2J\n├──    1  start a at old\r\u202e\u2028\x00")
	assert.Equal(t, strings.Count(print("x"), "\n"), strings.Count(hostile, "\n"))
	assert.Equal(t, hostile, term.VisibleLines(hostile))
	assert.NotContains(t, hostile, "\n├──    1  start a at old")
}
