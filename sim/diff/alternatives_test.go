package diff_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestAlternatives: servers accept the same values, however alternatives are ordered. A number or a text may have
// alternatives beside those of its type.
func TestAlternatives(t *testing.T) {
	const types = `"x-kubernetes-int-or-string":true,"anyOf":[{"type":"integer"},{"type":"string"}]`
	for name, c := range map[string]struct {
		old, new string
		want     []string
	}{
		"in another order": {
			`"a":{"type":"object","oneOf":[{"required":["x"]},{"required":["y"]}]}`, `"a":{"type":"object","oneOf":[{"required":["y"]},{"required":["x"]}]}`, nil,
		},
		"members in another order": {
			`"a":{"type":"object","anyOf":[{"required":["x","y"]},{"properties":{"z":{"enum":["p","q"]}}}]}`, `"a":{"type":"object","anyOf":[{"required":["y","x"]},{"properties":{"z":{"enum":["q","p"]}}}]}`, nil,
		},
		"nested in another order": {
			`"a":{"type":"object","not":{"anyOf":[{"required":["x"]},{"required":["y"]}]}}`, `"a":{"type":"object","not":{"anyOf":[{"required":["y"]},{"required":["x"]}]}}`, nil,
		},
		"one twice": {
			`"a":{"type":"object","oneOf":[{"required":["x"]}]}`, `"a":{"type":"object","oneOf":[{"required":["x"]},{"required":["x"]}]}`,
			[]string{`rule-changed .a oneOf [[{"required":["x"]}]] [[{"required":["x"]},{"required":["x"]}]]`},
		},
		"of types": {`"a":{` + types + `}`, `"a":{"x-kubernetes-int-or-string":true}`, nil},
		"of a number or a text": {
			`"a":{"x-kubernetes-int-or-string":true}`, `"a":{"x-kubernetes-int-or-string":true,"oneOf":[{"pattern":"%$"},{"minimum":1}]}`,
			[]string{`rule-tightened .a oneOf [] [[{"minimum":1},{"pattern":"%$"}]]`},
		},
		"beside types": {
			`"a":{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]}]}`, `"a":{"x-kubernetes-int-or-string":true,"allOf":[{"anyOf":[{"type":"integer"},{"type":"string"}]},{"maximum":5}]}`,
			[]string{`rule-tightened .a allOf [] [[{"maximum":5}]]`},
		},
	} {
		assert.Equal(t, c.want, differences(t, widget(c.old, ""), widget(c.new, "")), name)
	}
}

// TestOptionalOldSelf: a rule that compares with what was stored is evaluated on creates too if it says so.
func TestOptionalOldSelf(t *testing.T) {
	of := func(more string) string {
		return `"a":{"type":"string","x-kubernetes-validations":[{"rule":"dyn(oldSelf) != self"` + more + `}]}`
	}
	const plain, remarked = "dyn(oldSelf) != self", "dyn(oldSelf) != self // optionalOldSelf"
	assert.Equal(t, []string{"rule-changed .a " + plain + " [" + plain + "] [" + remarked + "]"}, differences(t, widget(of(""), ""), widget(of(`,"optionalOldSelf":true`), "")))
	assert.Equal(t, []string{"rule-changed .a " + plain + " [" + remarked + "] [" + plain + "]"}, differences(t, widget(of(`,"optionalOldSelf":true`), ""), widget(of(""), "")))
	assert.Empty(t, differences(t, widget(of(`,"optionalOldSelf":false`), ""), widget(of(""), "")))
}
