package diff_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestEnumOfTypes: a number and a text that spell the same are two values.
func TestEnumOfTypes(t *testing.T) {
	of := func(values string) string { return `"a":{"x-kubernetes-int-or-string":true,"enum":[` + values + `]}` }
	assert.Equal(t, []string{"enum-value-added .a 1 [] [1]", "enum-value-removed .a 1 [1] []"}, differences(t, widget(of(`1,"x"`), ""), widget(of(`"1","x"`), "")))
	assert.Empty(t, differences(t, widget(of(`1,"x"`), ""), widget(of(`"x",1.0`), "")))
}
