package rules

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"
)

// files holds the lists. Only the embed package writes to it.
//
//go:embed *.yaml
var files embed.FS

// Document is one text, with its obligations.
type Document struct {
	// Name is the document's name in the index: guide.
	Name     string    `yaml:"-"`
	Title    string    `yaml:"title"`
	URL      string    `yaml:"url"`
	Sections []Section `yaml:"sections"`
}

// Section is one section of a text.
type Section struct {
	// Name is its heading. Empty: the part before the first heading.
	Name  string `yaml:"section"`
	Rules []Rule `yaml:"rules"`
	// Tells are a few words of each sentence that sounds like an obligation and is not one for
	// those who change an API.
	Tells []string `yaml:"tells"`
}

// Rule is one obligation. It has a scenario, a test or a reason.
type Rule struct {
	// Obliges is the obligation in our words.
	Obliges string `yaml:"obliges"`
	// Says are a few words of each sentence that the rule is taken from.
	Says []string `yaml:"says"`
	// Scenarios keep the rule, or show what it permits.
	Scenarios []string `yaml:"scenarios"`
	// Mutants are the mutants that break the rule, each by its full name: add-field+required.
	Mutants []string `yaml:"mutants"`
	// Tests are tests in Go, as package.TestName.
	Tests []string `yaml:"tests"`
	// Reason is why the rule has no mutant, or no scenario.
	Reason string `yaml:"reason"`
}

// Topic is a part of the catalogue.
type Topic struct {
	// Name is a heading of the guide, or begins with one.
	Name      string   `yaml:"topic"`
	Scenarios []string `yaml:"scenarios"`
}

// Documents returns all texts, the guide's present form first. An error means that the build
// itself is broken.
func Documents() ([]Document, error) {
	var all []Document
	for _, name := range []string{"guide", "early", "lifecycle", "proposal"} {
		d := Document{Name: name}
		if err := decode(name+".yaml", &d); err != nil {
			return nil, err
		}
		all = append(all, d)
	}
	return all, nil
}

// Topics returns the parts of the catalogue, in the guide's order. An error means that the
// build itself is broken.
func Topics() ([]Topic, error) {
	var all []Topic
	return all, decode("topics.yaml", &all)
}

// TopicOf returns the topic of a scenario, or "".
func TopicOf(topics []Topic, scenario string) string {
	for _, t := range topics {
		if slices.Contains(t.Scenarios, scenario) {
			return t.Name
		}
	}
	return ""
}

func decode(name string, into any) error {
	text, err := files.ReadFile(name)
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", path.Join("scenarios/rules", name), err)
	}
	return nil
}
