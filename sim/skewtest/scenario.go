package skewtest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	kjson "sigs.k8s.io/json"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// ScenarioSpec describes a scenario in Go. It fills the model that a YAML file fills, with
// the same defaults, and the same code validates it. Its methods return no errors: Env.Run
// reports all errors of a scenario at once, each with the line of Go that it comes from. Several
// tests may run a scenario at the same time once it is complete.
type ScenarioSpec struct {
	Lines
	model     scenarios.Scenario
	at        position // of the call of Scenario
	objects   files    // those of the objects
	objectsAt map[string]position
	expect    []*Expectation
	errs      []error
}

// Scenario returns an empty scenario. The name is the run's, and becomes a part of the names
// of its objects: lower-case letters, digits and dashes, at most 40 characters.
func Scenario(name string) *ScenarioSpec {
	return &ScenarioSpec{model: scenarios.Scenario{Name: name}, at: caller(0)}
}

// About sets the description that reports show. The default is the scenario's name.
func (s *ScenarioSpec) About(text string) *ScenarioSpec {
	s.model.About = text
	return s
}

// OldGate switches a feature gate of the old release.
func (s *ScenarioSpec) OldGate(name string, on bool) *ScenarioSpec {
	return s.gate(&s.model.Old, name, on)
}

// NewGate switches a feature gate of the new release.
func (s *ScenarioSpec) NewGate(name string, on bool) *ScenarioSpec {
	return s.gate(&s.model.New, name, on)
}

func (s *ScenarioSpec) gate(of *scenarios.Options, name string, on bool) *ScenarioSpec {
	if of.FeatureGates == nil {
		of.FeatureGates = map[string]bool{}
	}
	of.FeatureGates[name] = on
	return s
}

// Replicas sets how many API servers share the store: 1 to 5. The default is 2, and 1 for
// custom resource definitions.
func (s *ScenarioSpec) Replicas(n int) *ScenarioSpec {
	s.model.Replicas = n
	return s
}

// Journey sets the order of roll-outs. The default is upgrade, rollback, upgrade.
func (s *ScenarioSpec) Journey(rollouts ...Rollout) *ScenarioSpec {
	s.model.Journey = wordsOf[term.Rollout](rollouts)
	return s
}

// Related declares that a server keeps these paths in step, such as a singular field and
// its plural: an operation that names one of them affects all.
func (s *ScenarioSpec) Related(paths ...string) *ScenarioSpec {
	s.model.Related = append(s.model.Related, scenarios.Group{Paths: paths})
	return s
}

// Confidential marks values of an object that no report may show, beside those of Secrets.
func (s *ScenarioSpec) Confidential(object string, paths ...string) *ScenarioSpec {
	s.model.Confidential = append(s.model.Confidential, scenarios.Confidential{Object: object, Path: paths})
	return s
}

// Edit changes the model itself, for keys that have no method here. Lines that the function
// adds to Play come before those of Create, Touch and the other methods, and so do
// expectations.
func (s *ScenarioSpec) Edit(change func(*scenarios.Scenario)) *ScenarioSpec {
	if change == nil {
		s.errs = append(s.errs, isNil(caller(0), "the function of Edit"))
		return s
	}
	change(&s.model)
	return s
}

// YAML returns the scenario as the file that skewsim run takes. Its objects are in separate
// files, which a run directory keeps with the scenario.
func (s *ScenarioSpec) YAML() ([]byte, error) {
	return yamlOf(s.whole())
}

// yamlOf returns a scenario as a file.
func yamlOf(s scenarios.Scenario) ([]byte, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return nil, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	var keys map[string]any
	if err := kjson.UnmarshalCaseSensitivePreserveInts(raw, &keys); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	for key, value := range keys {
		if v, ok := value.(map[string]any); value == nil || ok && len(v) == 0 {
			delete(keys, key)
		}
	}
	if keys["expect"] == nil {
		keys["expect"] = []any{} // without the key, impacts would not fail the run
	}
	return strict.Marshal(keys)
}

// whole returns the model with all lines.
func (s *ScenarioSpec) whole() scenarios.Scenario {
	model := s.model
	model.Play = slices.Concat(model.Play, s.models())
	model.Expect = slices.Clone(model.Expect)
	for _, e := range s.expect {
		model.Expect = append(model.Expect, e.model)
	}
	if model.About == "" {
		model.About = model.Name
	}
	return model
}

// files returns the scenario's file, for releases of a component unless the scenario names
// one, and those of its objects. It does not change s, which other tests may read.
func (s *ScenarioSpec) files(component string) (files, error) {
	model := s.whole()
	model.Releases.Of = cmp.Or(model.Releases.Of, component)
	text, err := yamlOf(model)
	if err != nil {
		return nil, err
	}
	all := files{s.fileName(): {Data: text}}
	maps.Copy(all, s.objects)
	return all, nil
}

func (s *ScenarioSpec) fileName() string { return s.model.Name + ".yaml" }

// load validates the scenario as a file with the same content.
func (s *ScenarioSpec) load(component string) (*scenarios.Scenario, error) {
	if err := s.problems(); err != nil {
		return nil, err
	}
	all, err := s.files(component)
	if err != nil {
		return nil, err
	}
	return load.FS(all, s.fileName())
}

func wordsOf[W, T ~string](texts []T) []W {
	words := make([]W, len(texts))
	for i, text := range texts {
		words[i] = W(text)
	}
	return words
}
