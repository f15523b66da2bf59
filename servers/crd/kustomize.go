package crd

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// kustomizations are the names of the file that has kustomize render a folder.
func kustomizations() []string {
	return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"}
}

// kustomizationIn returns the name of the kustomization in a folder; "": it has none.
func kustomizationIn(folder fs.FS) string {
	for _, file := range kustomizations() {
		if info, err := fs.Stat(folder, file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// definesAny reports whether a file has a definition: then the folder itself is what is meant.
func definesAny(folder fs.FS, files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		data, err := readFile(folder, file)
		return err == nil && !slices.Contains(kustomizations(), file) && bytes.Contains(data, []byte(definitionKind)) && bytes.Contains(data, []byte("openAPIV3Schema"))
	})
}

// kustomization is the part of a kustomization that changes what definitions and configurations are.
type kustomization struct {
	Resources             []entry       `yaml:"resources"`
	Bases                 []entry       `yaml:"bases"`
	Patches               []listedPatch `yaml:"patches"`
	PatchesStrategicMerge []entry       `yaml:"patchesStrategicMerge"`
	PatchesJSON6902       []listedPatch `yaml:"patchesJson6902"`
}

// withoutEffect are the other keys that leave the schemas, the versions and the conversion of a
// definition alone, and of a configuration all that is not rewritten.
func withoutEffect() []string {
	return []string{
		"apiVersion", "kind", "metadata", "configurations", "labels", "commonLabels", "commonAnnotations", "namespace", "namePrefix", "nameSuffix",
		"images", "sortOptions", "generatorOptions", "resources", "bases", "patches", "patchesStrategicMerge", "patchesJson6902",
	}
}

const (
	// withKustomize is the way out for what is not rendered here.
	withKustomize = "render the folder with kustomize build, and name the folder of the result"
	unrendered    = "is not rendered here: " + withKustomize
)

// entry is a text of a kustomization's list, with its line.
type entry struct {
	text string
	line int
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (e *entry) UnmarshalYAML(n *yaml.Node) error {
	e.line = n.Line
	return n.Decode(&e.text)
}

// listedPatch is a patch as a kustomization lists it.
type listedPatch struct {
	Path   entry            `yaml:"path"`
	Patch  string           `yaml:"patch"`
	Target map[string]entry `yaml:"target"`
}

// clusterNamespace is the namespace by which kustomize selects objects that have none.
const clusterNamespace = "_non_namespaceable_"

// selector selects the objects that a patch changes, each part by an expression for the whole text; nil: any.
type selector struct {
	group, version, kind, namespace, name *regexp.Regexp

	file   string // the kustomization
	unread entry  // a key that selects by what is not rendered here; "": none
}

// selects reports whether the selector matches objects of the cluster of a kind that have some name.
func (s selector) selects(kind, apiVersion string) bool {
	group, version, _ := strings.Cut(apiVersion, "/")
	return matches(s.kind, kind) && matches(s.group, group) && matches(s.version, version) && matches(s.namespace, clusterNamespace)
}

// selectsAny reports whether the selector matches definitions or configurations that have some name.
func (s selector) selectsAny() bool {
	if s.selects(definitionKind, definitionGroup+"/v1") {
		return true
	}
	for kind := range configurationKinds {
		if s.selects(kind, admissionGroup+"/v1") {
			return true
		}
	}
	return false
}

func matches(e *regexp.Regexp, text string) bool { return e == nil || e.MatchString(text) }

// whole compiles an expression for a whole text; "": nil, which matches any.
func whole(expression string) (*regexp.Regexp, error) {
	if expression == "" {
		return nil, nil
	}
	return regexp.Compile("^(?:" + expression + ")$")
}

// target reads the target of a patch; false: it is a problem.
func (r *reader) target(file string, target map[string]entry) (s selector, ok bool) {
	s.file, ok = file, true
	parts := map[string]**regexp.Regexp{"group": &s.group, "version": &s.version, "kind": &s.kind, "namespace": &s.namespace, "name": &s.name}
	for _, key := range slices.Sorted(maps.Keys(target)) {
		part, is := parts[key]
		switch {
		case key == "labelSelector" || key == "annotationSelector":
			s.unread = entry{key, target[key].line}
			continue
		case !is:
			r.add(file, target[key].line, "target."+key, "is no key of a target: want group, version, kind, name, namespace, labelSelector or annotationSelector")
			ok = false
			continue
		}
		var err error
		if *part, err = whole(target[key].text); err != nil {
			r.add(file, target[key].line, "target."+key, "%v", err)
			ok = false
		}
	}
	return s, ok
}

// patch changes the definitions and the configurations that it selects.
type patch struct {
	file    string
	of      selector
	merge   []byte          // one that is merged
	json    jsonpatch.Patch // or one of RFC 6902
	only    string          // the object that it is for by its own name; "": a target selects it
	applied bool
}

// render reads what a folder has as its own kustomization, a file of it, has kustomize render it.
func (r *reader) render(name string, folder fs.FS, file string) {
	r.set.Rendered = true
	r.files(name, contentOf(folder, r.kustomize(name, folder, file)))
}

// kustomize reads the kustomization of a folder as kustomize would render it, and returns the files
// of its resources, relative to the folder. It reads files of the folder alone, and fetches nothing:
// whatever else a kustomization names is a problem.
func (r *reader) kustomize(name string, folder fs.FS, file string) (files []string) {
	at := path.Join(name, file)
	data, err := readFile(folder, file)
	if err != nil {
		r.add(at, 0, "", "%v", err)
		return nil
	}
	var keys map[string]yaml.Node
	var k kustomization
	err = yaml.Unmarshal(data, &keys)
	if err == nil {
		err = yaml.Unmarshal(data, &k)
	}
	if err != nil {
		texts := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
		if wrong := (*yaml.TypeError)(nil); errors.As(err, &wrong) {
			texts = wrong.Errors
		}
		for _, text := range texts {
			line, why := atLine(text)
			r.add(at, line, "", "not a kustomization: %s", why)
		}
		return nil
	}
	for key, n := range keys {
		if !slices.Contains(withoutEffect(), key) {
			r.add(at, n.Line, key, "%s", unrendered)
		}
	}
	for _, p := range k.Patches {
		r.listed(name, folder, file, p)
	}
	for _, p := range k.PatchesJSON6902 {
		r.listed(name, folder, file, p)
	}
	for _, p := range k.PatchesStrategicMerge {
		inline := listedPatch{Path: p}
		if strings.Contains(p.text, "\n") {
			inline = listedPatch{Patch: p.text}
		}
		r.listed(name, folder, file, inline)
	}
	for _, resource := range append(k.Resources, k.Bases...) {
		files = append(files, r.resource(name, folder, file, resource)...)
	}
	return files
}

// below returns a path of a kustomization relative to the folder, and whether it is in the folder.
func (r *reader) below(name, file string, e entry) (string, bool) {
	clean := path.Join(path.Dir(file), e.text)
	if strings.Contains(e.text, "://") || strings.Contains(e.text, "?ref=") || strings.HasPrefix(e.text, "github.com/") || !fs.ValidPath(clean) {
		r.add(path.Join(name, file), e.line, "", "%q leads out of the folder, and nothing is fetched: %s", e.text, withKustomize)
		return "", false
	}
	return clean, true
}

// resource returns the files of one resource: a file, or the folder of another kustomization.
func (r *reader) resource(name string, folder fs.FS, file string, e entry) []string {
	at, ok := r.below(name, file, e)
	if !ok {
		return nil
	}
	info, err := fs.Stat(folder, at)
	switch {
	case err != nil:
		r.add(path.Join(name, file), e.line, "resources", "%s: %v", e.text, cause(err))
		return nil
	case !info.IsDir():
		return []string{at}
	}
	for _, k := range kustomizations() {
		if _, err := fs.Stat(folder, path.Join(at, k)); err == nil {
			return r.kustomize(name, folder, path.Join(at, k))
		}
	}
	r.add(path.Join(name, file), e.line, "resources", "%s: the folder has no kustomization.yaml", e.text)
	return nil
}

// listed keeps a patch of a kustomization that is for definitions or configurations.
func (r *reader) listed(name string, folder fs.FS, file string, l listedPatch) {
	at, text := file, []byte(l.Patch)
	if l.Path.text != "" {
		var ok bool
		if at, ok = r.below(name, file, l.Path); !ok {
			return
		}
		var err error
		if text, err = readFile(folder, at); err != nil {
			r.add(path.Join(name, file), l.Path.line, "patches", "%s: %v", l.Path.text, err)
			return
		}
	}
	target, ok := r.target(path.Join(name, file), l.Target)
	if !ok {
		return
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document any
		switch err := decoder.Decode(&document); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			r.add(path.Join(name, at), 0, "", "not a patch: %v", err)
			return
		}
		r.keepPatch(path.Join(name, at), target, l.Target == nil, document)
	}
}

// keepPatch keeps one document of a patch, for the objects of its target, or for the one that it names itself.
func (r *reader) keepPatch(at string, target selector, named bool, document any) {
	raw, err := json.Marshal(document)
	if err != nil {
		r.add(at, 0, "", "not a patch: %v", err)
		return
	}
	body, _ := document.(map[string]any)
	if kind, is := body["kind"].(string); is && target.kind == nil {
		target.kind = regexp.MustCompile("^" + regexp.QuoteMeta(kind) + "$")
	}
	if !target.selectsAny() {
		return
	}
	if key := target.unread; key.text != "" {
		r.add(target.file, key.line, "target."+key.text, "%s", unrendered)
		return
	}
	p := &patch{file: at, of: target}
	switch document.(type) {
	case map[string]any:
		if _, directive := body["$patch"]; directive {
			r.add(at, 0, "$patch", "directives are not rendered here: %s", withKustomize)
			return
		}
		if named {
			p.only = nameOf(body)
			p.of.name = regexp.MustCompile("^" + regexp.QuoteMeta(p.only) + "$")
		}
		delete(body, "metadata") // names, labels and annotations
		if raw, err = json.Marshal(body); err == nil {
			p.merge = raw
		}
	case []any:
		if p.json, err = jsonpatch.DecodePatch(raw); named {
			err = errors.New("a list of operations needs a target")
		}
	default:
		err = fmt.Errorf("want a map or a list")
	}
	if err != nil {
		r.add(at, 0, "", "not a patch: %v", err)
		return
	}
	r.patches = append(r.patches, p)
}

// patch applies the patches for an object of a kind.
func (r *reader) patch(kind, name string, body map[string]any) error {
	apiVersion, _ := body["apiVersion"].(string)
	for _, p := range r.patches {
		if !p.of.selects(kind, apiVersion) || !matches(p.of.name, name) {
			continue
		}
		p.applied = true
		raw, err := json.Marshal(body)
		switch {
		case err != nil:
		case p.json != nil:
			raw, err = p.json.Apply(raw)
		case kind == definitionKind: // it has no lists that kustomize would merge
			raw, err = jsonpatch.MergePatch(raw, p.merge)
		default: // webhooks are merged by name; those of both kinds are alike in this
			raw, err = strategicpatch.StrategicMergePatch(raw, p.merge, admissionregistrationv1.MutatingWebhookConfiguration{})
		}
		if err == nil {
			clear(body)
			err = utiljson.Unmarshal(raw, &body)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", p.file, err)
		}
	}
	return nil
}

// unpatched reports patches for objects that the folder does not have, as kustomize does.
func (r *reader) unpatched() {
	for _, p := range r.patches {
		if !p.applied && p.only != "" {
			r.add(p.file, 0, "", "a patch for %s, which no resource has", p.only)
		}
	}
}
