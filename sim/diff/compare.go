package diff

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"golang.org/x/sync/errgroup"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// Compare returns every difference between what two releases publish and permit, in the order of
// reports. The result depends on its arguments alone. It returns an error for a document that
// cannot be read.
func Compare(old, new published.Release) (Result, error) {
	var before, after release
	var group errgroup.Group
	for _, side := range []struct {
		of   published.Release
		into *release
	}{{old, &before}, {new, &after}} {
		group.Go(func() error {
			return fault.Guard(func() (err error) {
				*side.into, err = read(side.of)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return Result{}, err
	}
	before.gates, after.gates = states(before, after)
	c := &comparison{old: before, new: after, found: map[key]*entry{}, behind: map[string]*entry{}, pending: map[property][]pending{}, parts: map[Place]Place{}}
	c.made = c.new.madeOf()
	served{c}.kinds()
	served{c}.preferred()
	inSource{c}.sources()
	c.fields()
	return Result{
		Old: old.Name, New: new.Name, OldVersion: old.Version, NewVersion: new.Version,
		Differences: c.sorted(), NotCompared: c.notCompared(), parts: c.parts,
	}, nil
}

// comparison collects differences.
type comparison struct {
	old, new release
	found    map[key]*entry
	behind   map[string]*entry      // the differences of gates, by the gate's name
	pending  map[property][]pending // what the source says of types
	made     map[string]Place       // by type: see madeOf
	parts    map[Place]Place        // see Result
	shadows  int                    // rules that differ, and that neither release enforces
	visited  int                    // schemas, of maxVisited
	cutOff   bool                   // there were more
}

// release is one side of a comparison.
type release struct {
	published.Release
	definitions definitions
	facts       source.Facts
	gates       map[string]GateState
	guards      map[property][]Gate // of the fields that were visited
	// kinds are the resources by version and kind, roots the definitions of all published kinds.
	kinds map[versionKind]published.Resource
	roots map[versionKind]string
	// custom has the definitions of custom resources: no gate of an API server guards their fields, whatever gate of
	// Kubernetes a description names that was copied with a type.
	custom map[string]bool
}

// versionKind is a kind in one version of its API: apps/v1 Deployment.
type versionKind struct{ apiVersion, kind string }

// read reads the documents of a release. Documents define most types repeatedly, all in the same
// way, so each is parsed once.
func read(r published.Release) (release, error) {
	of := release{Release: r, definitions: definitions{}, guards: map[property][]Gate{}, kinds: map[versionKind]published.Resource{}, roots: map[versionKind]string{}, custom: map[string]bool{}}
	for _, x := range r.Resources {
		of.kinds[versionKind{x.APIVersion, x.Kind}] = x
	}
	raw, err := rawDefinitions(r)
	if err != nil {
		return of, err
	}
	if of.facts, err = readFacts(r); err != nil {
		return of, err
	}
	for name, text := range raw {
		definition := new(spec.Schema)
		if err := json.Unmarshal(text, definition); err != nil {
			return of, fmt.Errorf("%s: definition %s: %w", r.Name, name, err)
		}
		of.definitions[name] = definition
		if at, is := kindOf(definition); is {
			of.roots[at] = name
			of.custom[name] = of.kinds[at].Custom
		}
	}
	return of, nil
}

// rawDefinitions returns the text of each type that a release publishes.
func rawDefinitions(r published.Release) (map[string]json.RawMessage, error) {
	all := map[string]json.RawMessage{}
	for _, name := range slices.Sorted(maps.Keys(r.Documents)) {
		var document struct {
			Components *struct {
				Schemas map[string]json.RawMessage `json:"schemas"`
			} `json:"components"`
		}
		err := schema.CheckBounds(r.Documents[name])
		if err == nil {
			err = json.Unmarshal(r.Documents[name], &document)
		}
		if err == nil && document.Components == nil {
			err = errors.New("openapi: the document has no components")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", r.Name, name, err)
		}
		for _, definition := range slices.Sorted(maps.Keys(document.Components.Schemas)) {
			text := document.Components.Schemas[definition]
			if string(text) == "null" { // and it would look as if the release had no such type
				return nil, fmt.Errorf("%s: %s: openapi: definition %q is null", r.Name, name, definition)
			}
			if !has(all, definition) {
				all[definition] = text
			}
		}
	}
	return all, nil
}

// notCompared lists what the comparison leaves out, each with the reason.
func (c *comparison) notCompared() []string {
	all := []string{"hand-written validation: no release publishes it; only playing shows it"}
	all = append(all, c.old.Missing...)
	all = append(all, c.new.Missing...)
	for _, r := range []release{c.old, c.new} {
		for _, m := range r.facts.Missing {
			all = append(all, fmt.Sprintf("%s: its source: %s: %s", r.Name, m.What, m.Why))
		}
	}
	if c.shadows > 0 {
		all = append(all, fmt.Sprintf("%s that differ and that neither release enforces by default", term.Numbered(c.shadows, "+k8s: rule")))
	}
	if c.cutOff {
		all = append(all, fmt.Sprintf("fields beyond the first %d of all kinds", maxVisited))
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(text string) bool {
		again := seen[text]
		seen[text] = true
		return again
	})
}
