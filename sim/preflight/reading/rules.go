package reading

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/storage"
)

// staleRules returns the collections whose answers are not those of an earlier reading any more, whatever single objects say:
// those of a definition that was written since, and all if another object was that decides what servers permit.
func staleRules(ctx context.Context, c Config) (stale scope, err error) {
	rules := rules{Forms: c.Forms, parameters: map[string]bool{}}
	rest := map[string]bool{} // the rules of the earlier reading that are not found any more
	err = Each(c.Before, func(r *Record) error {
		rules.note(r)
		if !r.Gone && rules.decides(r) {
			rest[r.Key] = true
		}
		return nil
	})
	if err != nil {
		return stale, err
	}
	before, err := openEarlier(c.Before)
	if err != nil {
		return stale, err
	}
	defer before.closed() // it was only read
	err = c.Stored(ctx, func(key string, value []byte, revision int64) error {
		was, err := before.record(key)
		if err != nil {
			return err
		}
		delete(rest, key)
		if was != nil && !was.Gone && was.Revision == revision {
			return nil
		}
		e := storage.Describe(value)
		r := Place(c.Forms, key, e.APIVersion, e.Kind)
		if defined, is := rules.defined(&r); is {
			stale.add(defined...)
		}
		stale.all = stale.all || rules.decides(&r)
		return nil
	})
	stale.all = stale.all || len(rest) > 0
	return stale, err
}

// rules are the objects that decide what servers permit of others.
type rules struct {
	Forms
	// parameters are the kinds, with their groups, of the parameters of admission policies.
	parameters map[string]bool
}

// note notes which parameters an admission policy has.
func (r rules) note(of *Record) {
	if groupOf(of.APIVersion) != policyGroup {
		return
	}
	var policy struct {
		Spec struct {
			ParamKind struct{ APIVersion, Kind string }
		}
	}
	_ = json.Unmarshal(of.Object, &policy) // what the server does not show has none
	if p := policy.Spec.ParamKind; p.Kind != "" {
		r.parameters[groupOf(p.APIVersion)+" "+p.Kind] = true
	}
}

// policyGroup is the group of admission policies and their bindings.
const policyGroup = "admissionregistration.k8s.io"

// decides reports whether an object may decide about objects of any kind: policies and their bindings and parameters, the
// namespaces that they select, and the bounds that a namespace sets.
func (r rules) decides(of *Record) bool {
	switch kind := groupOf(of.APIVersion) + " " + of.Kind; kind {
	case " Namespace", " LimitRange", " ResourceQuota":
		return true
	default:
		return r.parameters[kind] || groupOf(of.APIVersion) == policyGroup
	}
}

// defined returns the collections that a definition defines; false for any other object.
func (r rules) defined(of *Record) (all []string, is bool) {
	if groupOf(of.APIVersion) != "apiextensions.k8s.io" {
		return nil, false
	}
	plural, group, _ := strings.Cut(of.Name, ".")
	for name, form := range r.Forms {
		if in, _, _ := strings.Cut(name, " "); in != group || form.Plural != plural {
			continue
		}
		for _, v := range slices.Concat(form.Versions, []string{form.APIVersion}) {
			form.APIVersion = v
			all = append(all, form.resource())
		}
	}
	return all, true
}
