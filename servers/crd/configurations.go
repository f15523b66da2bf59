package crd

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"go.yaml.in/yaml/v3"
)

// ReadConfigurations reads the configurations of admission webhooks in a folder, or in one file of it, as Read reads
// those beside definitions; file "": the whole folder, as its kustomization has it, if there is one. name is the
// folder's name in errors. It returns all problems at once: a folder without a configuration, or with a definition, is
// one.
func ReadConfigurations(name string, folder fs.FS, file string) ([]Configuration, error) {
	r := &reader{onlyAdmission: true}
	files := []string{file}
	if slices.Contains(kustomizations(), file) {
		file = ""
	}
	if file == "" {
		var err error
		if files, err = manifestFiles(name, folder); err != nil {
			return nil, err
		}
	}
	if k := kustomizationIn(folder); file == "" && k != "" {
		r.render(name, folder, k)
	} else {
		r.files(name, contentOf(folder, files))
	}
	r.templated()
	r.unpatched()
	if len(r.set.Admission) == 0 && len(r.problems) == 0 {
		r.add(name, 0, "", "contains no ValidatingWebhookConfiguration and no MutatingWebhookConfiguration of "+admissionGroup+"/v1%s", r.found())
	}
	return r.set.Admission, r.joined()
}

// WithConfigurations returns the set with further configurations of admission webhooks. One that the set has already is
// a problem.
func (s Set) WithConfigurations(more []Configuration) (Set, error) {
	r := &reader{set: s}
	r.set.Admission = slices.Clone(s.Admission)
	for _, c := range more {
		r.addConfiguration(c)
	}
	return r.set, r.joined()
}

// configuration reads a configuration of admission webhooks.
func (r *reader) configuration(file string, n *yaml.Node, kind string, body map[string]any) {
	name := nameOf(body)
	if err := r.patch(kind, name, body); err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	webhooks, _ := body["webhooks"].([]any)
	if name == "" || len(webhooks) == 0 || body["apiVersion"] != admissionGroup+"/v1" { // a patch, or of a release before 1.22
		r.set.Skipped = append(r.set.Skipped, fmt.Sprintf("%s:%d: %s", file, n.Line, kind))
		return
	}
	meta, _ := body["metadata"].(map[string]any)
	for _, own := range []string{"managedFields", "resourceVersion", "uid", "creationTimestamp", "generation"} { // of an export
		delete(meta, own)
	}
	text, err := json.Marshal(body)
	if err != nil {
		r.add(file, n.Line, "", "%v", err)
		return
	}
	r.addConfiguration(Configuration{Kind: kind, Name: name, JSON: text, file: file, line: n.Line})
}

// addConfiguration adds a configuration to the set, unless the set has one of its name.
func (r *reader) addConfiguration(c Configuration) {
	for _, before := range r.set.Admission {
		if before.Kind == c.Kind && before.Name == c.Name {
			r.add(c.file, c.line, "metadata.name", "%q is configured in %s already", c.Name, before.place())
			return
		}
	}
	r.set.Admission = append(r.set.Admission, c)
}
