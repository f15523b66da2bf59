package oracletest

import (
	"encoding/json"
	"maps"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/schema"
)

// LampPath is the place of a union in the schema of the widget, for Publish.
const LampPath = `spec.properties.lamp`

// Integer is the schema of an integer, with a default if it is not nil.
func Integer(fallback any) Object {
	of := Scalar("integer")
	if fallback != nil {
		of["default"] = fallback
	}
	return of
}

const reference = "#/components/schemas/"

func ref(name string) Object { return Object{"$ref": reference + name} }

// Scalar is the schema of a scalar.
func Scalar(kind string) Object { return Object{"type": kind} }

// Struct is the schema of an object with fields.
func Struct(fields Object) Object { return Object{"type": "object", "properties": fields} }

// Gated is the schema of an integer that needs a feature gate.
func Gated(gate string) Object {
	return Object{"type": "integer", "description": "This is an alpha field and requires enabling the " + gate + " feature gate."}
}

// Map is the schema of a map.
func Map(of Object) Object { return Object{"type": "object", "additionalProperties": of} }

// List is the schema of a list of a kind: atomic, set or map, with its keys.
func List(kind string, of Object, keys ...any) Object {
	list := Object{"type": "array", "items": of, "x-kubernetes-list-type": kind}
	if len(keys) > 0 {
		list["x-kubernetes-list-map-keys"] = keys
	}
	return list
}

// WidgetSpec is the schema of the widget's .spec in a release. The new release adds .spec.shine
// with a struct below it, .spec.finish.gloss to a struct that both publish, and nothing else. Of
// the fields that both publish, .spec.lustre needs a gate, .spec.grain has a default, and so has the struct .spec.trim.
func WidgetSpec(role term.Role) Object {
	finish := Object{"tone": Scalar("string")}
	fields := Object{
		"size":   ref("io.k8s.apimachinery.pkg.api.resource.Quantity"),
		"since":  ref("io.k8s.apimachinery.pkg.apis.meta.v1.Time"),
		"colour": Scalar("string"),
		"parts":  List("map", Struct(Object{"name": Scalar("string"), "count": Scalar("integer")}), "name"),
		"tags":   List("set", Scalar("string")),
		"args":   List("atomic", Scalar("string")),
		"steps":  List("atomic", Struct(Object{"name": Scalar("string"), "count": Scalar("integer")})),
		"notes":  Map(Scalar("string")),
		"finish": Struct(finish),
		"lustre": Gated("Lustre"),
		"grain":  Object{"type": "string", "default": "fine"},
		"either": Object{"x-kubernetes-int-or-string": true},
		"raw":    Object{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
	}
	trim := Struct(Object{"edge": Scalar("string"), "seam": Scalar("string")})
	trim["default"] = Object{"edge": "plain"}
	fields["trim"] = trim
	if role == term.New {
		finish["gloss"] = Scalar("integer")
		fields["shine"] = Struct(Object{
			"level": Scalar("integer"),
			"hue":   Struct(Object{"base": Scalar("string")}),
		})
	}
	return Struct(fields)
}

// Metadata is the schema of .metadata.
func Metadata() Object {
	fields := Object{
		"labels": Map(Scalar("string")), "annotations": Map(Scalar("string")),
		"finalizers":    List("set", Scalar("string")),
		"managedFields": List("atomic", Map(Scalar("string"))),
		"generation":    Scalar("integer"),
	}
	for _, name := range []string{"name", "namespace", "uid", "resourceVersion"} {
		fields[name] = Scalar("string")
	}
	return Struct(fields)
}

// Kind is the schema of a kind with these parts.
func Kind(group, version, kind string, parts Object) Object {
	fields := Object{"apiVersion": Scalar("string"), "kind": Scalar("string"), "metadata": ref("Meta")}
	for name, part := range parts {
		fields[name] = part
	}
	definition := Struct(fields)
	definition["x-kubernetes-group-version-kind"] = []any{Object{"group": group, "version": version, "kind": kind}}
	return definition
}

// Definitions are the schemas that a release publishes.
func Definitions(role term.Role) Object {
	conditions := List("map", Struct(Object{
		"type": Scalar("string"), "status": Scalar("string"), "reason": Scalar("string"),
		"message": Scalar("string"), "lastTransitionTime": Scalar("string"),
	}), "type")
	return Object{
		"Meta": Metadata(),
		"io.k8s.apimachinery.pkg.api.resource.Quantity": Scalar("string"),
		"io.k8s.apimachinery.pkg.apis.meta.v1.Time":     Scalar("string"),
		"dev.example.v1.Widget": Kind("example.dev", "v1", "Widget", Object{
			"spec": WidgetSpec(role), "status": Struct(Object{"conditions": conditions})}),
		"dev.example.v1.Gadget": Kind("example.dev", "v1", "Gadget", Object{"spec": Struct(Object{"size": Scalar("string")})}),
		"core.v1.Secret":        Kind("", "v1", "Secret", Object{"data": Map(Scalar("string"))}),
	}
}

// schemas returns the schemas of both releases.
func schemas(t testing.TB) oracle.Schemas {
	t.Helper()
	parseSchemas.Do(func() {
		for _, role := range []term.Role{term.Old, term.New} {
			parsedSchemas[role] = Schema(t, Document(t, Definitions(role)))
		}
	})
	return maps.Clone(parsedSchemas)
}

// parsedSchemas are the schemas of every run. They are parsed once: nothing writes to them.
var (
	parseSchemas  sync.Once
	parsedSchemas = oracle.Schemas{}
)

// Document is the OpenAPI document with these schemas.
func Document(t testing.TB, definitions Object) Object {
	t.Helper()
	return Clone(t, Object{"openapi": "3.0.0", "info": Object{}, "paths": Object{}, "components": Object{"schemas": definitions}})
}

// Schema parses an OpenAPI document.
func Schema(t testing.TB, document Object) *schema.Schema {
	t.Helper()
	raw, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	s, err := schema.Parse([][]byte{raw})
	if err != nil {
		t.Fatal(err)
	}
	return s
}
