package serverflags

import (
	"fmt"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"
)

// admission takes the configuration of admission plug-ins over, if a copy of the file is given
// and the copy needs no other file.
func (t *taking) admission(s setting, copied string) {
	if copied == "" {
		t.leave(s, "", "the file is on the control plane; give a copy of it to take it over")
		return
	}
	path, err := filepath.Abs(copied)
	if err == nil {
		err = checkAdmission(path)
	}
	if err != nil {
		t.leave(s, "", "the copy "+filepath.Base(copied)+" "+err.Error())
		return
	}
	t.options.Flags = append(t.options.Flags, "--"+s.name+"="+path)
	t.account.Taken = append(t.account.Taken, Flag{Name: s.name, Value: filepath.Base(copied)})
}

// checkAdmission returns why a server of the run cannot use an AdmissionConfiguration.
func checkAdmission(path string) error {
	text, err := readWhole(path)
	if err != nil {
		return fmt.Errorf("cannot be read: %w", err)
	}
	var c struct {
		Kind    string `yaml:"kind"`
		Plugins []struct {
			Name          string    `yaml:"name"`
			Path          string    `yaml:"path"`
			Configuration yaml.Node `yaml:"configuration"`
		} `yaml:"plugins"`
	}
	if err := yaml.Unmarshal(text, &c); err != nil || c.Kind != "AdmissionConfiguration" {
		return fmt.Errorf("is not an AdmissionConfiguration")
	}
	for _, p := range c.Plugins {
		switch {
		case p.Path != "":
			return fmt.Errorf("names another file for the plug-in %s; put the configuration into the file itself, under configuration", p.Name)
		case namesKubeconfig(&p.Configuration):
			return fmt.Errorf("names a kubeconfig for the plug-in %s, which calls servers outside the run", p.Name)
		}
	}
	return nil
}

// namesKubeconfig reports whether some field of a configuration names a kubeconfig.
func namesKubeconfig(n *yaml.Node) bool {
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && strings.EqualFold(child.Value, "kubeConfigFile") {
			return true
		}
		if namesKubeconfig(child) {
			return true
		}
	}
	return false
}
