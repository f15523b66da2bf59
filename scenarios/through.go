package scenarios

import (
	"reflect"
	"slices"
	"strings"
)

// Through is a chain, point after point, oldest first. One point alone holds all of
// them as text: frobber@1.0..1.30, which means every release between the two, or
// frobber@1.0,1.1,1.3.
type Through []Point

// Point is a release of a chain, and what its servers are started with. One release
// may be there several times, with other options.
type Point struct {
	// Release is a reference, such as kube-apiserver@v1.37.0.
	Release string `json:"release" jsonschema:"required" jsonschema_description:"The release, such as kube-apiserver@v1.37.0."`
	Options
}

// Short returns the release: a text stands for a point without options.
func (p *Point) Short() any { return &p.Release }

// String is the chain in one line, without options.
func (t Through) String() string {
	var all []string
	for _, p := range t {
		all = append(all, p.Release)
	}
	return strings.Join(all, ",")
}

// Options are what each point's servers are started with; nil where no point says
// anything: then the scenario's old and new hold, for either end of each hop.
func (t Through) Options() []Options {
	if !slices.ContainsFunc(t, func(p Point) bool { return !reflect.DeepEqual(p.Options, Options{}) }) {
		return nil
	}
	var all []Options
	for _, p := range t {
		all = append(all, p.Options)
	}
	return all
}
