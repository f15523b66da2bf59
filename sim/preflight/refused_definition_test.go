package preflight

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

const definitionDocument = `{"openapi":"3.0.0","info":{"title":"t","version":"v"},"paths":{},"components":{"schemas":{
"C":{"type":"object","x-kubernetes-group-version-kind":[{"group":"apiextensions.k8s.io","version":"v1","kind":"CustomResourceDefinition"}],"properties":{
  "metadata":{"$ref":"#/components/schemas/M"},"spec":{"type":"object","properties":{"versions":{"type":"array","items":{"type":"object","properties":{
    "schema":{"type":"object","properties":{"openAPIV3Schema":{"$ref":"#/components/schemas/P"}}}}}}}}}},
"P":{"type":"object","properties":{"type":{"type":"string"},"properties":{"type":"object","additionalProperties":{"$ref":"#/components/schemas/P"}},
  "default":{},"x-kubernetes-validations":{"type":"array","items":{"type":"object","properties":{"rule":{"type":"string"},"message":{"type":"string"}}}}}},
"M":{"type":"object","properties":{"name":{"type":"string"},"annotations":{"type":"object","additionalProperties":{"type":"string"}}}}}}}`

// recordOf is a refused object and what a server said of it.
func recordOf(apiVersion, kind, object string, causes ...reading.Cause) (Seen, reading.Try) {
	t := reading.Try{Write: reading.Create, Code: 422, Causes: causes}
	for _, c := range causes {
		if t.Message != "" {
			t.Message += ", "
		}
		t.Message += c.Field + ": " + c.Message
	}
	if len(causes) > 1 {
		t.Message = "[" + t.Message + "]"
	}
	t.Message = kind + `.group "x" is invalid: ` + t.Message
	f := mask.FieldsOf(published.Release{Documents: map[string][]byte{"apiextensions.k8s.io/v1": []byte(definitionDocument)}})
	f.Define("c.io/v1", "Ok", json.RawMessage(`{"type":"object","properties":{"spec":{"type":"object","x-kubernetes-validations":[{"rule":"!has(self.k) || self.k < 10","message":"k must be 'below' ten"}],
"properties":{"k":{"type":"integer"},"c":{"type":"string","x-kubernetes-validations":[{"rule":"self.size() < 3","messageExpression":"self"}]},"a":{"type":"string","enum":["yes","longer"]},"m":{"type":"object","additionalProperties":{"type":"integer"}},
"dur":{"type":"string","x-kubernetes-validations":[{"rule":"duration(self) > duration('1s')"}]}}}}}`))
	f.Define("c.io/v1", "Other", json.RawMessage(`{"type":"object"}`))
	return Seen{Release: "v1", Fields: f, Record: &reading.Record{APIVersion: apiVersion, Form: apiVersion, Kind: kind, Object: []byte(object)}}, t
}

// TestRefusedDefinitions: what a server says of a definition that it refuses names the place in the schema, in the spelling of
// the published version, what is wrong there, and the rule.
func TestRefusedDefinitions(t *testing.T) {
	const object = `{"metadata":{"annotations":{"acme":"hunter22"}},"spec":{"versions":[{"schema":{"openAPIV3Schema":{"type":"object","required":["spec"],"properties":{
"spec":{"type":"array","x-kubernetes-validations":[{"rule":"self.nope == 'hunter22' && self.l.all(x, x.size() > 3)","message":"m"}],"properties":{"l":{"type":"strin","default":"hunter22"}}}}}}}]}}`
	const at = "spec.validation.openAPIV3Schema.properties[spec]"
	cost := reading.Cause{Field: at + ".x-kubernetes-validations[0].rule", Message: "Forbidden: estimated rule cost exceeds budget by factor of more than 100x (try simplifying the rule)"}
	whole := reading.Cause{Field: "spec.validation.openAPIV3Schema", Message: "Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget"}
	compile := reading.Cause{Field: at + ".x-kubernetes-validations[0].rule", Message: `Invalid value: {"Rule":"self.nope == 'hunter22'","Message":"m"}: compilation failed: ERROR: <input>:1:5: undefined field 'nope'` + "\n | self.nope == 'hunter22'\n | ....^\n" +
		`ERROR: <input>:1:9: found no matching overload for '_==_' applied to '(int, string)' 'hunter22' 'other'`}
	typed := reading.Cause{Field: at + ".properties[l].type", Message: `Unsupported value: "strin": supported values: "array", "boolean", "integer"`}
	value := reading.Cause{Field: at + ".properties[l].default", Message: `Invalid value: "hunter22": must be array`}
	for name, c := range map[string]struct {
		causes []reading.Cause
		path   string
		says   []string
	}{
		"cost": {[]reading.Cause{cost, whole}, ".spec.versions[].schema.openAPIV3Schema.properties[].x-kubernetes-validations[].rule", []string{
			"spec.versions[].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[].rule: Forbidden: estimated rule cost exceeds budget",
			"the rule is self.nope == … && self.l.all(x, x.size() > 3)",
		}},
		"compile": {[]reading.Cause{compile}, ".spec.versions[].schema.openAPIV3Schema.properties[].x-kubernetes-validations[].rule", []string{
			"properties[spec].x-kubernetes-validations[].rule: Invalid value: {…}: compilation failed", "undefined field 'nope'", "overload for '_==_' applied to '(int, string)' … …", "the rule is self.nope == …",
		}},
		"type":  {[]reading.Cause{typed}, ".spec.versions[].schema.openAPIV3Schema.properties[].properties[].type", []string{`openAPIV3Schema.properties[spec].properties[l].type: Unsupported value: …: supported values: "array", "boolean", "integer"`}},
		"value": {[]reading.Cause{value}, ".spec.versions[].schema.openAPIV3Schema.properties[].properties[].default", []string{"properties[spec].properties[l].default: Invalid value: …: must be array"}},
	} {
		s, try := recordOf("apiextensions.k8s.io/v1", "CustomResourceDefinition", object, c.causes...)
		f := Refusal(s, Up, try)
		assert.Equal(t, c.path, f.Path, name)
		for _, says := range c.says {
			assert.Contains(t, f.Message, says, name)
		}
		assert.NotContains(t, f.Message, "hunter22", name)
		assert.NotContains(t, f.Message, "strin\"", name)
	}
}

// TestRefusedCustomResources: what a server says of a custom resource that it refuses names the field, what its schema
// allows, and the rule with its message; values, and keys of maps, are hidden.
func TestRefusedCustomResources(t *testing.T) {
	unchecked := reading.Cause{Field: "<nil>", Message: "Invalid value: null: some validation rules were not checked because the object was invalid"}
	for name, c := range map[string]struct {
		kind, object string
		causes       []reading.Cause
		says         []string
	}{
		"enum": {"Ok", `{"spec":{"a":"hunter22"}}`, []reading.Cause{{Field: "spec.a", Message: `Unsupported value: "hunter22": supported values: "yes", "longer"`}, unchecked}, []string{
			`spec.a: Unsupported value: …: supported values: "yes", "longer"; some validation rules were not checked`,
		}},
		"a value that is listed": {"Ok", `{"spec":{"a":"hunter22","b":"longer"}}`, []reading.Cause{{Field: "spec.a", Message: `Unsupported value: "hunter22": supported values: "yes", "longer"`}, unchecked}, []string{`supported values: "yes", "longer"`}},
		"a value that no schema lists": {"Other", `{"spec":{"a":"hunter22"}}`, []reading.Cause{{Field: "spec.a", Message: `Unsupported value: "hunter21": supported values: "yes", "hunter22"`}}, []string{
			`supported values: "yes", …`,
		}},
		"type":     {"Ok", `{"spec":{"k":"hunter22"}}`, []reading.Cause{{Field: "spec.k", Message: `Invalid value: "hunter22": spec.k in body must be of type integer: "hunter22"`}, unchecked}, []string{"spec.k: Invalid value: …: spec.k in body must be of type integer: …"}},
		"map":      {"Ok", `{"spec":{"m":{"hunter22":"x"}}}`, []reading.Cause{{Field: "spec.m.hunter22", Message: `Invalid value: "string": spec.m.hunter22 in body must be of type integer: "string"`}, unchecked}, []string{"spec.m[] in body must be of type integer"}},
		"rule":     {"Ok", `{"spec":{"k":31337}}`, []reading.Cause{{Field: "spec", Message: "Invalid value: k must be 'below' ten"}}, []string{"spec: Invalid value: k must be 'below' ten", "the rule of the definition for .spec is !has(self.k) || self.k < 10"}},
		"no text":  {"Ok", `{"spec":{"dur":"hunter22"}}`, []reading.Cause{{Field: "spec.dur", Message: `Invalid value: "hunter22": failed rule: duration(self) > duration('1s')`}}, []string{"spec.dur: Invalid value: …: failed rule: duration(self) > duration(…)"}},
		"computed": {"Ok", `{"spec":{"c":"hunter22"}}`, []reading.Cause{{Field: "spec.c", Message: `Invalid value: "hunter22": hunter2 is long`}}, []string{"spec.c: Invalid value: …: …; a rule of the definition for .spec.c makes the words: self.size() < 3"}},
		"other":    {"Ok", `{"spec":{"k":31337}}`, []reading.Cause{{Field: "spec", Message: "Invalid value: hunter22"}}, []string{"spec: Invalid value: …"}},
		"policy":   {"Ok", `{}`, []reading.Cause{{Field: "spec", Message: `ValidatingAdmissionPolicy 'p' with binding 'b' denied request: Unsupported value: "a": supported values: "hunter22"`}}, nil},
		"name":     {"Ok", `{"metadata":{"name":"hunter22"}}`, []reading.Cause{{Field: "metadata.name", Message: `Invalid value: "hunter22": no`}}, []string{"metadata.name: Invalid value: …: no"}},
	} {
		s, try := recordOf("c.io/v1", c.kind, c.object, c.causes...)
		f := Refusal(s, Up, try)
		for _, says := range c.says {
			assert.Contains(t, f.Message, says, name)
		}
		for _, secret := range []string{"hunter2", "31337"} {
			assert.NotContains(t, f.Message, secret, name)
		}
	}
}

// TestBoundsOfDefinitions: a bound that does not fit its format refuses every number, and only the definition can be
// changed; a number that does not fit can be.
func TestBoundsOfDefinitions(t *testing.T) {
	form := "with format int32"
	fix := func(write reading.Write, prefix string) string {
		s, try := recordOf("c.io/v1", "Ok", `{"spec":{"k":7}}`, reading.Cause{Field: "<nil>", Message: `Invalid value: "": ` + prefix + ` value must be of type integer ` + form + ` in spec.k`})
		if try.Write = write; write == reading.Edit {
			try.Edit = &reading.FieldEdit{Pointer: "/spec/k", Was: []byte(`7`), Value: []byte(`8`)}
		}
		return Refusal(s, Up, try).Fix
	}
	for _, write := range []reading.Write{reading.Edit, reading.Create} {
		assert.Contains(t, fix(write, "Maximum boundary"), "change the definition before: its maximum")
		assert.Contains(t, fix(write, "Minimum boundary"), "its minimum")
		assert.Contains(t, fix(write, "MultipleOf"), "its multipleOf")
		assert.NotContains(t, fix(write, "Checked"), "every number")
		assert.NotContains(t, fix(write, "Maximum boundary"), "values")
	}
	assert.Contains(t, fix(reading.Create, "Maximum boundary"), "type int32,")
	form = "(default format)"
	assert.Contains(t, fix(reading.Create, "Maximum boundary"), "type integer,")
}
