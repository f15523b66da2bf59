package load

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/suggest"
)

// loadManifests reads the object files, each once.
func loadManifests(s *scenarios.Scenario, folder fs.FS, p *strict.Problems) {
	if len(s.Objects) > scenarios.MaxLines {
		return // validation has reported it
	}
	for _, name := range slices.Sorted(maps.Keys(s.Objects)) {
		o, at := s.Objects[name], strict.Join("objects", name)
		loadManifest(s, folder, o.Treated, at+".treated", p)
		loadManifest(s, folder, o.Bystander, at+".bystander", p)
	}
	Forms(s, p)
}

// loadManifest reads an object file, unless the name is empty or the file was read before.
func loadManifest(s *scenarios.Scenario, folder fs.FS, file, at string, p *strict.Problems) {
	if _, read := s.Manifests[file]; read || file == "" {
		return
	}
	data, why := readObject(folder, file)
	if why != "" {
		p.Add(s.Lines[at], at, "%s", why)
		return
	}
	m := parseObject(path.Join(path.Dir(s.File), file), data, p)
	if m.Body != nil {
		m.File = file
		s.Manifests[file] = m
	}
}

// readObject reads a file in the scenario's folder, or reports why it cannot.
func readObject(folder fs.FS, file string) (data []byte, why string) {
	if clean := path.Clean(file); clean != file && fs.ValidPath(clean) {
		return nil, fmt.Sprintf("%s is not the shortest spelling: want %q", strict.Quote(file), clean)
	}
	if !fs.ValidPath(file) {
		return nil, fmt.Sprintf("%s leads out of the scenario's folder: name a file in it, such as objects/pod.yaml", strict.Quote(file))
	}
	data, err := readRegular(folder, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Sprintf("no file %s in the scenario's folder%s", strict.Quote(file), nearFile(folder, file))
	case err != nil && strings.Contains(err.Error(), "escapes"):
		return nil, fmt.Sprintf("%s is a link that leads out of the scenario's folder", strict.Quote(file))
	case err != nil:
		return nil, fmt.Sprintf("%s: %v", strict.Quote(file), cause(err))
	}
	return data, ""
}

// nearFile suggests a file of the same folder.
func nearFile(folder fs.FS, file string) string {
	entries, _ := fs.ReadDir(folder, path.Dir(file)) // no suggestion without a folder
	var known []string
	for _, e := range entries {
		known = append(known, path.Join(path.Dir(file), e.Name()))
	}
	if near := suggest.Nearest(file, known); near != "" {
		return fmt.Sprintf(": did you mean %q?", near)
	}
	return ""
}

// parseObject turns an object file, YAML or JSON, into unstructured content, or into nil if the
// file has a mistake.
func parseObject(file string, data []byte, parent *strict.Problems) scenarios.Manifest {
	p := &strict.Problems{File: file}
	m := objectContent(data, p)
	if m.Body != nil {
		ValidateObject(m, p)
		Placeholders(m.Body, data, p)
	}
	parent.List = append(parent.List, p.List...)
	if len(p.List) > 0 {
		return scenarios.Manifest{}
	}
	return m
}

// objectContent reads the bytes as kubectl does, JSON as JSON and all else as YAML 1.1, and
// refuses mistakes that kubectl would accept.
func objectContent(data []byte, p *strict.Problems) scenarios.Manifest {
	isJSON := len(data) <= strict.MaxBytes && json.Valid(data)
	look := &strict.Problems{File: p.File}
	n := strict.ParseDocument(data, look)
	if n != nil {
		duplicateKeys(n, look)
	} else if isJSON {
		look.List = nil // JSON that is not YAML, such as "\ud83d\ude00"
	}
	if p.List = append(p.List, look.List...); len(p.List) > 0 {
		return scenarios.Manifest{}
	}
	if isJSON {
		return scenarios.Manifest{Body: jsonContent(data, p), Root: n}
	}
	converted, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		p.Add(0, "", "not YAML: %v", err)
		return scenarios.Manifest{}
	}
	return scenarios.Manifest{Body: jsonContent(converted, p), Root: n}
}

func jsonContent(data []byte, p *strict.Problems) map[string]any {
	var body map[string]any
	unknown, err := kjson.UnmarshalStrict(data, &body)
	for _, e := range unknown {
		p.Add(0, "", "%v", e)
	}
	switch {
	case err != nil || body == nil:
		p.Add(1, "", "not an object: it needs apiVersion, kind and fields")
	case TooDeep(body, 0):
		p.Add(0, "", "lists and maps nest more than %d deep", strict.MaxDepth)
	}
	return body
}

// duplicateKeys reports duplicate keys with their lines, which the conversion does not return.
func duplicateKeys(n *yamlv3.Node, p *strict.Problems) {
	d := strict.Decoder{Problems: p}
	if n.Kind == yamlv3.MappingNode {
		for range d.Keys(n, "") { // only its problems are used
		}
	}
	for _, child := range n.Content {
		duplicateKeys(child, p)
	}
}
