package fuzz

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// route is a place in an object, as servers write it in what they refuse:
// members by name, elements by index.
type route []string

// readRoute reads a field path such as a.b[0].c[some.key].
func readRoute(text string) route {
	var r route
	for text != "" {
		switch {
		case text[0] == '.':
			text = text[1:]
		case text[0] == '[':
			inner, rest, closed := strings.Cut(text[1:], "]")
			if !closed {
				return append(r, text)
			}
			r, text = append(r, inner), rest
		default:
			end := strings.IndexAny(text, ".[")
			if end < 0 {
				end = len(text)
			}
			r, text = append(r, text[:end]), text[end:]
		}
	}
	return r
}

func (r route) String() string { return strings.Join(r, "\x00") }

// with is the route one step on; it shares no memory with r.
func (r route) with(token string) route { return append(r[:len(r):len(r)], token) }

// get is what an object has at a route.
func get(node any, r route) (any, bool) {
	for _, token := range r {
		switch n := node.(type) {
		case map[string]any:
			child, found := n[token]
			if !found {
				return nil, false
			}
			node = child
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(n) {
				return nil, false
			}
			node = n[i]
		default:
			return nil, false
		}
	}
	return node, true
}

// known is the part of a route that the object has, from its top.
func known(object map[string]any, r route) route {
	for n := len(r); n > 0; n-- {
		if _, found := get(object, r[:n]); found {
			return r[:n]
		}
	}
	return nil
}

// put sets what is at a route whose container the object has.
func put(object map[string]any, r route, v any) {
	if len(r) == 0 {
		return
	}
	last := r[len(r)-1]
	container, _ := get(object, r[:len(r)-1])
	switch n := container.(type) {
	case map[string]any:
		n[last] = v
	case []any:
		if i, err := strconv.Atoi(last); err == nil && i >= 0 && i < len(n) {
			n[i] = v
		}
	}
}

// drop removes what is at a route; a list closes up.
func drop(object map[string]any, r route) bool {
	if _, found := get(object, r); !found || len(r) == 0 {
		return false
	}
	last := r[len(r)-1]
	container, _ := get(object, r[:len(r)-1])
	switch n := container.(type) {
	case map[string]any:
		delete(n, last)
	case []any:
		i, _ := strconv.Atoi(last) // found there
		rest := append(append([]any{}, n[:i]...), n[i+1:]...)
		put(object, r[:len(r)-1], rest)
	}
	return true
}

// formAt is the published form of what is at a route, and whether what holds it
// must have it.
func (s shapes) formAt(root *spec.Schema, object map[string]any, r route) (form *spec.Schema, required bool) {
	form = root
	for i, token := range r {
		holder, _ := s.resolve(form)
		if holder == nil {
			return nil, false
		}
		required = false
		for _, name := range holder.Required {
			required = required || name == token
		}
		if list, _ := get(object, r[:i]); holder.Items != nil && list != nil {
			elements, _ := list.([]any)
			required = holder.MinItems != nil && int64(len(elements)) <= *holder.MinItems
		}
		if form = s.member(form, token); form == nil {
			return nil, false
		}
	}
	return form, required
}

func copyOf(object map[string]any) map[string]any { return runtime.DeepCopyJSON(object) }
