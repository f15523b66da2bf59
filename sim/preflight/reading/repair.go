package reading

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/sim/client"
)

// mostRepairs is how many fields around the named one are tried.
const mostRepairs = 3

// Repair returns the field without which a server accepts an object whose writes it refuses because
// of a field: the named one, as the server spells it, or the one around it. It sends dry runs alone,
// and returns "" if none is accepted.
func Repair(ctx context.Context, conn *client.Connection, forms Forms, r Record, field string) (string, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	if !served {
		return "", nil
	}
	o, err := read(ctx, conn, &r, form)
	if err != nil || o.body == nil {
		return "", err
	}
	at := elements(field)
	for range mostRepairs {
		if len(at) < 2 {
			return "", nil
		}
		body := runtime.DeepCopyJSON(o.body)
		if _, removed := without(body, at); removed {
			made, _, err := dryRun(ctx, conn, http.MethodPut, form.object(r.Namespace, r.Name), body)
			if err != nil {
				return "", err
			}
			if made != nil {
				return "." + strings.ReplaceAll(strings.Join(at, "."), ".[", "["), nil
			}
		}
		at = at[:len(at)-1]
	}
	return "", ctx.Err()
}

// Without returns what a server makes of an object without what is at a path, whose lists have no keys; nil
// if the server refuses it. It sends a dry run.
func Without(ctx context.Context, conn *client.Connection, forms Forms, r Record, path string) (map[string]any, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	o, err := parsed(r, form)
	if err != nil || !served {
		return nil, err
	}
	without(o.body, elements(path))
	at := form.object(r.Namespace, r.Name)
	if strings.HasPrefix(path, ".status.") && slices.Contains(form.Subresources, "status") {
		at += "/status"
	}
	answer, _, err := dryRun(ctx, conn, http.MethodPut, at, o.body)
	return answer, err
}

// Anew returns what a server makes of a new object with the contents of another one, and what it answers.
// It sends a dry run.
func Anew(ctx context.Context, conn *client.Connection, forms Forms, r Record) (map[string]any, Try, error) {
	form, served := forms.Of(r.Key, r.APIVersion, r.Kind)
	o, err := parsed(r, form)
	if err != nil || !served || form.APIVersion != r.Form {
		return nil, Try{}, err
	}
	metadata, _ := o.body["metadata"].(map[string]any)
	o.body["metadata"] = map[string]any{"name": manager, "labels": metadata["labels"], "annotations": metadata["annotations"]}
	at := form.object(r.Namespace, "")
	return dryRun(ctx, conn, http.MethodPost, strings.TrimSuffix(at, "/"), o.body)
}

// parsed returns the object of a record.
func parsed(r Record, form Form) (object, error) {
	o := object{Record: &r, Form: form}
	return o, utiljson.Unmarshal(r.Object, &o.body)
}

// dryRun sends an object as a dry run, and returns what the server makes of it; nil if it refuses it.
func dryRun(ctx context.Context, conn *client.Connection, method, at string, body map[string]any) (made map[string]any, t Try, err error) {
	request := send(method, at, client.JSONContent, body)
	request.Query["dryRun"], request.UserAgent = "All", manager
	a := conn.Do(ctx, request)
	if t = answered(Put, a); a.Succeeded() {
		err = utiljson.Unmarshal(a.Body, &made)
	}
	return made, t, errors.Join(err, ctx.Err())
}

var element = regexp.MustCompile(`\[[^\]]*\]|[^.\[\]]+`)

// elements returns the elements of a field as servers spell it: spec.hosts[0].ip.
func elements(field string) []string { return element.FindAllString(field, -1) }

// without returns a value without what is at a path; false if there is nothing.
func without(node any, at []string) (any, bool) {
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
	any := false
	for i := range list {
		changed, removed := without(list[i], at[1:])
		list[i], any = changed, any || removed
	}
	return list, any
}
