package crd

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// definition validates a definition as an API server does on create, with the rules of the
// release of this program's libraries.
func (r *reader) definition(file string, n *yaml.Node, body map[string]any) {
	delete(body, "status") // generators leave one; a server ignores it
	name := nameOf(body)
	if name == "" {
		r.add(file, n.Line, "metadata.name", "missing: a definition is named PLURAL.GROUP")
		return
	}
	if err := r.patch(definitionKind, name, body); err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	webhook := fillWebhook(body)
	raw, err := json.Marshal(body)
	if err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	var d apiextensionsv1.CustomResourceDefinition
	unknown, err := kjson.UnmarshalStrict(raw, &d)
	if err != nil {
		r.add(file, n.Line, "", "not a CustomResourceDefinition: %v", err)
		return
	}
	for _, e := range unknown {
		at := fieldIn(e.Error())
		r.add(file, strict.Line(n, at), at, "no such field in a CustomResourceDefinition")
	}
	problems := invalid(d)
	for _, e := range problems {
		at := perVersion(n, e.Field)
		r.add(file, strict.Line(n, at), at, "%s", e.ErrorBody())
	}
	if len(unknown)+len(problems) > 0 {
		return
	}
	found := Definition{Name: name, JSON: raw, Webhook: webhook, Group: d.Spec.Group, Kind: d.Spec.Names.Kind, place: fmt.Sprintf("%s\n%d", file, n.Line)}
	for _, v := range d.Spec.Versions {
		found.Versions = append(found.Versions, v.Name)
	}
	for _, f := range []fixed{{at: "spec.scope", value: string(d.Spec.Scope)}, {at: kindField, value: d.Spec.Names.Kind}} {
		f.line = strict.Line(n, f.at)
		found.fixed = append(found.fixed, f)
	}
	r.set.Definitions = append(r.set.Definitions, found)
}

func nameOf(body map[string]any) string {
	meta, _ := body["metadata"].(map[string]any)
	name, _ := meta["name"].(string)
	return name
}

// placeholder is the webhook's address until the webhook runs.
const placeholder = "https://127.0.0.1/convert"

// fillWebhook sets the address of our webhook in a definition that is converted by a webhook,
// and reports whether it is. The real address is filled in when the definition is applied.
func fillWebhook(body map[string]any) bool {
	spec, _ := body["spec"].(map[string]any)
	conversion, _ := spec["conversion"].(map[string]any)
	if conversion["strategy"] != "Webhook" {
		return false
	}
	webhook, _ := conversion["webhook"].(map[string]any)
	if webhook == nil {
		webhook = map[string]any{}
	}
	webhook["clientConfig"] = map[string]any{"url": placeholder}
	if webhook["conversionReviewVersions"] == nil {
		webhook["conversionReviewVersions"] = []any{"v1"}
	}
	conversion["webhook"] = webhook
	return true
}

// invalid returns the errors with which a create would be refused.
func invalid(d apiextensionsv1.CustomResourceDefinition) (all field.ErrorList) {
	defer func() {
		if p := recover(); p != nil { // third-party code on user input
			all = field.ErrorList{field.InternalError(nil, fmt.Errorf("%v", p))}
		}
	}()
	apiextensionsv1.SetDefaults_CustomResourceDefinition(&d)
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&d.Spec)
	for _, v := range d.Spec.Versions {
		if v.Storage {
			d.Status.StoredVersions = append(d.Status.StoredVersions, v.Name)
		}
	}
	if d.Spec.Conversion != nil && d.Spec.Conversion.Webhook != nil && d.Spec.Conversion.Webhook.ClientConfig != nil &&
		d.Spec.Conversion.Webhook.ClientConfig.Service != nil {
		apiextensionsv1.SetDefaults_ServiceReference(d.Spec.Conversion.Webhook.ClientConfig.Service)
	}
	var internal apiextensions.CustomResourceDefinition
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(&d, &internal, nil); err != nil {
		return field.ErrorList{field.InternalError(nil, err)}
	}
	all = validation.ValidateCustomResourceDefinition(context.Background(), &internal)
	return slices.DeleteFunc(all, func(e *field.Error) bool { return strings.HasPrefix(e.Field, "status") })
}

// perVersion returns the path of a field in a v1 document. The internal form has fields that
// all versions share once, above the versions, and errors use its paths.
func perVersion(n *yaml.Node, at string) string {
	for _, name := range []string{"validation", "subresources", "additionalPrinterColumns", "selectableFields"} {
		rest, is := strings.CutPrefix(at, "spec."+name)
		if !is || rest != "" && !strings.ContainsAny(rest[:1], ".[") || child(child(n, "spec"), name) != nil {
			continue
		}
		if name == "validation" {
			name = "schema"
		}
		return "spec.versions[0]." + name + rest
	}
	return at
}

// fieldIn returns the path in an error such as: unknown field "spec.versions[0].serve".
func fieldIn(text string) string {
	if m := regexp.MustCompile(`"([^"]*)"`).FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return text
}

// number returns -1 for text that is not a number.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
