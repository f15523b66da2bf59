package scenarios

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/yamlnodes"
)

// loadManifests reads the object files, each once.
func loadManifests(s *Scenario, folder fs.FS, p *problems) {
	if len(s.Objects) > maxLines {
		return // the validator has said so
	}
	for _, name := range sortedKeys(s.Objects) {
		o := s.Objects[name]
		at := join("objects", name)
		treated := loadManifest(s, folder, o.Treated, at+".treated", p)
		bystander := loadManifest(s, folder, o.Bystander, at+".bystander", p)
		if treated != nil && bystander != nil && kindOf(treated) != kindOf(bystander) {
			p.add(s.Lines[at], at, "treated is a %s, bystander a %s: both are forms of one object", kindOf(treated), kindOf(bystander))
		}
		checkNames(s, name, treated, bystander, p)
		idleMutations(s, name, p)
	}
	idleMarks(s, p)
}

func kindOf(body map[string]any) string {
	return fmt.Sprintf("%v %v", body["apiVersion"], body["kind"])
}

// loadManifest returns nil for a file that is not named, or has a problem.
func loadManifest(s *Scenario, folder fs.FS, file, at string, p *problems) map[string]any {
	if m, read := s.Manifests[file]; read || file == "" {
		return m.Body
	}
	data, why := readObject(folder, file)
	if why != "" {
		p.add(s.Lines[at], at, "%s", why)
		return nil
	}
	m := parseObject(path.Join(path.Dir(s.File), file), data, p)
	if m.Body != nil {
		m.File = file
		s.Manifests[file] = m
	}
	return m.Body
}

// readObject reads a file in the scenario's folder, or says why not.
func readObject(folder fs.FS, file string) (data []byte, why string) {
	if clean := path.Clean(file); clean != file && fs.ValidPath(clean) {
		return nil, fmt.Sprintf("%s is not the shortest spelling: want %q", quote(file), clean)
	}
	if !fs.ValidPath(file) {
		return nil, fmt.Sprintf("%s leads out of the scenario's folder: name a file in it, such as objects/pod.yaml", quote(file))
	}
	data, err := readRegular(folder, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("no file %s in the scenario's folder%s", quote(file), nearFile(folder, file))
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return nil, fmt.Sprintf("%s is a link that leads out of the scenario's folder", quote(file))
	case err != nil:
		return nil, fmt.Sprintf("%s: %v", quote(file), cause(err))
	}
	return data, ""
}

// nearFile suggests a file of the same folder.
func nearFile(folder fs.FS, file string) string {
	entries, _ := fs.ReadDir(folder, path.Dir(file)) // no folder, no suggestion
	var known []string
	for _, e := range entries {
		known = append(known, path.Join(path.Dir(file), e.Name()))
	}
	if near := nearest(file, known); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ""
}

// parseObject turns an object file, YAML or JSON, into unstructured content; into
// none, where something is wrong with it.
func parseObject(file string, data []byte, parent *problems) Manifest {
	p := &problems{file: file}
	m := objectContent(data, p)
	if m.Body != nil {
		checkObject(m, p)
		checkPlaceholders(m.Body, data, p)
	}
	parent.list = append(parent.list, p.list...)
	if len(p.list) > 0 {
		return Manifest{}
	}
	return m
}

// objectContent reads the bytes as kubectl does, JSON as JSON and all else as
// YAML 1.1, and refuses what kubectl would let pass.
func objectContent(data []byte, p *problems) Manifest {
	isJSON := len(data) <= maxBytes && json.Valid(data)
	look := &problems{file: p.file}
	n := parseDocument(data, look)
	if n != nil {
		duplicateKeys(n, look)
	} else if isJSON {
		look.list = nil // JSON that is no YAML, such as "\ud83d\ude00"
	}
	if p.list = append(p.list, look.list...); len(p.list) > 0 {
		return Manifest{}
	}
	if isJSON {
		return Manifest{Body: jsonContent(data, p), root: n}
	}
	converted, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		p.add(0, "", "not YAML: %v", err)
		return Manifest{}
	}
	return Manifest{Body: jsonContent(converted, p), root: n}
}

func jsonContent(data []byte, p *problems) map[string]any {
	var body map[string]any
	strict, err := kjson.UnmarshalStrict(data, &body)
	for _, e := range strict {
		p.add(0, "", "%v", e)
	}
	switch {
	case err != nil || body == nil:
		p.add(1, "", "not an object: it needs apiVersion, kind and fields")
	case tooDeep(body, 0):
		p.add(0, "", "lists and maps nest more than %d deep", yamlnodes.MaxDepth)
	}
	return body
}

func tooDeep(node any, depth int) bool {
	deep := depth > yamlnodes.MaxDepth
	switch n := node.(type) {
	case map[string]any:
		for _, child := range n {
			deep = deep || tooDeep(child, depth+1)
		}
	case []any:
		for _, child := range n {
			deep = deep || tooDeep(child, depth+1)
		}
	}
	return deep
}

// duplicateKeys finds them with their lines, which the conversion does not give.
func duplicateKeys(n *yamlv3.Node, p *problems) {
	d := decoder{problems: p}
	if n.Kind == yamlv3.MappingNode {
		for range d.keys(n, "") { // its problems are all that is wanted
		}
	}
	for _, child := range n.Content {
		duplicateKeys(child, p)
	}
}

// groupVersion is apps/v1, or v1 alone; kindName is a kind.
var (
	groupVersion = regexp.MustCompile(`^([a-z0-9]([-a-z0-9.]*[a-z0-9])?/)?[a-z]([-a-z0-9]*[a-z0-9])?$`)
	kindName     = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
)

// checkObject refuses what is no single object.
func checkObject(m Manifest, p *problems) {
	apiVersion, _ := m.Body["apiVersion"].(string)
	kind, _ := m.Body["kind"].(string)
	_, hasItems := m.Body["items"].([]any)
	_, isMap := m.Body["metadata"].(map[string]any)
	wrong := func(field, format string, args ...any) { p.add(m.line(field), "", format, args...) }
	switch {
	case apiVersion == "":
		wrong("apiVersion", "apiVersion is missing, or no string")
	case !groupVersion.MatchString(apiVersion):
		wrong("apiVersion", "apiVersion: %s is no group and version such as apps/v1, or v1", quote(apiVersion))
	}
	switch {
	case kind == "":
		wrong("kind", "kind is missing, or no string")
	case !kindName.MatchString(kind):
		wrong("kind", "kind: %s is no kind such as Deployment", quote(kind))
	case kind == "List" || hasItems && strings.HasSuffix(kind, "List"):
		wrong("kind", "kind %s holds several objects: give each its own file", quote(kind))
	}
	if m.Body["metadata"] != nil && !isMap {
		wrong("metadata", "metadata is no map of fields such as labels")
	}
}
