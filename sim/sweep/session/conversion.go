package session

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// byWebhook is the strategy of a definition that names its webhook.
const byWebhook = "Webhook"

// versions are the versions of one kind that a release serves, with the paths of the fields of each.
type versions struct {
	kind   string // Kind.group
	group  string
	stored string                     // the version that objects are stored in; "" if nothing names it
	fields map[string]map[string]bool // by version
}

// unconverted returns the kinds, as Kind.group, whose definitions leave out the webhook that
// converts them: two versions each have fields that the other one lacks, and a server that changes
// nothing but apiVersion would lose both. Many projects add the webhook with a patch of their own
// when they deploy. Objects of these kinds are written in one version. What a version loses that only
// the new release has is the new release's own doing: see unstored.
func (s *session) unconverted() (kinds []string, err error) {
	for role, release := range s.plain {
		if s.builds[role].Installs == nil {
			continue
		}
		all, err := withoutWebhook(release)
		if err != nil {
			return nil, err
		}
		before := served(s.plain)[role.Other()]
		for _, v := range all {
			if v.differ(func(version string) bool { return isOf(before, v, version) }) {
				kinds = append(kinds, v.kind)
			}
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

func isOf(kinds []sweep.Kind, v versions, version string) bool {
	name, _, _ := strings.Cut(v.kind, ".")
	return slices.Contains(kinds, sweep.Kind{APIVersion: identity.GroupVersion(v.group, version), Kind: name})
}

// withoutWebhook returns the kinds of a release that no webhook converts.
func withoutWebhook(release published.Release) ([]versions, error) {
	by := map[string]versions{}
	for _, r := range release.Resources {
		group, version := identity.CutAPIVersion(r.APIVersion)
		if r.Conversion == byWebhook || release.Documents[r.APIVersion] == nil {
			continue
		}
		document, err := schema.Read(release.Documents[r.APIVersion])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", r.APIVersion, release.Name, err)
		}
		kind := r.Kind + "." + group
		if _, known := by[kind]; !known {
			_, stored := identity.CutAPIVersion(r.StorageVersion)
			by[kind] = versions{kind: kind, group: group, stored: stored, fields: map[string]map[string]bool{}}
		}
		fields := map[string]bool{}
		addFields(fields, "", document.Definition(r.APIVersion, r.Kind))
		by[kind].fields[version] = fields
	}
	return slices.Collect(maps.Values(by)), nil
}

// differ reports whether two of the versions each have a field that the other one lacks.
func (v versions) differ(counts func(version string) bool) bool {
	for one, a := range v.fields {
		for other, b := range v.fields {
			if counts(one) && counts(other) && hasMore(a, b) && hasMore(b, a) {
				return true
			}
		}
	}
	return false
}

// mostUnstored is how many fields of a version are played that the stored version lacks.
const mostUnstored = 8

// unstored returns, for each version of custom resources that no webhook converts, the outermost
// fields that the version in which a release stores objects lacks: its server drops them.
func unstored(s *session) (map[sweep.Kind][]string, error) {
	all := map[sweep.Kind][]string{}
	for _, role := range []term.Role{term.New, term.Old} {
		if s.builds[role].Installs == nil {
			continue
		}
		kinds, err := withoutWebhook(s.plain[role])
		if err != nil {
			return all, err
		}
		for _, v := range kinds {
			addUnstored(all, v)
		}
	}
	return all, nil
}

// addUnstored adds the fields that the stored version of a kind lacks. What the new release stores
// comes first.
func addUnstored(all map[sweep.Kind][]string, v versions) {
	if v.fields[v.stored] == nil {
		return
	}
	name, _, _ := strings.Cut(v.kind, ".")
	for version, fields := range v.fields {
		k := sweep.Kind{APIVersion: identity.GroupVersion(v.group, version), Kind: name}
		if lacking := outermost(fields, v.fields[v.stored]); len(all[k]) == 0 && len(lacking) > 0 {
			all[k] = lacking
		}
	}
}

// outermost returns the fields that a version has and another one lacks, without those within them.
func outermost(fields, stored map[string]bool) (own []string) {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !stored[field] && !slices.ContainsFunc(own, func(outer string) bool { return fate.Within(field, outer) }) {
			own = append(own, field)
		}
	}
	return own[:min(len(own), mostUnstored)]
}

// addFields adds the paths of the fields below a schema. Definitions of custom resources contain
// their schemas whole: what a reference names is the same in all versions.
func addFields(to map[string]bool, at string, of *spec.Schema) {
	if of == nil {
		return
	}
	for name, field := range of.Properties {
		to[at+"."+name] = true
		addFields(to, at+"."+name, &field)
	}
	if of.Items != nil {
		addFields(to, at+"[]", of.Items.Schema)
	}
	if of.AdditionalProperties != nil {
		addFields(to, at+"{}", of.AdditionalProperties.Schema)
	}
}

// hasMore reports whether a version has a field that another version lacks.
func hasMore(a, b map[string]bool) bool {
	for name := range a {
		if !b[name] {
			return true
		}
	}
	return false
}

// noteUnconverted says which conversions were not played.
func (s *session) noteUnconverted() (err error) {
	if s.unconvertible, err = s.unconverted(); err != nil {
		return err
	}
	if s.dropped, err = unstored(s); err != nil || len(s.unconvertible) == 0 {
		return err
	}
	s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf(
		"conversion between versions of %s: each version has fields that another one lacks, and the definitions name no webhook", strings.Join(s.unconvertible, ", ")))
	return nil
}
