package reading

import (
	"cmp"
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
	// Converted reports that a program converts the objects of the kind between its versions.
	Converted bool
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

// Convert marks the kinds, each as group and kind, whose objects a program converts.
func (f Forms) Convert(kinds map[string]bool) Forms {
	for name, form := range f {
		form.Converted = kinds[name]
		f[name] = form
	}
	return f
}

// Of returns the form of what is stored under a key in a version. Custom resources are read in that
// version, if it is served, unless a program converts them: the copy has no other webhook. A kind of Kubernetes' own
// that has moved to another group is read there. What is stored under the key of another resource is read as that
// one: a server looks for nothing else there.
func (f Forms) Of(key, apiVersion, kind string) (Form, bool) {
	group, _ := cut(apiVersion)
	custom := isCustom(key, group)
	if own, served := f[group+" "+kind]; served {
		if own.rank(group, key) == 0 {
			if other, is := f.at(key); is {
				return other, true
			}
		}
		if custom && !own.Converted && slices.Contains(own.Versions, apiVersion) {
			own.APIVersion = apiVersion
		}
		return own, true
	}
	return f.at(key) // the key is that of the resource in whatever group it is now
}

// at returns the form of the resource that a server stores under a key, whatever is there: bytes of
// no kind, or of the wrong one. Of two groups that have the resource, Kubernetes' own comes first.
func (f Forms) at(key string) (found Form, is bool) {
	best, of := 1, "" // less is somebody else's
	for name, form := range f {
		group, _, _ := strings.Cut(name, " ")
		if rank := form.rank(group, key); rank > best || rank == best && name < of {
			found, best, of = form, rank, name
		}
	}
	return found, best > 1
}

// rank is how surely a key is one of a resource of a group: 0 for one of another resource.
func (f Form) rank(group, key string) int {
	_, place, _ := strings.Cut(strings.TrimPrefix(key, "/"), "/") // without the root
	switch prefix := cmp.Or(prefixes()[f.Plural], f.Plural); {
	case strings.HasPrefix(place, group+"/"+f.Plural+"/"):
		return 4
	case !strings.HasPrefix(place, prefix+"/"):
		return 0
	case !strings.Contains(group, "."):
		return 3
	case strings.HasSuffix(group, ".k8s.io"):
		return 2
	}
	return 1
}

// kind returns the kind of a form.
func (f Forms) kind(of Form) string {
	group, _ := cut(of.APIVersion)
	for name, form := range f {
		if in, kind, _ := strings.Cut(name, " "); in == group && form.Plural == of.Plural {
			return kind
		}
	}
	return ""
}

// prefixes are the keys of the resources whose plural is not their key.
func prefixes() map[string]string {
	return map[string]string{
		"nodes": "minions", "replicationcontrollers": "controllers", "services": "services/specs", "endpoints": "services/endpoints", "ingresses": "ingress",
	}
}

// IsCustom reports whether a record is of a custom resource.
func (r Record) IsCustom() bool {
	group, _ := cut(r.APIVersion)
	return isCustom(r.Key, group)
}

// isCustom reports whether a definition defines the kind of an object, by its key: servers store
// custom resources below their group, whatever its name, and of their own kinds only those of
// apiextensions.k8s.io and apiregistration.k8s.io.
func isCustom(key, group string) bool {
	return strings.Contains(group, ".") && strings.Contains(key, "/"+group+"/") && group != "apiextensions.k8s.io" && group != "apiregistration.k8s.io"
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

// collection returns the path of the collection that has the objects of a namespace.
func (f Form) collection(namespace string) string {
	r := client.Resource{APIVersion: f.APIVersion, Plural: f.Plural}
	if f.Namespaced {
		r.Namespace = namespace
	}
	return r.Collection()
}

// resource identifies the resource of a form in its version.
func (f Form) resource() string { return f.APIVersion + " " + f.Plural }

// place returns the namespace and the name in a key.
func (f Form) place(key string) (namespace, name string) {
	parts := strings.Split(key, "/")
	if name = parts[len(parts)-1]; f.Namespaced && len(parts) > 1 {
		namespace = parts[len(parts)-2]
	}
	return namespace, name
}
