package play

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
	"github.com/skewsim/skewsim/sim/published"
)

// unplayed judges what the copy cannot play: values whose keys are not known, and policies that ask
// who sends a request.
func (h *hop) unplayed() {
	for _, d := range h.directions() {
		h.judged.Add(h.policies.Undecided(d)...)
	}
	for _, u := range h.taken.Unread {
		f := preflight.Finding{
			Outcome: term.Indeterminate, Group: u.Group, Kind: kindOf(h.published[h.first()], u.Group, u.Resource), Namespace: u.Namespace, Name: u.Name,
			Release: h.versions[h.first()], Phase: preflight.PhaseBaseline, Message: "it is encrypted with " + u.Lacks + ", which this preflight does not have",
		}
		h.judged.Count(&reading.Record{APIVersion: strings.TrimPrefix(u.Group+"/", "/"), Kind: f.Kind})
		for _, d := range h.directions() {
			f.Direction = d
			h.judged.Add(f)
		}
		if u.Configured {
			f.Direction, f.Outcome = h.direction(), term.Undecodable
			f.Message = "it is encrypted with " + u.Lacks + ", which the encryption configuration does not have: servers that use it cannot read the object; add the key, have every object of the resource written again, then remove it"
			h.judged.AddBaseline(f)
		}
	}
}

// kindOf returns the kind of a resource; the resource if a release does not serve it.
func kindOf(release published.Release, group, resource string) string {
	for _, r := range release.Resources {
		if of, _, grouped := strings.Cut(r.APIVersion, "/"); r.Plural == resource && (grouped && of == group || !grouped && group == "") {
			return r.Kind
		}
	}
	return resource
}

// needed are the kinds without which a server does not become ready.
func needed() map[string]bool {
	return map[string]bool{
		"ClusterRole": true, "ClusterRoleBinding": true, "Role": true, "RoleBinding": true, "PriorityClass": true, "FlowSchema": true,
		"PriorityLevelConfiguration": true, "APIService": true, "ServiceCIDR": true, "Namespace": true,
	}
}

// meets judges a write that a server sent by itself when it started: whether a webhook of the user's
// cluster, which is not on the copy, would refuse it without an answer.
func (j *judgement) meets(t taken, r *reading.Record, creates bool) {
	if !needed()[r.Kind] {
		return
	}
	var object map[string]any
	_ = json.Unmarshal(r.Object, &object) // without labels, if the server does not show it
	group, _, grouped := strings.Cut(r.Form, "/")
	if !grouped {
		group = ""
	}
	w := Write{Group: group, Resource: pluralOf(r.Kind), Namespaced: r.Namespace != "", Creates: creates, Labels: labelsOf(object)}
	if w.NamespaceLabels = j.spaces[r.Namespace]; w.NamespaceLabels == nil {
		w.NamespaceLabels = map[string]string{"kubernetes.io/metadata.name": r.Namespace}
	}
	for _, hooks := range j.webhooks {
		if !hooks.Meet(w) {
			continue
		}
		d, starts := preflight.Up, term.New // beside and alone
		if t.phase == preflight.PhaseBack {
			d, starts = preflight.Back, term.Old
		}
		j.judged.Add(preflight.Finding{
			Outcome: term.Indeterminate, Direction: d, Group: "admissionregistration.k8s.io", Kind: hooks.Kind, Name: hooks.Name, Path: ".webhooks[]",
			Release: j.versions[starts], Phase: t.phase,
			Message: fmt.Sprintf("a server of %s writes an object of the kind %s when it starts, and this webhook has failurePolicy Fail: while nobody answers it, the server does not become ready", j.versions[starts], r.Kind),
		})
	}
}

// pluralOf returns the resource of one of the kinds that servers need.
func pluralOf(kind string) string {
	plural := strings.ToLower(kind) + "s"
	if strings.HasSuffix(kind, "Class") {
		plural = strings.ToLower(kind) + "es"
	}
	return plural
}

// labelsOf returns the labels of an object.
func labelsOf(object map[string]any) map[string]string {
	all := map[string]string{}
	metadata, _ := object["metadata"].(map[string]any)
	values, _ := metadata["labels"].(map[string]any)
	for name, v := range values {
		all[name], _ = v.(string)
	}
	return all
}
