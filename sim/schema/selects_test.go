package schema_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestElements: which elements of a list a path can mean, and which of them is how
// values are named.
func TestElements(t *testing.T) {
	k := gadget(t)
	for text, want := range map[string]struct {
		selects, names bool
		form           string
	}{
		`.spec.ports[number=1,protocol="tcp"]`: {true, true, "[number=...,protocol=...]"},
		`.spec.ports[number=1]`:                {true, false, "[number=...,protocol=...]"},
		`.spec.ports[name="x"]`:                {true, false, "[number=...,protocol=...]"},
		`.spec.ports[numbr=1,protocol="tcp"]`:  {false, false, "[number=...,protocol=...]"},
		`.spec.ports[0]`:                       {true, true, "[number=...,protocol=...]"},
		`.spec.ports[="a"]`:                    {false, false, "[number=...,protocol=...]"},
		`.spec.tags[="a"]`:                     {true, true, "[=...]"},
		`.spec.tags[name="a"]`:                 {false, false, "[=...]"},
		`.spec.steps[0]`:                       {true, true, "[0]"},
		`.spec.steps[run="x"]`:                 {true, false, "[0]"},
		`.spec.plain[="p"]`:                    {true, false, "[0]"},
		`.spec.any.thing[name="x"]`:            {true, true, "[0]"}, // what takes anything
		`.spec.size[name="x"]`:                 {false, false, ""},
		`.spec.none[name="x"]`:                 {false, false, ""},
	} {
		p := at(t, text)
		list, e := p[:len(p)-1], p[len(p)-1]
		assert.Equal(t, want.selects, k.Selects(list, e), text)
		assert.Equal(t, want.names, k.Names(list, e), text)
		assert.Equal(t, want.form, k.ElementForm(list), text)
	}
}
