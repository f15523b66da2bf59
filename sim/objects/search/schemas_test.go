package search

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kube-openapi/pkg/validation/strfmt"
	"k8s.io/kube-openapi/pkg/validation/validate"

	"github.com/skewsim/skewsim/sim/objects"
)

// kindWith returns a kind whose only field has a schema.
func kindWith(t testing.TB, schema string) objects.Kind {
	t.Helper()
	all, err := objects.ReadDefinitions(fmt.Appendf(nil, `{"openapi":"3.0.0","info":{"title":"t","version":"v1"},"paths":{},"components":{"schemas":{"com.example.v1.Widget":{"type":"object",
		"properties":{"a":%s},"x-kubernetes-group-version-kind":[{"group":"example.com","version":"v1","kind":"Widget"}]}}}}`, schema))
	require.NoError(t, err)
	k, ok := all.Kind("example.com/v1", "Widget", nil)
	require.True(t, ok)
	return k
}

// TestEveryRule: of each schema a value is found that another validator accepts, without any server's help.
func TestEveryRule(t *testing.T) {
	for name, schema := range map[string]string{
		"email":           `{"type":"string","format":"email"}`,
		"hostname":        `{"type":"string","format":"hostname"}`,
		"mac":             `{"type":"string","format":"mac"}`,
		"uuid":            `{"type":"string","format":"uuid"}`,
		"uuid3":           `{"type":"string","format":"uuid3"}`,
		"uuid4":           `{"type":"string","format":"uuid4"}`,
		"uuid5":           `{"type":"string","format":"uuid5"}`,
		"hexcolor":        `{"type":"string","format":"hexcolor"}`,
		"rgbcolor":        `{"type":"string","format":"rgbcolor"}`,
		"isbn":            `{"type":"string","format":"isbn"}`,
		"isbn10":          `{"type":"string","format":"isbn10"}`,
		"isbn13":          `{"type":"string","format":"isbn13"}`,
		"creditcard":      `{"type":"string","format":"creditcard"}`,
		"ssn":             `{"type":"string","format":"ssn"}`,
		"bsonobjectid":    `{"type":"string","format":"bsonobjectid"}`,
		"datetime":        `{"type":"string","format":"datetime"}`,
		"date-time":       `{"type":"string","format":"date-time"}`,
		"date":            `{"type":"string","format":"date"}`,
		"byte":            `{"type":"string","format":"byte"}`,
		"duration":        `{"type":"string","format":"duration"}`,
		"cidr":            `{"type":"string","format":"cidr"}`,
		"ipv4":            `{"type":"string","format":"ipv4"}`,
		"ipv6":            `{"type":"string","format":"ipv6"}`,
		"uri":             `{"type":"string","format":"uri"}`,
		"uri and pattern": `{"type":"string","format":"uri","pattern":"^https?://[a-z.]+:[0-9]+$"}`,
		"byte of length":  `{"type":"string","format":"byte","minLength":8,"maxLength":16}`,
		"pattern":         `{"type":"string","pattern":"^\\p{Lu}\\p{Greek}{2}$"}`,
		"a fraction":      `{"type":"number","minimum":0.1,"maximum":0.9}`,
		"between":         `{"type":"number","minimum":0,"maximum":1,"exclusiveMinimum":true,"exclusiveMaximum":true}`,
		"fraction of":     `{"type":"number","minimum":0.1,"maximum":0.6,"multipleOf":0.25}`,
		"multiple":        `{"type":"integer","minimum":1,"multipleOf":1024}`,
		"multiple above":  `{"type":"integer","minimum":5,"maximum":15,"multipleOf":7}`,
		"large":           `{"type":"integer","format":"int64","minimum":4611686018427387904}`,
		"small":           `{"type":"integer","format":"int64","maximum":-4611686018427387904}`,
		"many entries":    `{"type":"object","additionalProperties":{"type":"string"},"minProperties":5}`,
		"entries":         `{"type":"object","additionalProperties":{"type":"object","properties":{"x":{"type":"string"}}},"minProperties":4}`,
		"many elements":   `{"type":"array","items":{"type":"string"},"minItems":15,"x-kubernetes-list-type":"set"}`,
		"many keys":       `{"type":"array","items":{"type":"object","properties":{"k":{"type":"string"}},"required":["k"]},"minItems":15,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"]}`,
		"one allOf":       `{"type":"string","allOf":[{"maxLength":3}]}`,
		"one of allOf":    `{"type":"integer","allOf":[{"minimum":1}]}`,
		"lists of lists":  `{"type":"array","minItems":1,"items":{"type":"array","minItems":2,"items":{"type":"integer"}}}`,
		"enum of numbers": `{"type":"integer","enum":[7,9]}`,
		"fractions":       `{"type":"number","enum":[0.5,1.5]}`,
	} {
		k := kindWith(t, schema)
		s, ok := New(Request{Kind: k, Path: ".a"})
		if !assert.True(t, ok, name) {
			continue
		}
		var of spec.Schema
		require.NoError(t, json.Unmarshal([]byte(schema), &of))
		validator, found := validate.NewSchemaValidator(&of, nil, "", strfmt.Default), false
		for more := true; more && !found; more = s.Repair(nil) {
			v, has := s.Object()["a"]
			found = has && validator.Validate(v).IsValid()
		}
		assert.True(t, found, name)
	}
}

// selves returns properties that hold the kind itself.
func selves(names string) string {
	var all []string
	for _, name := range names {
		all = append(all, fmt.Sprintf(`"%c":{"$ref":"#/components/schemas/com.example.v1.Widget"}`, name))
	}
	return strings.Join(all, ",")
}

// TestHostileSchemas: what no object can hold is no value, and takes no time.
func TestHostileSchemas(t *testing.T) {
	for name, schema := range map[string]string{
		"elements":      `{"type":"array","items":{"type":"string"},"minItems":2000000000}`,
		"set":           `{"type":"array","items":{"type":"string"},"minItems":60000,"x-kubernetes-list-type":"set"}`,
		"entries":       `{"type":"object","additionalProperties":{"type":"string"},"minProperties":2000000000}`,
		"characters":    `{"type":"string","minLength":9223372036854775807}`,
		"characters of": `{"type":"string","minLength":9000000000000000000,"pattern":"^a+$"}`,
		"nested":        `{"type":"array","minItems":1000,"items":{"type":"array","minItems":1000,"items":{"type":"array","minItems":1000,"items":{"type":"string"}}}}`,
		"negative":      `{"type":"object","additionalProperties":{"type":"string"},"minProperties":-1,"maxProperties":-1}`,
		"few":           `{"type":"string","maxLength":-1}`,
		"no multiple":   `{"type":"integer","multipleOf":1e300,"minimum":1}`,
		"no bounds":     `{"type":"integer","minimum":1e300,"exclusiveMinimum":true,"maximum":-1e300}`,
		"each other":    `{"type":"string"},` + selves("pqrstuvw") + `},"required":["p","q","r","s","t","u","v","w"],"x-empty":{`,
	} {
		began := time.Now()
		k := kindWith(t, schema)
		assert.NotPanics(t, func() {
			if s, ok := New(Request{Kind: k, Path: ".a"}); ok {
				for range 5 {
					s.Repair(nil)
				}
			}
			for number := range 20 {
				objects.New(objects.Request{Kind: k, Number: number, Targets: []string{".a"}})
			}
		}, name)
		assert.Less(t, time.Since(began), 30*time.Second, name)
	}
}
