// Package scenarios is the model of a scenario: the releases, the objects, the operations of
// each client at each stage, and the expected findings. Package load fills it from YAML,
// and reports what is wrong with it. The package also embeds the catalogue's
// files. It never talks to a server and never decides the order of steps: package plan does.
package scenarios
