package sweep

import (
	"fmt"
	"path"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/sim/objects/try"
)

// Object is a target with the specimen that reaches it, or the reason why none does.
type Object struct {
	Target   Target
	Specimen try.Specimen
	// OtherAccepts reports that a server of the other release, with nothing else in its store,
	// creates the object if it may ignore unknown fields. That the object's own release creates it
	// is why it is played.
	OtherAccepts bool
	// OtherRefuses reports that such a server refuses the object itself. Neither: it does not say.
	OtherRefuses bool
	// ZeroRefused reports that a lap has shown that the object's own release refuses a zero in place of
	// the value, as it does of every field that cannot be changed.
	ZeroRefused bool
}

// Played reports whether there is an object to play.
func (o Object) Played() bool { return o.Specimen.Object != nil }

// Settings are what the scenarios of a lap have in common.
type Settings struct {
	// Name is the scenario's name. Further scenarios of the same lap have numbers.
	Name, About string
	// Releases say what is played. Releases of scenarios.ManifestComponent have one definition
	// at a time, and so no stage with servers of both releases.
	Releases scenarios.Releases
	Old, New scenarios.Options
	// isolate gives the scenario servers of its own: what it stores may make a whole resource
	// unreadable, and with it all other objects of the kind.
	isolate bool
	// expect are the lines of expect; nil: the scenario expects nothing in particular.
	expect []scenarios.Expectation
}

// Generated is a scenario that a sweep generated, with the files that it was read from.
type Generated struct {
	Scenario *scenarios.Scenario
	File     string            // the name of the scenario's file in Files
	Files    map[string][]byte // the scenario and its objects, by name
}

// maxObjects is how many objects a scenario has: with the lines of each, a file stays below
// scenarios.MaxLines. Several scenarios share one run's servers.
const maxObjects = 100

// Scenarios generates what a lap plays: one scenario, or several where there are many objects.
// Objects without a specimen are left out. Those that may make a resource unreadable are in a
// scenario of their own, whose key isolate is set: it must not share servers.
func Scenarios(objects []Object, s Settings) ([]Generated, error) {
	var together, apart []Object
	for _, o := range objects {
		switch {
		case !o.Played():
		case o.Target.Apart:
			apart = append(apart, o)
		default:
			together = append(together, o)
		}
	}
	all, err := inParts(together, s)
	if err != nil || len(apart) == 0 {
		return all, err
	}
	s.Name, s.isolate = s.Name+"-apart", true
	more, err := inParts(apart, s)
	return append(all, more...), err
}

// inParts generates scenarios of a bounded size.
func inParts(objects []Object, s Settings) (all []Generated, _ error) {
	name := s.Name
	for part := range slices.Chunk(objects, maxObjects) {
		if len(all) > 0 {
			s.Name = fmt.Sprintf("%s-%d", name, len(all)+1)
		}
		g, err := compose(part, s)
		if err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	return all, nil
}

// compose writes the files of one scenario, and reads them as those of a user are read.
func compose(objects []Object, s Settings) (Generated, error) {
	model := scenarios.Scenario{Name: s.Name, About: s.About, Releases: s.Releases, Old: s.Old, New: s.New, Isolate: s.isolate, Surge: s.Releases.Of != scenarios.ManifestComponent, Objects: map[string]scenarios.Object{}}
	files := map[string][]byte{}
	for _, o := range objects {
		m := member{object: o, model: &model, files: files, oneDefinition: s.Releases.Of == scenarios.ManifestComponent}
		if err := m.add(); err != nil {
			return Generated{}, fmt.Errorf("object %s: %w", o.Target.ID, err)
		}
	}
	model.Expect = s.expect
	text, err := ScenarioText(model)
	if err != nil {
		return Generated{}, fmt.Errorf("scenario %s: %w", s.Name, err)
	}
	g := Generated{File: s.Name + ".yaml", Files: files}
	files[g.File] = text
	g.Scenario, err = load.FS(FileSystem(files), g.File)
	return g, err
}

// objectFile is the name of the file of an object's form.
func objectFile(name string) string { return path.Join("objects", name+".yaml") }
