// Package scenarios is the model of a scenario: which releases, which objects, who does what
// to them at which stage, and which findings that must give. Package load fills it from YAML;
// package validate says what is wrong with it. The package also embeds the catalogue's files.
// It never talks to a server and never decides what is done when: that is package plan's.
package scenarios
