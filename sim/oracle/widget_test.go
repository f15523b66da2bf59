package oracle_test

import (
	"encoding/json"
	"maps"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/schema"
)

// The kind of every story is invented. The new release adds .spec.shine with a
// struct below it, .spec.finish.gloss to a struct that both publish, and
// nothing else. Of fields that both publish, .spec.lustre needs a gate, and
// .spec.grain has a default.

type object = map[string]any

const reference = "#/components/schemas/"

func ref(name string) object { return object{"$ref": reference + name} }

func scalarOf(kind string) object { return object{"type": kind} }

func structOf(fields object) object { return object{"type": "object", "properties": fields} }

func gatedBy(gate string) object {
	return object{"type": "integer", "description": "This is an alpha field and requires enabling the " + gate + " feature gate."}
}

func mapOf(of object) object { return object{"type": "object", "additionalProperties": of} }

func listOf(kind string, of object, keys ...any) object {
	list := object{"type": "array", "items": of, "x-kubernetes-list-type": kind}
	if len(keys) > 0 {
		list["x-kubernetes-list-map-keys"] = keys
	}
	return list
}

// widgetSpec is what a release publishes of .spec.
func widgetSpec(role term.Role) object {
	finish := object{"tone": scalarOf("string")}
	fields := object{
		"size":   ref("io.k8s.apimachinery.pkg.api.resource.Quantity"),
		"since":  ref("io.k8s.apimachinery.pkg.apis.meta.v1.Time"),
		"colour": scalarOf("string"),
		"parts":  listOf("map", structOf(object{"name": scalarOf("string"), "count": scalarOf("integer")}), "name"),
		"tags":   listOf("set", scalarOf("string")),
		"args":   listOf("atomic", scalarOf("string")),
		"notes":  mapOf(scalarOf("string")),
		"finish": structOf(finish),
		"lustre": gatedBy("Lustre"),
		"grain":  object{"type": "string", "default": "fine"},
		"either": object{"x-kubernetes-int-or-string": true},
		"raw":    object{"type": "object"},
	}
	if role == term.New {
		finish["gloss"] = scalarOf("integer")
		fields["shine"] = structOf(object{
			"level": scalarOf("integer"),
			"hue":   structOf(object{"base": scalarOf("string")}),
		})
	}
	return structOf(fields)
}

func metadata() object {
	fields := object{
		"labels": mapOf(scalarOf("string")), "annotations": mapOf(scalarOf("string")),
		"finalizers":    listOf("set", scalarOf("string")),
		"managedFields": listOf("atomic", mapOf(scalarOf("string"))),
		"generation":    scalarOf("integer"),
	}
	for _, name := range []string{"name", "namespace", "uid", "resourceVersion"} {
		fields[name] = scalarOf("string")
	}
	return structOf(fields)
}

func kindOf(group, version, kind string, parts object) object {
	fields := object{"apiVersion": scalarOf("string"), "kind": scalarOf("string"), "metadata": ref("Meta")}
	for name, part := range parts {
		fields[name] = part
	}
	definition := structOf(fields)
	definition["x-kubernetes-group-version-kind"] = []any{object{"group": group, "version": version, "kind": kind}}
	return definition
}

// published is what a release says of its kinds, as its server would.
func published(role term.Role) object {
	conditions := listOf("map", structOf(object{
		"type": scalarOf("string"), "status": scalarOf("string"), "reason": scalarOf("string"),
		"message": scalarOf("string"), "lastTransitionTime": scalarOf("string"),
	}), "type")
	return object{
		"Meta": metadata(),
		"io.k8s.apimachinery.pkg.api.resource.Quantity": scalarOf("string"),
		"io.k8s.apimachinery.pkg.apis.meta.v1.Time":     scalarOf("string"),
		"dev.example.v1.Widget": kindOf("example.dev", "v1", "Widget", object{
			"spec": widgetSpec(role), "status": structOf(object{"conditions": conditions})}),
		"dev.example.v1.Gadget": kindOf("example.dev", "v1", "Gadget", object{"spec": structOf(object{"size": scalarOf("string")})}),
		"core.v1.Secret":        kindOf("", "v1", "Secret", object{"data": mapOf(scalarOf("string"))}),
	}
}

func schemasOf(t testing.TB) oracle.Schemas {
	t.Helper()
	tellSchemas.Do(func() {
		for _, role := range []term.Role{term.Old, term.New} {
			toldSchemas[role] = schemaOf(t, documentOf(t, published(role)))
		}
	})
	return maps.Clone(toldSchemas)
}

// toldSchemas are those of every story. They are parsed once: nothing writes to them.
var (
	tellSchemas sync.Once
	toldSchemas = oracle.Schemas{}
)

// documentOf is what a release's server would answer, with these definitions.
func documentOf(t testing.TB, definitions object) object {
	t.Helper()
	return clone(t, object{"openapi": "3.0.0", "info": object{}, "paths": object{}, "components": object{"schemas": definitions}})
}

func schemaOf(t testing.TB, document object) *schema.Schema {
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

// parse reads the JSON that stories are written in.
func parse(t testing.TB, text string) object {
	t.Helper()
	var o object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return o
}

// newPart lets the new release publish .spec.parts[].weight as well.
func (s *story) newPart() {
	document := documentOf(s.t, published(term.New))
	at := parsePath(s.t, `.components.schemas["dev.example.v1.Widget"].properties.spec.properties.parts.items.properties.weight`)
	if err := path.Set(document, at, scalarOf("integer")); err != nil {
		s.t.Fatal(err)
	}
	s.schemas[term.New] = schemaOf(s.t, document)
}
