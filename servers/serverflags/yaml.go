package serverflags

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"
)

// document is what is read of a YAML document. The fields of all formats are in it, because
// the fields decide on the format.
type document struct {
	Kind     string                `yaml:"kind"`
	Metadata struct{ Name string } `yaml:"metadata"`
	Spec     struct {
		podSpec  `yaml:",inline"`
		Template struct {
			Spec podSpec `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`

	Args              stringList `yaml:"kube-apiserver-arg"`
	MoreArgs          stringList `yaml:"kube-apiserver-arg+"`
	ServiceCIDR       stringList `yaml:"service-cidr"`
	ServiceNodePorts  string     `yaml:"service-node-port-range"`
	SecretsEncryption bool       `yaml:"secrets-encryption"`
}

type podSpec struct {
	Containers []container `yaml:"containers"`
}

type container struct {
	Name    string   `yaml:"name"`
	Image   string   `yaml:"image"`
	Command []string `yaml:"command"`
	Args    []string `yaml:"args"`
}

// stringList is a list of strings, or one string.
type stringList []string

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *stringList) UnmarshalYAML(n *yaml.Node) error {
	var many []string
	if n.Kind == yaml.ScalarNode {
		*l = stringList{n.Value}
		return nil
	}
	err := n.Decode(&many)
	*l = many
	return err
}

// mappings returns the YAML documents of a text, if they are mappings.
func mappings(text []byte) (all []*yaml.Node, are bool, err error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var n yaml.Node
		err := d.Decode(&n)
		switch {
		case errors.Is(err, io.EOF):
			return all, len(all) > 0, nil
		case err != nil:
			return nil, false, err
		case len(n.Content) == 0 || n.Content[0].Kind == yaml.ScalarNode && n.Content[0].Tag == "!!null":
			continue
		case n.Content[0].Kind != yaml.MappingNode:
			return nil, false, nil
		}
		all = append(all, n.Content[0])
	}
}

// parseYAML reads the one document with flags of kube-apiserver.
func (f *Flags) parseYAML(documents []*yaml.Node) error {
	others, found := "", 0
	for _, n := range documents {
		var d document
		if err := n.Decode(&d); err != nil {
			return fmt.Errorf("line %d: fields do not have the types that a Pod or a k3s configuration has", n.Line)
		}
		is, err := f.document(d)
		if err != nil {
			return err
		}
		if is {
			found++
		} else if d.Kind != "" {
			others = " (it contains: " + d.Kind + " " + d.Metadata.Name + ")"
		}
		if d.Kind == "ClusterConfiguration" {
			others = " (a ClusterConfiguration of kubeadm contains only some of the flags: give the manifest that kubeadm wrote, kube-apiserver.yaml)"
		}
	}
	switch found {
	case 0:
		return fmt.Errorf("no container runs kube-apiserver, and there is no kube-apiserver-arg%s", others)
	case 1:
		return nil
	}
	return fmt.Errorf("contains flags of %d kube-apiservers; want one", found)
}

// document reads one YAML document. It reports whether the document has flags.
func (f *Flags) document(d document) (is bool, err error) {
	containers := append(d.Spec.Containers, d.Spec.Template.Spec.Containers...)
	for _, c := range containers {
		words, runs := c.commandLine()
		if !runs {
			continue
		}
		if is {
			return true, errors.New("two containers run kube-apiserver; want one")
		}
		is, f.Format = true, StaticPod
		if script := c.shell(); script {
			f.NotUnderstood = append(f.NotUnderstood,
				fmt.Sprintf("container %s: a shell (-c) runs kube-apiserver; write its flags as a list of arguments, or into a flags file", c.Name))
			continue
		}
		f.words(words, "container "+c.Name)
	}
	if len(d.Args)+len(d.MoreArgs)+len(d.ServiceCIDR) > 0 || d.ServiceNodePorts != "" {
		is, f.Format = true, K3s
		f.k3s(d)
	}
	return is, nil
}

// program is the name of the executable.
const program = "kube-apiserver"

// commandLine returns the arguments of kube-apiserver in a container. Words before the name of
// the executable belong to a program that starts it.
func (c container) commandLine() (words []string, runs bool) {
	all := append(append([]string{}, c.Command...), c.Args...)
	if c.shell() {
		return nil, strings.Contains(strings.Join(all, " "), program)
	}
	for i := len(all) - 1; i >= 0; i-- {
		if path.Base(all[i]) == program && !strings.HasPrefix(all[i], "-") {
			return all[i+1:], true
		}
	}
	image, _, _ := strings.Cut(path.Base(c.Image), ":")
	image, _, _ = strings.Cut(image, "@")
	// Without a command the image decides what runs.
	return c.Args, len(c.Command) == 0 && (strings.HasPrefix(image, program) || c.Name == program)
}

// shell reports whether a container runs a script in an argument.
func (c container) shell() bool {
	all := append(append([]string{}, c.Command...), c.Args...)
	for i, word := range all[:max(0, len(all)-1)] {
		switch path.Base(word) {
		case "sh", "bash", "ash", "dash":
			return strings.HasPrefix(all[i+1], "-") && strings.HasSuffix(all[i+1], "c")
		}
	}
	return false
}

// k3s adds the flags of a configuration of k3s or RKE2, and the settings that k3s turns into
// flags of kube-apiserver.
func (f *Flags) k3s(d document) {
	if len(d.ServiceCIDR) > 0 {
		f.set("service-cluster-ip-range", strings.Join(d.ServiceCIDR, ","))
	}
	if d.ServiceNodePorts != "" {
		f.set("service-node-port-range", d.ServiceNodePorts)
	}
	if d.SecretsEncryption {
		f.set("encryption-provider-config", "")
	}
	for _, arg := range append(d.Args, d.MoreArgs...) {
		f.words([]string{"--" + strings.TrimLeft(arg, "-")}, "kube-apiserver-arg")
	}
}
