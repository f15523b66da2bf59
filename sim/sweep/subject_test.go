package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestFits: an error is of a difference if it is of its field or in the words of its rule. An error of what is
// around the field is so only where one release changes by itself what is there.
func TestFits(t *testing.T) {
	const group, oneOf = `Invalid value: "object": group is immutable`, `Invalid value: "": "spec.ref" must validate one and only one schema (oneOf). Found 2 valid alternatives`
	ref := func(rule string, messages ...string) Subject {
		return Subject{Kind: term.RuleTightened, Field: ".spec.ref", Rule: rule, Messages: messages}
	}
	value := func(kind term.DifferenceKind, field string) Subject { return Subject{Kind: kind, Field: field} }
	for name, c := range map[string]struct {
		subject                Subject
		field, reason, message string
		sends                  bool
		want                   Fit
	}{
		"a rule of a member":             {Subject{Kind: term.RuleTightened, Field: ".spec.ref.name", Rule: "self != ''", Messages: []string{"name may not be empty"}}, "spec.ref", "FieldValueInvalid", group, true, NoFit},
		"a rule in its own words":        {ref("r", "group is immutable"), "spec.ref", "FieldValueInvalid", group, true, FitExact},
		"a rule that names a member":     {ref("r", "group is immutable"), "spec.ref.group", "FieldValueInvalid", group, true, FitExact},
		"a rule in another's words":      {ref("r", "at most one of a or b"), "spec.ref", "FieldValueInvalid", group, true, NoFit},
		"a rule that computes its words": {ref("r"), "spec.ref", "FieldValueInvalid", group, true, FitWithin},
		"the same, and a schema's words": {ref("r"), "spec.ref", "FieldValueInvalid", oneOf, true, NoFit},
		"alternatives":                   {ref("oneOf"), "spec.ref", "FieldValueInvalid", oneOf, true, FitExact},
		"alternatives, and a rule":       {ref("oneOf"), "spec.ref", "FieldValueInvalid", oneOf + " and more", true, FitExact},
		"other alternatives":             {ref("anyOf"), "spec.ref", "FieldValueInvalid", oneOf, true, NoFit},
		"a bound":                        {Subject{Kind: term.RuleTightened, Field: ".spec.tags", Rule: "maxItems"}, "spec.tags", "FieldValueTooMany", "Too many: 4: must have at most 2 items", true, FitExact},
		"another bound":                  {Subject{Kind: term.RuleTightened, Field: ".spec.tag", Rule: "minLength"}, "spec.tag", "FieldValueTooLong", "Too long: may not be more than 5 bytes", true, NoFit},
		"a rule of elements":             {Subject{Kind: term.RuleTightened, Field: ".spec.tags[]", Rule: "pattern"}, "spec.tags[1]", "FieldValueInvalid", "spec.tags[1] in body should match '^a'", true, FitExact},
		"a rule of entries":              {Subject{Kind: term.RuleTightened, Field: ".spec.labels[]", Rule: "maxLength"}, "spec.labels.one", "FieldValueTooLong", "Too long", true, FitExact},
		"an entry with dots":             {Subject{Kind: term.RuleTightened, Field: ".spec.labels[]", Held: `.spec.labels["a.example.com/b"]`, Rule: "maxLength"}, "spec.labels.a.example.com/b", "FieldValueTooLong", "Too long", true, FitExact},
		"below an entry":                 {Subject{Kind: term.RuleTightened, Field: ".spec.labels[]", Held: `.spec.labels["a.example.com/b"]`, Rule: "maxLength"}, "spec.labels.a.example.com/b.c", "FieldValueTooLong", "Too long", true, NoFit},
		"a rule of whole objects":        {Subject{Kind: term.RuleTightened, Rule: "r", Messages: []string{"name is too long"}}, "", "FieldValueInvalid", "Invalid value: name is too long", true, FitExact},
		"another element":                {Subject{Kind: term.TypeChanged, Field: ".spec.tags[].key", Held: ".spec.tags[0].key"}, "spec.tags[1].key", "FieldValueInvalid", "no", true, NoFit},
		"its own element":                {Subject{Kind: term.TypeChanged, Field: ".spec.tags[].key", Held: ".spec.tags[1].key"}, "spec.tags[1].key", "FieldValueInvalid", "no", true, FitWithin},
		"a required field":               {value(term.RequiredAdded, ".spec.owner"), "spec.owner", "FieldValueRequired", "Required value", true, FitExact},
		"another required field":         {value(term.RequiredAdded, ".spec.owner"), "spec.group", "FieldValueRequired", "Required value", true, NoFit},
		"a member of the value":          {value(term.ListChanged, ".spec.list"), "spec.list[0].key", "FieldValueRequired", "Required value", true, FitWithin},
		"a removed value, no change":     {value(term.FieldRemoved, ".spec.ref.b"), "spec.ref", "FieldValueInvalid", "Invalid value: pick one", false, FitAround},
		"a removed value, and a change":  {value(term.FieldRemoved, ".spec.ref.b"), "spec.ref", "FieldValueInvalid", group, true, NoFit},
		"the last member is removed":     {value(term.FieldRemoved, ".spec.ref.b"), "spec.ref", "FieldValueInvalid", oneOf, true, FitAround},
		"a rule that names the value":    {value(term.FieldRemoved, ".spec.ref.bold"), "spec.ref", "FieldValueInvalid", "Invalid value: bold or plain must be set", true, FitAround},
		"a default, no change":           {value(term.DefaultChanged, ".spec.ref.b"), "spec.ref", "FieldValueInvalid", group, false, FitAround},
		"a value of an enum, no change":  {value(term.EnumValueRemoved, ".spec.ref.b"), "spec.ref", "FieldValueInvalid", group, false, NoFit},
		"a whole kind":                   {value(term.StorageChanged, ""), "spec.any", "FieldValueInvalid", "no", false, FitWithin},
		"what no release states":         {Subject{Kind: term.RuleChanged, Field: ".spec.a", Unstated: true}, "spec.b", "FieldValueInvalid", "no", true, FitWithin},
	} {
		got := c.subject.Fits(result.StatusCause{Field: c.field, Reason: c.reason, Message: c.message}, c.sends)
		assert.Equal(t, c.want, got, name)
	}
}
