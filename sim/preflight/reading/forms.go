package reading

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
)

// Form is how objects of a kind are read.
type Form struct {
	APIVersion, Plural string
	Namespaced         bool
	Verbs              []string
	Subresources       []string
	// Versions are all versions that the release serves of the kind.
	Versions []string
}

// Forms are the forms by group and kind: "apps Deployment", " Pod" for the core group.
type Forms map[string]Form

// FormsOf returns how a server of the first release reads each kind that it serves: in a version
// that both releases serve, the preferred one of the first where it can be, so that their answers
// can be compared.
func FormsOf(first, second published.Release) Forms {
	both := map[string]bool{}
	for _, r := range second.Resources {
		both[r.APIVersion+" "+r.Kind] = true
	}
	all, best := Forms{}, map[string]int{}
	for _, r := range first.Resources {
		if !slices.Contains(r.Verbs, "get") || !slices.Contains(r.Verbs, "list") {
			continue
		}
		group, v := cut(r.APIVersion)
		key := group + " " + r.Kind
		rank := 1
		if both[r.APIVersion+" "+r.Kind] {
			rank += 2
		}
		if first.Preferred[group] == v || first.Preferred[group] == r.APIVersion {
			rank++
		}
		_, before := cut(all[key].APIVersion)
		if rank > best[key] || rank == best[key] && version.CompareKubeAwareVersionStrings(v, before) > 0 {
			all[key], best[key] = Form{APIVersion: r.APIVersion, Plural: r.Plural, Namespaced: r.Namespaced, Verbs: r.Verbs, Subresources: r.Subresources}, rank
		}
	}
	return all.withVersions(first)
}

// withVersions notes which versions the release serves.
func (f Forms) withVersions(of published.Release) Forms {
	for _, r := range of.Resources {
		group, _ := cut(r.APIVersion)
		if form, has := f[group+" "+r.Kind]; has && !slices.Contains(form.Versions, r.APIVersion) {
			form.Versions = append(form.Versions, r.APIVersion)
			f[group+" "+r.Kind] = form
		}
	}
	return f
}

// FormsLike returns how a release reads each kind: in the form of other forms where it serves that
// version, else as FormsOf says.
func FormsLike(other Forms, release, before published.Release) Forms {
	all := FormsOf(release, before)
	for _, r := range release.Resources {
		group, _ := cut(r.APIVersion)
		if key := group + " " + r.Kind; other[key].APIVersion == r.APIVersion && other[key].Plural == r.Plural {
			all[key] = Form{APIVersion: r.APIVersion, Plural: r.Plural, Namespaced: r.Namespaced, Verbs: r.Verbs, Subresources: r.Subresources}
		}
	}
	return all.withVersions(release)
}

// Of returns the form of what is stored in a version. Custom resources are read in that version, if
// it is served: the copy has no webhook that converts them. A kind that has moved to another group
// is read there, if one group alone has it.
func (f Forms) Of(apiVersion, kind string) (Form, bool) {
	group, _ := cut(apiVersion)
	if own, served := f[group+" "+kind]; served {
		if isCustom(group) && slices.Contains(own.Versions, apiVersion) {
			own.APIVersion = apiVersion
		}
		return own, true
	}
	var moved []Form
	for key, form := range f {
		if strings.HasSuffix(key, " "+kind) {
			moved = append(moved, form)
		}
	}
	if len(moved) != 1 || isCustom(group) {
		return Form{}, false
	}
	return moved[0], true
}

// isCustom reports whether a group is not one of Kubernetes' own.
func isCustom(group string) bool {
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// cut returns the group, "" for the core group, and the version.
func cut(apiVersion string) (group, version string) {
	if group, version, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group, version
	}
	return "", apiVersion
}

// object returns the path of an object.
func (f Form) object(namespace, name string) string {
	r := client.Resource{APIVersion: f.APIVersion, Plural: f.Plural}
	if f.Namespaced {
		r.Namespace = namespace
	}
	return r.Object(name)
}

// place returns the namespace and the name in a key.
func (f Form) place(key string) (namespace, name string) {
	parts := strings.Split(key, "/")
	if name = parts[len(parts)-1]; f.Namespaced && len(parts) > 1 {
		namespace = parts[len(parts)-2]
	}
	return namespace, name
}
