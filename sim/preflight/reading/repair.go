package reading

import (
	"context"
	"errors"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/utils/net"

	"github.com/skewsim/skewsim/servers/template"
	"github.com/skewsim/skewsim/sim/client"
)

// maxRepairs is how many fields around the named one are tried.
const maxRepairs = 3

// A Fix is what makes a server accept an object whose writes it refuses because of fields.
type Fix struct {
	Field string // as the server spells it, with what is to be done to it; "": no fix is known
	// Canonical reports that the field gets the canonical form of its value; else it is removed.
	Canonical bool
	// Anew reports that no update is accepted, and a new object with these contents is.
	Anew bool
}

// Repair returns what makes a server accept an object whose writes it refuses because of fields, as the
// server spells them: their values in canonical form; or without the first one, or the one around it.
// It sends dry runs alone.
func Repair(ctx context.Context, conn *client.Connection, forms Forms, r Record, fields []string) (Fix, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	if !served || len(fields) == 0 {
		return Fix{}, nil
	}
	o, err := read(ctx, conn, &r, form)
	if err != nil || o.body == nil {
		return Fix{}, err
	}
	if fix, err := o.canonical(ctx, conn, fields); err != nil || fix.Field != "" {
		return fix, err
	}
	at := elements(fields[0])
	for range maxRepairs {
		if len(at) < 2 {
			break
		}
		if fix, err := o.removed(ctx, conn, at, false); err != nil || fix.Field != "" {
			return fix, err
		}
		at = at[:len(at)-1]
	}
	return o.removed(ctx, conn, elements(fields[0]), true)
}

// removed tries the object without a field, as an update or as a new object. An update that leaves the object
// as it is fixes nothing: the server ignores the field there.
func (o object) removed(ctx context.Context, conn *client.Connection, at []string, anew bool) (Fix, error) {
	body, field := runtime.DeepCopyJSON(o.body), "."+strings.ReplaceAll(strings.Join(at, "."), ".[", "[")
	if anew && !o.Form.hasAnew(field) {
		return Fix{}, nil
	}
	if _, removed := without(body, at); !removed {
		return Fix{}, ctx.Err()
	}
	method, place := http.MethodPut, o.updates(field)
	if anew {
		method, place, body = http.MethodPost, o.Form.collection(o.Namespace), renamed(body)
	}
	made, _, err := dryRun(ctx, conn, method, place, body)
	if err != nil || made == nil || !anew && alike(made, o.body) {
		return Fix{}, err
	}
	return Fix{Field: field, Anew: anew}, nil
}

// updates returns where an update of a field is sent: a server ignores the status in an update of the object.
func (o object) updates(field string) string {
	at := o.Form.object(o.Namespace, o.Name)
	if o.Form.InStatus(field) {
		at += "/" + string(Status)
	}
	return at
}

// hasAnew reports whether a new object can have a field as the stored one has it: servers give it a status and
// most of the metadata, its name included, anew.
func (f Form) hasAnew(field string) bool {
	const metadata = ".metadata"
	kept := strings.HasPrefix(field, metadata+".labels") || strings.HasPrefix(field, metadata+".annotations")
	return !f.InStatus(field) && (kept || field != metadata && !strings.HasPrefix(field, metadata+"."))
}

// alike reports whether two answers show the same object, whoever manages its fields.
func alike(a, b map[string]any) bool {
	a, b = runtime.DeepCopyJSON(a), runtime.DeepCopyJSON(b)
	for _, object := range []map[string]any{a, b} {
		unstructured.RemoveNestedField(object, "metadata", "managedFields")
	}
	return reflect.DeepEqual(a, b)
}

// canonical tries the object with the values of fields in canonical form, as an update and as a new object.
func (o object) canonical(ctx context.Context, conn *client.Connection, fields []string) (Fix, error) {
	body, changed := runtime.DeepCopyJSON(o.body), false
	for _, field := range fields {
		_, is := replaced(body, elements(field))
		changed = changed || is
	}
	if !changed {
		return Fix{}, nil
	}
	f := Fix{Field: "." + strings.TrimPrefix(fields[0], "."), Canonical: true}
	made, _, err := dryRun(ctx, conn, http.MethodPut, o.updates(f.Field), body)
	if err != nil || made != nil && !alike(made, o.body) {
		return f, err
	}
	if !o.Form.hasAnew(f.Field) {
		return Fix{}, nil
	}
	f.Anew = true
	if made, _, err = dryRun(ctx, conn, http.MethodPost, o.Form.collection(o.Namespace), renamed(body)); err != nil || made != nil {
		return f, err
	}
	return Fix{}, nil
}

// renamed returns a new object with the contents of another one.
func renamed(body map[string]any) map[string]any {
	template.Anew(body)
	metadata, _ := body["metadata"].(map[string]any)
	body["metadata"] = map[string]any{"name": manager, "labels": metadata["labels"], "annotations": metadata["annotations"]}
	return body
}

// replaced returns a value with the canonical form of what is at a path; false if that is canonical, or
// no address.
func replaced(node any, at []string) (any, bool) {
	if len(at) == 0 {
		text, _ := node.(string)
		form := canonical(text)
		return form, form != "" && form != text
	}
	name := strings.Trim(at[0], "[]")
	switch n := node.(type) {
	case map[string]any:
		changed, is := replaced(n[name], at[1:])
		if is {
			n[name] = changed
		}
		return n, is
	case []any:
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(n) {
			return n, false
		}
		changed, is := replaced(n[i], at[1:])
		if is {
			n[i] = changed
		}
		return n, is
	}
	return node, false
}

// canonical returns the canonical form of an IP address or a CIDR, by the rules by which servers read those
// that are stored; "" for anything else.
func canonical(text string) string {
	if ip := net.ParseIPSloppy(text); ip != nil {
		return ip.String()
	}
	if _, network, err := net.ParseCIDRSloppy(text); err == nil {
		return network.String()
	}
	return ""
}

// Without returns what a server makes of an object without what is at a path, whose lists have no keys; nil
// if the server refuses it. It sends a dry run.
func Without(ctx context.Context, conn *client.Connection, forms Forms, r Record, path string) (map[string]any, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	o, err := parsed(&r, form)
	if err != nil || !served {
		return nil, err
	}
	without(o.body, elements(path))
	answer, _, err := dryRun(ctx, conn, http.MethodPut, o.updates(path), o.body)
	return answer, err
}

// InStatus reports whether a field is one that only a write of the status sets.
func (f Form) InStatus(path string) bool {
	own := "." + string(Status)
	return (path == own || strings.HasPrefix(path, own+".")) && slices.Contains(f.Subresources, string(Status))
}

// Anew returns what a server makes of a new object with the contents of another one, and what it answers.
// It sends a dry run.
func Anew(ctx context.Context, conn *client.Connection, forms Forms, r Record) (map[string]any, Try, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	o, err := parsed(&r, form)
	if err != nil || !served || form.APIVersion != r.Form {
		return nil, Try{}, err
	}
	return dryRun(ctx, conn, http.MethodPost, form.collection(r.Namespace), renamed(o.body))
}

// parsed returns the object of a record.
func parsed(r *Record, form Form) (object, error) {
	o := object{Record: r, Form: form, shown: r.Object}
	return o, utiljson.Unmarshal(r.Object, &o.body)
}

// dryRun sends an object as a dry run, and returns what the server makes of it; nil if it refuses it.
func dryRun(ctx context.Context, conn *client.Connection, method, at string, body map[string]any) (made map[string]any, t Try, err error) {
	request := send(method, at, client.JSONContent, body)
	request.Query["dryRun"], request.UserAgent = "All", manager
	a := conn.Do(ctx, request)
	if t = Answered(Put, a); a.Succeeded() {
		err = utiljson.Unmarshal(a.Body, &made)
	}
	return made, t, errors.Join(err, ctx.Err())
}

var element = regexp.MustCompile(`\[[^\]]*\]|[^.\[\]]+`)

// elements returns the elements of a field as servers spell it: spec.hosts[0].ip.
func elements(field string) []string { return element.FindAllString(field, -1) }

// without returns a value without what is at a path; false if there is nothing.
func without(node any, at []string) (any, bool) {
	if len(at) == 0 {
		return node, false
	}
	name := strings.Trim(at[0], "[]")
	switch n := node.(type) {
	case map[string]any:
		child, has := n[name]
		if !has {
			return n, false
		}
		if len(at) == 1 {
			delete(n, name)
			return n, true
		}
		changed, removed := without(child, at[1:])
		n[name] = changed
		return n, removed
	case []any:
		if name == "" {
			return withoutAny(n, at)
		}
		i, err := strconv.Atoi(name)
		if err != nil || i < 0 || i >= len(n) {
			return n, false
		}
		if len(at) == 1 {
			return append(n[:i:i], n[i+1:]...), true
		}
		changed, removed := without(n[i], at[1:])
		n[i] = changed
		return n, removed
	}
	return node, false
}

// withoutAny returns a list without what is at a path of each element.
func withoutAny(list []any, at []string) (any, bool) {
	if len(at) == 1 {
		return []any{}, len(list) > 0
	}
	found := false
	for i := range list {
		changed, removed := without(list[i], at[1:])
		list[i], found = changed, found || removed
	}
	return list, found
}
