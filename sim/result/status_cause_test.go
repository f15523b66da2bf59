package result

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestNewStatusCause: an error has the field that the server names, in the message if not beside it; an error
// of the whole object has none.
func TestNewStatusCause(t *testing.T) {
	const oneOf = ` must validate one and only one schema (oneOf). Found none valid`
	for _, c := range [][3]string{
		{"<nil>", `Invalid value: "": "spec.list[0].names[0]"` + oneOf, "spec.list[0].names[0]"},
		{"<nil>", `Invalid value: "": "spec.a" must not validate the schema (not)`, "spec.a"},
		{"<nil>", `Invalid value: "": ""` + oneOf, ""},
		{"<nil>", `Invalid value: "object": the name is too long`, ""},
		{"spec.b", `Invalid value: "": "spec.a"` + oneOf, "spec.b"},
		{"spec.b", "Required value", "spec.b"},
	} {
		assert.Equal(t, c[2], NewStatusCause(c[0], "FieldValueInvalid", c[1]).Field, c[1])
	}
}
