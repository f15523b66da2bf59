package engine

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/program"
)

// Place completes references with what a scenario's file says besides their names: the
// file's adapter, the server that manifests are installed on, whether the new manifests are
// forgotten, and the folder of the file for references that only the file names, which own
// reports.
func Place(s *scenarios.Scenario, old, new servers.Reference, own func(servers.Reference) bool) (_, _ servers.Reference) {
	for _, ref := range []*servers.Reference{&old, &new} {
		if ref.Scheme == servers.SchemeModule && ref.Adapter == "" && s.Releases.Adapter != "" {
			ref.Adapter, ref.AdapterWithin = s.Releases.Adapter, within(s)
		}
		if ref.Scheme != servers.SchemeManifests {
			continue
		}
		ref.Manifests.Server = s.Releases.Server
		if s.Releases.Programs != "" {
			ref.Manifests.Program, ref.Manifests.ProgramWithin = s.Releases.Programs, within(s)
		}
		if own(*ref) {
			ref.Manifests.Within = within(s)
		}
	}
	old.Manifests.ProgramOf, new.Manifests.ProgramOf = programsOf(old, program.Old), programsOf(new, program.New)
	if s.New.Forgotten && new.Scheme == servers.SchemeManifests {
		new.Manifests.Served, new.Manifests.ServedName, new.Manifests.ServedWithin = old.String(), old.Manifests.Name, old.Manifests.Within
	}
	return old, new
}

// within returns the folder that paths in a scenario's file are relative to.
func within(s *scenarios.Scenario) string {
	if s.BuiltIn {
		return servers.WithinCatalogue + path.Dir(s.File)
	}
	if dir, err := filepath.Abs(filepath.Dir(s.File)); err == nil {
		return dir
	}
	return filepath.Dir(s.File)
}

// Adapt gives modules the adapter that the user names. It returns an error if no reference
// is a build of a module.
func Adapt(adapter string, refs ...*servers.Reference) error {
	used := adapter == ""
	var names []string
	for _, ref := range refs {
		names = append(names, ref.String())
		if ref.Scheme == servers.SchemeModule {
			ref.Adapter, used = adapter, true
		}
	}
	switch {
	case used:
		return nil
	case len(names) == 2:
		return fault.Optionf("{adapter} %s: neither %s nor %s is a build of a module: leave it out", adapter, names[0], names[1])
	}
	return fault.Optionf("{adapter} %s: none of the builds (%s) is of a module: leave it out", adapter, strings.Join(names, ", "))
}

// AdaptsAny refuses an adapter that is for none of the builds that have these names. It
// ignores names that are not references.
func AdaptsAny(adapter string, names []string) error {
	var refs []*servers.Reference
	for _, name := range names {
		if ref, err := servers.ParseReference(name); err == nil {
			refs = append(refs, &ref)
		}
	}
	return Adapt(adapter, refs...)
}

// programsOf returns the release of a program file that a reference is; "" if none is named.
func programsOf(ref servers.Reference, release string) string {
	if ref.Manifests.Program == "" {
		return ""
	}
	return release
}

// WithPrograms gives manifests the programs that the user names: a file, or the word auto. It
// returns an error if the references are not manifests.
func WithPrograms(programs string, old, new *servers.Reference) error {
	switch {
	case programs == "":
		return nil
	case old.Scheme != servers.SchemeManifests || new.Scheme != servers.SchemeManifests:
		return fault.Optionf("{webhooks} %s: is for releases that are custom resource definitions, and these are not: leave it out", programs)
	}
	for release, m := range map[string]*servers.Manifests{program.Old: &old.Manifests, program.New: &new.Manifests} {
		m.Program, m.ProgramWithin, m.ProgramOf = programs, "", release
	}
	return nil
}

// OnServer gives manifests the kube-apiserver that the user names. It returns an error if
// the name is not a kube-apiserver, or the references are not manifests.
func OnServer(server string, old, new *servers.Reference) error {
	if server == "" {
		return nil
	}
	on, err := servers.ParseReference(server)
	switch {
	case err != nil:
		return fault.Optionf("{server}: %w", err)
	case !on.Underlies():
		return fault.Optionf("{server} %s: want a kube-apiserver, such as kube-apiserver@v1.37.0 or path:FILE", server)
	case old.Scheme != servers.SchemeManifests || new.Scheme != servers.SchemeManifests:
		return fault.Optionf("{server}: is for releases that are custom resource definitions, and these are not: leave it out")
	}
	old.Manifests.Server, new.Manifests.Server = server, server
	return nil
}
