package scenarios

import (
	"reflect"
	"slices"
	"strings"
)

// Through is a chain of releases, oldest first. A single point may contain the whole chain as
// text: frobber@1.0..1.30, which means every release between the two, or frobber@1.0,1.1,1.3.
type Through []Point

// Point is a release of a chain, and the options of its servers. A release may occur several
// times with different options.
type Point struct {
	// Release is a reference, such as kube-apiserver@v1.37.0.
	Release string `json:"release" jsonschema:"required" jsonschema_description:"The release, such as kube-apiserver@v1.37.0."`
	Options
}

// Short returns the release: a string is a point without options.
func (p *Point) Short() any { return &p.Release }

// String returns the chain in one line, without options.
func (t Through) String() string {
	var all []string
	for _, p := range t {
		all = append(all, p.Release)
	}
	return strings.Join(all, ",")
}

// Options returns the server options of each point; nil if no point has any: then the
// scenario's old and new apply to the releases of each hop.
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
