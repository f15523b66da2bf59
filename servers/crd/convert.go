package crd

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// parked is the annotation that keeps what a version has no place for.
const parked = "skewsim.dev/parked"

// convert turns an object into another version by the rules for its kind.
func (c Conversions) convert(object []byte, desired string) ([]byte, error) {
	var o metav1.TypeMeta
	if err := json.Unmarshal(object, &o); err != nil {
		return nil, err
	}
	rules := c.Of(o.Kind, o.GroupVersionKind().Group)
	if rules == nil {
		return nil, fmt.Errorf("no rules convert %s", o.GroupVersionKind().GroupKind())
	}
	return rules.Convert(object, desired)
}

// Convert turns an object into another version, by way of the hub.
func (c Rules) Convert(object []byte, desired string) ([]byte, error) {
	var o map[string]any
	if err := utiljson.Unmarshal(object, &o); err != nil {
		return nil, err
	}
	from, _ := o["apiVersion"].(string)
	_, have, _ := strings.Cut(from, "/")
	_, want, _ := strings.Cut(desired, "/")
	if err := c.toHub(o, have); err != nil {
		return nil, err
	}
	if err := c.fromHub(o, want); err != nil {
		return nil, err
	}
	o["apiVersion"] = desired
	return json.Marshal(o)
}

// toHub gives an object of a version the hub's form.
func (c Rules) toHub(o map[string]any, version string) error {
	v := c.Versions[version]
	for _, m := range v.Moves {
		value, ok := take(o, m.From)
		switch {
		case !ok:
		case m.To != "":
			put(o, m.To, value)
		default:
			parts := strings.SplitN(fmt.Sprint(value), m.By, len(m.Into))
			for i, part := range parts {
				put(o, m.Into[i], part)
			}
		}
	}
	return unpark(o, slices.Concat(v.Parks, v.Loses))
}

// fromHub gives an object of the hub's form that of a version.
func (c Rules) fromHub(o map[string]any, version string) error {
	v := c.Versions[version]
	kept := map[string]any{}
	for _, at := range v.Parks {
		if value, ok := take(o, at); ok {
			kept[at] = value
		}
	}
	for _, at := range v.Loses {
		take(o, at)
	}
	for _, m := range v.Moves {
		if m.To != "" {
			if value, ok := take(o, m.To); ok {
				put(o, m.From, value)
			}
			continue
		}
		var parts []string
		for _, at := range m.Into {
			if value, ok := take(o, at); ok {
				parts = append(parts, fmt.Sprint(value))
			}
		}
		if len(parts) > 0 {
			put(o, m.From, strings.Join(parts, m.By))
		}
	}
	return park(o, kept)
}

// park keeps values in an annotation.
func park(o, kept map[string]any) error {
	if len(kept) == 0 {
		return nil
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return err
	}
	meta, _ := o["metadata"].(map[string]any)
	if meta == nil {
		return nil
	}
	annotations, _ := meta["annotations"].(map[string]any)
	if annotations == nil {
		annotations = map[string]any{}
	}
	annotations[parked] = string(text)
	meta["annotations"] = annotations
	return nil
}

// unpark brings parked values back.
func unpark(o map[string]any, places []string) error {
	meta, _ := o["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	text, ok := annotations[parked].(string)
	if !ok || len(places) == 0 {
		return nil
	}
	var kept map[string]any
	if err := utiljson.Unmarshal([]byte(text), &kept); err != nil {
		return fmt.Errorf("annotation %s: %w", parked, err)
	}
	delete(annotations, parked)
	if len(annotations) == 0 {
		delete(meta, "annotations")
	}
	for _, at := range places {
		if value, ok := kept[at]; ok {
			put(o, at, value)
		}
	}
	return nil
}

// take takes a value out of its place, and what is left empty above it with it.
func take(o map[string]any, at string) (value any, ok bool) {
	fields := strings.Split(strings.TrimPrefix(at, "."), ".")
	within := []map[string]any{o}
	for _, f := range fields[:len(fields)-1] {
		next, is := within[len(within)-1][f].(map[string]any)
		if !is {
			return nil, false
		}
		within = append(within, next)
	}
	last := len(fields) - 1
	value, ok = within[last][fields[last]]
	delete(within[last], fields[last])
	for i := last; i > 1 && ok && len(within[i]) == 0; i-- { // .spec itself stays
		delete(within[i-1], fields[i-1])
	}
	return value, ok
}

// put puts a value into its place.
func put(o map[string]any, at string, value any) {
	fields := strings.Split(strings.TrimPrefix(at, "."), ".")
	for _, f := range fields[:len(fields)-1] {
		next, is := o[f].(map[string]any)
		if !is {
			next = map[string]any{}
			o[f] = next
		}
		o = next
	}
	o[fields[len(fields)-1]] = value
}
