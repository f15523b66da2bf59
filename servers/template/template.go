package template

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Of returns the Pod that the template of an object makes, and the path of the collection that it
// is created in; nil if the object has no template.
func Of(object map[string]any, namespace string) (pod map[string]any, path string) {
	owner, of := object, within(object, "spec", "template")
	if of == nil {
		owner = within(object, "spec", "jobTemplate")
		of = within(owner, "spec", "template")
	}
	spec := within(of, "spec")
	if !isOfPod(spec) || namespace == "" {
		return nil, ""
	}
	metadata := map[string]any{"generateName": "skewsim-preflight-", "namespace": namespace}
	for _, name := range []string{"labels", "annotations"} {
		if values := within(of, "metadata", name); values != nil {
			metadata[name] = values
		}
	}
	name := text(within(object, "metadata"), "name")
	switch {
	case strings.HasPrefix(text(object, "apiVersion"), "batch/"):
		job(metadata, within(owner, "spec"), name)
	case object["kind"] == "StatefulSet" && object["apiVersion"] == "apps/v1":
		metadata["labels"] = with(metadata["labels"], map[string]any{"statefulset.kubernetes.io/pod-name": name + "-0", "apps.kubernetes.io/pod-index": "0"})
		spec = claimed(spec, within(object, "spec"), name)
	}
	return map[string]any{"apiVersion": "v1", "kind": Made, "metadata": metadata, "spec": Admitted(spec)}, "/api/v1/namespaces/" + url.PathEscape(namespace) + "/pods"
}

// Admitted returns the spec of a Pod with what the admission plug-in ServiceAccount fills in before a server validates
// the Pod: the name of the account. The plug-in also requires that the account exists, so that not every server has it.
func Admitted(spec map[string]any) map[string]any {
	if text(spec, "serviceAccountName") != "" {
		return spec
	}
	name := text(spec, "serviceAccount") // the older name of the field
	if name == "" {
		name = "default"
	}
	return with(spec, map[string]any{"serviceAccountName": name}).(map[string]any)
}

// isOfPod reports whether a spec is one of a Pod. Users' own kinds may leave out the names of containers, which
// their controllers fill in.
func isOfPod(spec map[string]any) bool {
	containers, is := spec["containers"].([]any)
	return is && !slices.ContainsFunc(containers, func(c any) bool {
		container, _ := c.(map[string]any)
		return text(container, "name") == ""
	})
}

// job adds what a Job's Pods have: servers generate the labels of a Job when they create it, so the
// template in a CronJob has none.
func job(metadata, spec map[string]any, name string) {
	if spec["manualSelector"] == true {
		return
	}
	const uid = "00000000-0000-0000-0000-000000000000"
	labels := map[string]any{"controller-uid": uid, "batch.kubernetes.io/controller-uid": uid, "job-name": name, "batch.kubernetes.io/job-name": name}
	if spec["completionMode"] == "Indexed" {
		labels["batch.kubernetes.io/job-completion-index"] = "0"
		metadata["annotations"] = with(map[string]any{"batch.kubernetes.io/job-completion-index": "0"}, metadata["annotations"])
	}
	metadata["labels"] = with(labels, metadata["labels"])
}

// claimed returns the spec of a StatefulSet's Pod: each claim template is a volume of the Pod, in the
// place of one that has its name.
func claimed(pod, spec map[string]any, name string) map[string]any {
	claims := map[string]any{}
	var volumes []any
	templates, _ := spec["volumeClaimTemplates"].([]any)
	for _, t := range templates {
		template, _ := t.(map[string]any)
		claim := text(within(template, "metadata"), "name")
		claims[claim] = true
		volumes = append(volumes, map[string]any{"name": claim, "persistentVolumeClaim": map[string]any{"claimName": claim + "-" + name + "-0", "readOnly": false}})
	}
	own, _ := pod["volumes"].([]any)
	for _, v := range own {
		if volume, _ := v.(map[string]any); claims[text(volume, "name")] == nil {
			volumes = append(volumes, v)
		}
	}
	set := map[string]any{"hostname": name + "-0"}
	if subdomain := text(spec, "serviceName"); subdomain != "" {
		set["subdomain"] = subdomain
	}
	if len(volumes) > 0 {
		set["volumes"] = volumes
	}
	return with(pod, set).(map[string]any)
}

// text returns a text of an object; "" if it has none.
func text(object map[string]any, name string) string {
	value, _ := object[name].(string)
	return value
}

// with returns the members of two objects, those of the second where both have one.
func with(object, more any) any {
	all := map[string]any{}
	for _, from := range []any{object, more} {
		members, _ := from.(map[string]any)
		maps.Copy(all, members)
	}
	return all
}

// within returns the object at a path; nil if it has none.
func within(object map[string]any, names ...string) map[string]any {
	for _, name := range names {
		object, _ = object[name].(map[string]any)
	}
	return object
}

// Path is the path of the template that pods are made from.
const Path = ".spec.template"

// jobs is the path of the template that jobs are made from, whose own template pods are made from.
const jobs = ".spec.jobTemplate"

// Made is the kind of what templates make, in the core group.
const Made = "Pod"

// At returns the path of the template in an object that has one.
func At(object map[string]any) string {
	if within(object, "spec", "template") == nil {
		return jobs + Path
	}
	return Path
}

// Below reports whether a path is below a template, one that jobs are made from included.
func Below(path string) bool {
	return strings.HasPrefix(path, Path+".") || strings.HasPrefix(path, jobs+Path+".")
}

// Within reports whether a path is that of a template, or within one.
func Within(path string) bool { return path == Path || strings.HasPrefix(path, Path+".") }

// RevisionOf returns whose template a stored revision keeps, as NAMESPACE/KIND/NAME; "" if the
// object is no revision. Controllers compare a revision with the template as it is served now, and
// replace pods if they differ.
func RevisionOf(object map[string]any, namespace string) string {
	if within(object, "data", "spec", "template") == nil {
		return ""
	}
	owners, _ := within(object, "metadata")["ownerReferences"].([]any)
	for _, o := range owners {
		if owner, is := o.(map[string]any); is && owner["controller"] == true {
			kind, _ := owner["kind"].(string)
			name, _ := owner["name"].(string)
			return namespace + "/" + kind + "/" + name
		}
	}
	return ""
}
