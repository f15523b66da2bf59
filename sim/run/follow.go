package run

import (
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// A release may serve a resource, and not in the version of a manifest: what is stored
// of it is read and written through the version that the release does serve.

// offerings sorts what a release serves: what its servers are asked for, other versions
// of that which only steps go through, and what nothing but discovery is asked about.
func (w *walker) offerings(p *selfPortrait, r *history.Release) (others []history.Resource) {
	r.Follows = w.follows(r.Role, slices.Concat(p.Resources, p.Elsewhere))
	var elsewhere []history.Resource
	for i, resource := range slices.Concat(p.Resources, p.Elsewhere) {
		switch {
		case w.used(resource) || followed(r.Follows, resource):
			r.Resources = append(r.Resources, resource)
		case i < len(p.Resources):
			others = append(others, resource)
		default:
			elsewhere = append(elsewhere, resource)
		}
	}
	r.Elsewhere = w.elsewhere(slices.Concat(others, elsewhere))
	return others
}

// follows are the versions in which a release is asked for what it does not serve in the
// version of its manifest: of several the most stable one. What is defined by manifests
// changes under running servers, whatever their release: it is not followed.
func (w *walker) follows(role term.Role, served []history.Resource) map[string]string {
	if w.config.Builds[role].Installs != nil {
		return nil
	}
	var all map[string]string
	for _, m := range w.config.Plan.Manifests {
		key, best := history.Follow(m.APIVersion, m.Kind), ""
		for _, r := range served {
			if kindOf(r) == key {
				best = ""
				break
			}
			if isOf(r, m) && offers(r, "get") && (best == "" || moreStable(r.APIVersion, best)) {
				best = r.APIVersion
			}
		}
		if best != "" {
			if all == nil {
				all = map[string]string{}
			}
			all[key] = best
		}
	}
	return all
}

// followed reports whether a resource is one that is asked for in the place of others.
func followed(follows map[string]string, r history.Resource) bool {
	for key, version := range follows {
		apiVersion, kind, _ := strings.Cut(key, " ")
		if version == r.APIVersion && kind == r.Kind && schema.GroupOf(apiVersion) == schema.GroupOf(r.APIVersion) {
			return true
		}
	}
	return false
}

// isOf reports whether a resource is that of a manifest, in whatever version.
func isOf(r history.Resource, m plan.Manifest) bool {
	return r.Kind == m.Kind && schema.GroupOf(r.APIVersion) == schema.GroupOf(m.APIVersion)
}

func moreStable(a, b string) bool {
	return version.CompareKubeAwareVersionStrings(path.Base(a), path.Base(b)) > 0
}

// reached is how a release is asked for what a manifest makes: in its version or, where
// the release does not serve that, in the one that is followed.
func (w *walker) reached(role term.Role, m plan.Manifest) (history.Resource, bool) {
	return w.resource(role, w.known[role].release.AskedIn(m.APIVersion, m.Kind), m.Kind)
}

// ours reports whether an object is a copy of the run's, in the version in which a
// release is asked for it: a kind that is served in two versions lists each object in
// both, and only in that one does it count.
func (w *walker) ours(role term.Role) func(name string, as history.Resource) bool {
	return func(name string, as history.Resource) bool {
		c, known := w.copies[name]
		return known && w.askedAs(role, c, as)
	}
}

func (w *walker) askedAs(role term.Role, c plan.Copy, as history.Resource) bool {
	m := w.config.Plan.Manifests[c.Manifest]
	return m.Kind == as.Kind && w.known[role].release.AskedIn(m.APIVersion, m.Kind) == as.APIVersion
}

// askedIn is the version in which a release is asked for a copy.
func (w *walker) askedIn(role term.Role, name string) string {
	m := w.config.Plan.Manifests[w.copies[name].Manifest]
	return w.known[role].release.AskedIn(m.APIVersion, m.Kind)
}

// shownAs are the copies that a release is asked for as a kind in a version.
func (w *walker) shownAs(role term.Role, served history.Resource) (names []string) {
	for _, c := range w.config.Plan.Copies {
		if w.askedAs(role, c, served) {
			names = append(names, c.Name)
		}
	}
	return names
}

// otherThan is a version where it is another than the manifest's own.
func otherThan(m plan.Manifest, served history.Resource) string {
	if served.APIVersion == m.APIVersion {
		return ""
	}
	return served.APIVersion
}
