package reading

import (
	"context"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"

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
			request := send(http.MethodPut, form.object(r.Namespace, r.Name), client.JSONContent, body)
			request.Query["dryRun"], request.UserAgent = "All", manager
			if a := conn.Do(ctx, request); a.Succeeded() {
				return "." + strings.ReplaceAll(strings.Join(at, "."), ".[", "["), nil
			}
		}
		at = at[:len(at)-1]
	}
	return "", ctx.Err()
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
