package cluster

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/strict"
)

// maxLists bounds how deep lists nest in lists.
const maxLists = 5

// document reads a document that is an object, a list, or neither.
func (r *reader) document(d document, body json.RawMessage) { r.item(d, "", body, 0) }

// item reads an object; at says where in a document it is.
func (r *reader) item(d document, at string, body json.RawMessage, depth int) {
	where := d.String() + at
	h, err := ReadHeader(body)
	if err != nil {
		r.coverage.Skip(where, "is not a Kubernetes object: %v", err)
		return
	}
	if items, is := itemsOf(h, body); is {
		r.items(d, at, h, items, depth)
		return
	}
	if why := notForServers(h); why != "" {
		r.coverage.Skip(where, "%s", why)
		return
	}
	if why := unfinished(h); why != "" {
		r.coverage.Lack(where, "%s", why)
		return
	}
	if body, err = named(h, where, body); err != nil {
		r.problem(d.file, d.line, "%v", err)
		return
	}
	o, err := Parse(body)
	var missing *MissingError
	switch {
	case errors.As(err, &missing):
		r.coverage.Lack(where, "%s has no %s", cmp.Or(h.Kind, "an object"), missing.Field)
	case err != nil:
		r.problem(d.file, d.line, "%v", err)
	default:
		r.object(where, o)
	}
}

// itemsOf returns the items of a list, and whether the body is a list. A custom kind may have a
// name that ends in List: unlike a list, its objects have names.
func itemsOf(h Header, body json.RawMessage) (items []json.RawMessage, is bool) {
	if !strings.HasSuffix(h.Kind, "List") || h.Metadata.Name != "" || h.Metadata.GenerateName != "" {
		return nil, false
	}
	var list struct {
		Items *[]json.RawMessage `json:"items"`
	}
	if json.Unmarshal(body, &list) != nil {
		return nil, false
	}
	if list.Items == nil {
		return nil, h.Kind == "List"
	}
	return *list.Items, true
}

func (r *reader) items(d document, at string, list Header, items []json.RawMessage, depth int) {
	if depth >= maxLists {
		r.problem(d.file, d.line, "lists nest more than %d deep", maxLists)
		return
	}
	for i, item := range items {
		place := fmt.Sprintf("%s, item %d", at, i+1)
		if kind := strings.TrimSuffix(list.Kind, "List"); kind != "" {
			var err error
			if item, err = Typed(item, list.APIVersion, kind); err != nil {
				r.coverage.Skip(d.String()+place, "is not a Kubernetes object: %v", err)
				continue
			}
		}
		r.item(d, place, item, depth+1)
	}
}

// notForServers returns why a document is not an object that a server stores, or "".
func notForServers(h Header) string {
	group, _, _ := strings.Cut(h.APIVersion, "/")
	switch {
	case group == "kustomize.config.k8s.io":
		return "is a file of Kustomize: render it first, with kustomize build"
	case h.APIVersion == "" && h.Kind == "":
		return "is not a Kubernetes object: it has no apiVersion and no kind"
	case h.APIVersion == "v1" && h.Kind == "Config":
		return "is a kubeconfig file, not an object"
	case strings.HasSuffix(group, ".config.k8s.io"), group == "kubeadm.k8s.io", group == "kind.x-k8s.io", group == "audit.k8s.io":
		return "is a configuration file of a component, which no server stores"
	}
	return ""
}

// unfinished returns why a document is no object yet, or "".
func unfinished(h Header) string {
	for _, text := range []string{h.APIVersion, h.Kind, h.Metadata.Name, h.Metadata.GenerateName, h.Metadata.Namespace} {
		if strings.Contains(text, "{{") {
			return strict.HelmTemplate
		}
		if strings.Contains(text, "${") || strings.Contains(text, "$(") {
			return fmt.Sprintf("contains a variable, %s: replace it first, with the tool that the file is for", strict.Quote(text))
		}
	}
	return ""
}

// named gives an object that only has a generateName a name. The name depends on the place
// alone, so that two runs agree.
func named(h Header, where string, body json.RawMessage) (json.RawMessage, error) {
	if h.Metadata.Name != "" || h.Metadata.GenerateName == "" {
		return body, nil
	}
	var all struct {
		Metadata json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	sum := sha256.Sum256([]byte(where))
	suffix := strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:5])
	metadata, err := With(all.Metadata, map[string]any{"name": h.Metadata.GenerateName + suffix})
	if err != nil {
		return nil, err
	}
	return With(body, map[string]any{"metadata": metadata})
}

// object keeps an object. The files may have it several times: which of them counts is known only
// to who knows which kinds are namespaced.
func (r *reader) object(where string, o Object) {
	o.Place = where
	r.found = append(r.found, placed{o, Rank(o.Group(), o.Kind)})
}
