package serverflags

import (
	"fmt"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// CopyAdmission writes a copy of an AdmissionConfiguration into a directory, with the files that it names in it,
// and without the plug-ins that call other servers: those are in left, with the reason.
func CopyAdmission(path, dir string) (copied string, left []Flag, err error) {
	text, err := readWhole(path)
	if err != nil {
		return "", nil, &FileError{File: path, Err: err}
	}
	var c struct {
		APIVersion string      `yaml:"apiVersion"`
		Kind       string      `yaml:"kind"`
		Plugins    []yaml.Node `yaml:"plugins"`
	}
	if err := yaml.Unmarshal(text, &c); err != nil || c.Kind != "AdmissionConfiguration" {
		return "", nil, &FileError{File: path, Err: fmt.Errorf("is not an AdmissionConfiguration")}
	}
	all := c.Plugins
	c.Plugins = []yaml.Node{}
	for _, n := range all {
		p, why := copyPlugin(&n, filepath.Dir(path))
		if why != "" {
			left = append(left, Flag{Name: admissionConfig, Value: p.Name, Why: why})
			continue
		}
		var whole yaml.Node
		if err := whole.Encode(p); err != nil {
			return "", nil, &FileError{File: path, Err: err}
		}
		c.Plugins = append(c.Plugins, whole)
	}
	if text, err = yaml.Marshal(c); err == nil {
		copied = filepath.Join(dir, filepath.Base(path))
		err = os.WriteFile(copied, text, 0o600)
	}
	return copied, left, err
}

// plugin is the configuration of an admission plug-in.
type plugin struct {
	Name          string    `yaml:"name"`
	Path          string    `yaml:"path,omitempty"`
	Configuration yaml.Node `yaml:"configuration,omitempty"`
}

// copyPlugin returns a plug-in with its configuration in place, or why it is not taken.
func copyPlugin(n *yaml.Node, folder string) (p plugin, why string) {
	if err := n.Decode(&p); err != nil {
		return p, "its configuration is not one of a plug-in"
	}
	if p.Path != "" {
		at := p.Path
		if !filepath.IsAbs(at) {
			at = filepath.Join(folder, at)
		}
		text, err := readWhole(at)
		var document yaml.Node
		if err == nil {
			err = yaml.Unmarshal(text, &document)
		}
		if err != nil || len(document.Content) == 0 {
			return p, "the file with its configuration is not here; put the configuration into the file itself, under configuration"
		}
		p.Path, p.Configuration = "", *document.Content[0]
	}
	if namesKubeconfig(&p.Configuration) {
		return p, "it calls a server outside the run"
	}
	return p, ""
}
