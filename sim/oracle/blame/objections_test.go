package blame_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/oracle/blame"
)

// TestObjections says what a server saw, by its words.
func TestObjections(t *testing.T) {
	for message, c := range map[string]struct {
		reason         string
		nothing, shows bool
	}{
		`Required value: exactly one must be set`:                                 {"FieldValueRequired", true, false},
		`Invalid value: "": must specify one of: oil`:                             {"FieldValueInvalid", true, false},
		`Invalid value: {"Kind":"","Oil":null}: must be set`:                      {"FieldValueInvalid", true, false},
		`Invalid value: shop.Lamp{Kind:"", Oil:(*int)(nil)}: must be set`:         {"FieldValueInvalid", true, false},
		`Invalid value: {"Kind":"gloss","Oil":null}: must be 'matt'`:              {"FieldValueInvalid", false, true},
		`Invalid value: shop.Lamp{Kind:"gloss", Oil:(*int)(nil)}: must be 'matt'`: {"FieldValueInvalid", false, true},
		`Invalid value: "gloss": must be 'matt'`:                                  {"FieldValueInvalid", false, true},
		`Invalid value: "glossy": must be 'matt'`:                                 {"FieldValueInvalid", false, false},
		`Invalid value: "object": spec.lamp must validate one and only one`:       {"FieldValueInvalid", false, false},
		"Forbidden: may not be set for lamps without oil":                         {"FieldValueForbidden", false, true},
	} {
		o := blame.Objection{Reason: c.reason, Message: message}
		assert.Equal(t, c.nothing, o.FoundNothing(), message)
		assert.Equal(t, c.shows, o.Shows("gloss"), message)
	}
}
