package cluster

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	kjson "sigs.k8s.io/json"
)

// Object is one object of an API.
type Object struct {
	APIVersion, Kind string
	// Namespace is "" for an object of the whole cluster, and for one of a manifest that leaves
	// its namespace out: only who knows the kind's scope can decide which of the two it is.
	Namespace string
	Name      string
	// UID is "" if no server has stored the object.
	UID string
	// Place is where the source has the object, such as web.yaml, document 2; "" if that says no more
	// than the names.
	Place string
	// Body is the whole object, a JSON object with apiVersion and kind.
	Body json.RawMessage
}

// Source yields objects.
type Source interface {
	// Each calls a function with each object, and returns the first error of the function. The
	// function may keep the object.
	Each(ctx context.Context, each func(Object) error) (Coverage, error)
}

// Coverage says what a source yielded, and what it did not.
type Coverage struct {
	// Source names the source: cluster https://example:6443 (context prod), 3 files in manifests.
	Source string `json:"source"`
	// ServerVersion is the gitVersion of the server that had the objects; "": unknown.
	ServerVersion string `json:"serverVersion,omitempty"`
	// ReadAt is when the objects were read.
	ReadAt time.Time `json:"readAt"`
	// Objects is the number of objects.
	Objects int `json:"objects"`
	// Limits are what such a source never shows, one sentence each.
	Limits []string `json:"limits,omitempty"`
	// Skipped is what the source has and did not yield.
	Skipped []Skipped `json:"skipped,omitempty"`
}

// Skipped is something that a source has and did not yield.
type Skipped struct {
	// What names it: a resource, such as deployments.apps, or a place in a file.
	What string `json:"what"`
	// Reason says why it was skipped and, where a user can change that, how.
	Reason string `json:"reason"`
	// Lacks reports that objects may be there which nobody has seen: nothing is known of them.
	Lacks bool `json:"lacks,omitempty"`
}

// String returns deployments.apps: the reason.
func (s Skipped) String() string { return s.What + ": " + s.Reason }

// Skip adds something that was skipped.
func (c *Coverage) Skip(what, format string, args ...any) {
	c.Skipped = append(c.Skipped, Skipped{What: what, Reason: fmt.Sprintf(format, args...)})
}

// Lack adds something that has, or may have, objects that the source did not yield.
func (c *Coverage) Lack(what, format string, args ...any) {
	c.Skip(what, format, args...)
	c.Skipped[len(c.Skipped)-1].Lacks = true
}

// Group returns the object's API group; "" is the core group.
func (o Object) Group() string {
	group, _, found := strings.Cut(o.APIVersion, "/")
	if !found {
		return ""
	}
	return group
}

// String returns Deployment.apps default/web.
func (o Object) String() string {
	kind, name := o.Kind, o.Name
	if o.Group() != "" {
		kind += "." + o.Group()
	}
	if o.Namespace != "" {
		name = o.Namespace + "/" + name
	}
	return kind + " " + name
}

// MissingError reports a field that every object has.
type MissingError struct{ Field string }

// Error names the field.
func (e *MissingError) Error() string { return e.Field + " is missing" }

// Header is what says which object a body is of.
type Header struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name         string `json:"name"`
		GenerateName string `json:"generateName"`
		Namespace    string `json:"namespace"`
		UID          string `json:"uid"`
	} `json:"metadata"`
}

// ReadHeader reads the header of a body, which need not be complete.
func ReadHeader(body []byte) (h Header, err error) {
	if text := bytes.TrimLeft(body, " \t\r\n"); len(text) == 0 || text[0] != '{' {
		return h, errors.New("not a JSON object")
	}
	err = kjson.UnmarshalCaseSensitivePreserveInts(body, &h)
	return h, err
}

// Parse returns the object of a body. It returns a [MissingError] if the body has no
// apiVersion, kind or metadata.name.
func Parse(body json.RawMessage) (Object, error) {
	h, err := ReadHeader(body)
	if err != nil {
		return Object{}, err
	}
	for _, f := range []struct{ name, value string }{{"apiVersion", h.APIVersion}, {"kind", h.Kind}, {"metadata.name", h.Metadata.Name}} {
		if f.value == "" {
			return Object{}, &MissingError{f.name}
		}
	}
	m := h.Metadata
	return Object{APIVersion: h.APIVersion, Kind: h.Kind, Namespace: m.Namespace, Name: m.Name, UID: m.UID, Body: body}, nil
}

// Typed returns an item of a list with the list's apiVersion and kind where the item has none:
// servers leave both out of the items of built-in kinds.
func Typed(item json.RawMessage, apiVersion, kind string) (json.RawMessage, error) {
	h, err := ReadHeader(item)
	if err != nil {
		return nil, err
	}
	if h.APIVersion != "" && h.Kind != "" {
		return item, nil
	}
	return With(item, map[string]any{"apiVersion": cmp.Or(h.APIVersion, apiVersion), "kind": cmp.Or(h.Kind, kind)})
}

// With returns a body with some fields of its top level set. All other values keep their digits.
func With(body json.RawMessage, fields map[string]any) (json.RawMessage, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	for name, value := range fields {
		text, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		all[name] = text
	}
	return json.Marshal(all)
}
