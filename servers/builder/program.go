package builder

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/converter"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
	"github.com/skewsim/skewsim/servers/program"
)

// readProgram reads what a program file says of a release; nil if it says nothing, or if no file
// is named. Its errors are *program.FileError.
func (f Files) readProgram(ref servers.Reference) (*program.Entry, error) {
	entry, err := f.openProgram(ref)
	if err != nil {
		return nil, &program.FileError{Err: err}
	}
	return entry, nil
}

func (f Files) openProgram(ref servers.Reference) (*program.Entry, error) {
	name, within := ref.Manifests.Program, ref.Manifests.ProgramWithin
	switch {
	case name == "" || name == program.Auto:
		return nil, nil
	case strings.HasPrefix(within, servers.WithinCatalogue):
		return nil, fmt.Errorf("program %q: scenarios of the catalogue have no programs", name)
	}
	var data []byte
	var err error
	if within == "" {
		data, err = readBounded(os.DirFS(filepath.Dir(name)), filepath.Base(name))
	} else {
		below, outside := program.Below(within, name)
		if outside != nil {
			return nil, fmt.Errorf("program %w", outside)
		}
		root, absent := os.OpenRoot(within)
		if absent != nil {
			return nil, fmt.Errorf("program %q: %w", name, absent)
		}
		defer root.Close()
		data, err = readBounded(root.FS(), filepath.ToSlash(below))
		name = filepath.Join(within, below)
	}
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		err = cause.Err
	}
	if err != nil {
		return nil, fmt.Errorf("program %q: %w; name a program file, or %s", ref.Manifests.Program, err, program.Auto)
	}
	file, err := program.Read(name, data)
	return file.Of(ref.Manifests.ProgramOf), err
}

// configured returns a set with the configurations of admission webhooks that a program file names for its release. Its
// errors are *program.FileError.
func (f Files) configured(ctx context.Context, ref servers.Reference, entry *program.Entry, set crd.Set) (crd.Set, error) {
	if entry.Configurations == "" {
		return set, nil
	}
	module := ""
	if ref.Module != "" {
		var err error
		if module, err = fetchModule(ctx, ref, nil); err != nil {
			return set, nil // reading the definitions reports it
		}
	}
	more, err := readConfigurations(entry, module, ref)
	if err == nil {
		set, err = set.WithConfigurations(more)
	}
	if err != nil {
		err = &program.FileError{Err: err}
	}
	return set, err
}

// readConfigurations reads the configurations that an entry names, for a release whose module is in a directory; module
// "": in none.
func readConfigurations(entry *program.Entry, module string, ref servers.Reference) ([]crd.Configuration, error) {
	root, name, err := entry.ConfigurationsIn(module, ref.Manifests.ProgramWithin, crd.VersionOf(ref))
	if err != nil {
		return nil, err
	}
	shown := filepath.Join(root, name)
	if module != "" && root == module {
		shown = ref.Module + "@" + ref.Version + "//" + filepath.ToSlash(name)
	}
	all, err := readConfigurationsBelow(root, name, shown)
	if cause := (*fs.PathError)(nil); errors.As(err, &cause) {
		from := "of this file"
		if module != "" {
			from = "of the definitions' module"
		}
		return nil, entry.InvalidConfigurations(fmt.Errorf("%s: %w; want a folder or a file, found from the folder %s", shown, cause.Err, from))
	}
	return all, err
}

// readConfigurationsBelow reads the configurations in a folder or a file, whose name errors show. With a root it reads nothing outside
// of that, through no symbolic link either.
func readConfigurationsBelow(root, name, shown string) ([]crd.Configuration, error) {
	var below fs.FS
	if root == "" {
		at, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		below, name = os.DirFS(filepath.Dir(at)), filepath.Base(at)
	} else {
		opened, err := os.OpenRoot(root)
		if err != nil {
			return nil, err
		}
		defer opened.Close()
		below = opened.FS()
	}
	name = filepath.ToSlash(name)
	info, err := fs.Stat(below, name)
	if err != nil {
		return nil, err
	}
	file := ""
	if !info.IsDir() {
		name, file = path.Dir(name), path.Base(name)
		shown = path.Dir(filepath.ToSlash(shown))
	}
	folder, err := fs.Sub(below, name)
	if err != nil {
		return nil, err
	}
	return crd.ReadConfigurations(shown, folder, file)
}

// CheckPrograms returns what the programs lack, on this machine, that are named for releases which need them: an executable, or
// the Go module that a conversion is generated from.
func (f Files) CheckPrograms(ctx context.Context, refs ...servers.Reference) error {
	var problems []error
	for _, ref := range refs {
		if ref.Manifests.Program == "" {
			continue
		}
		entry, err := f.readProgram(ref)
		set, unread := f.readSomeManifests(ctx, ref)
		switch {
		case err != nil || unread != nil: // Check reports it
		case len(set.Converted()) > 0 || entry != nil && set.IsAdmittedAt(entry.Admits):
			if err := lacks(ctx, ref, entry); err != nil && !slices.ContainsFunc(problems, func(e error) bool { return e.Error() == err.Error() }) {
				problems = append(problems, err)
			}
		}
	}
	return errors.Join(problems...)
}

// lacks returns what the program of a release lacks; entry is that of its program file, if one is named.
func lacks(ctx context.Context, ref servers.Reference, entry *program.Entry) error {
	from := ref
	if entry != nil {
		if err := entry.Check(crd.VersionOf(ref)); err != nil || entry.Auto == nil {
			return err
		}
		named, is, err := entry.Auto.Reference(crd.VersionOf(ref))
		if is {
			from = named
		}
		if err != nil || is && named.Module != "" { // which a build fetches
			return err
		}
	}
	if entry == nil && ref.Manifests.Program != program.Auto {
		return nil
	}
	if _, err := moduleOf(ctx, from); err != nil {
		return &program.FileError{Err: err}
	}
	return nil
}

// Executed returns, in words, what a program file says is executed for a release; "" if it cannot be told
// without a build.
func (f Files) Executed(ref servers.Reference) string {
	entry, err := f.readProgram(ref)
	switch {
	case err != nil || ref.Manifests.Program == "" || ref.Manifests.Program == program.Auto:
		return ""
	case entry == nil:
		return "none"
	}
	return entry.Describe(crd.VersionOf(ref))
}

// programOf returns the program that converts the objects of manifests. It has neither a path nor
// a URL if their release needs none, and is nil if nobody names a program.
func (b *Builder) programOf(ctx context.Context, ref servers.Reference, set crd.Set) (*servers.Program, error) {
	if ref.Manifests.Program == "" || len(set.Conversion) > 0 && len(set.Converted()) > 0 && !b.hasProgram(ref) {
		return nil, nil
	}
	if len(set.Converted()) == 0 {
		return b.admitting(ctx, ref, set)
	}
	if ref.Manifests.Program == program.Auto {
		dir, err := moduleOf(ctx, ref)
		if err != nil {
			return nil, fault.ByUser(err)
		}
		p, _, err := b.generated(ctx, ref, dir, strings.Join(set.Converted(), ", "), nil)
		return p, err
	}
	entry, err := b.readProgram(ref)
	if err != nil || entry == nil {
		return nil, fault.ByUser(err)
	}
	if entry.Auto != nil {
		p, _, err := b.generatedOf(ctx, entry.Auto, ref, crd.VersionOf(ref), strings.Join(set.Converted(), ", "))
		return p, err
	}
	return b.started(ctx, entry, crd.VersionOf(ref))
}

// admitting returns the program of manifests whose objects nobody needs to convert: it runs only if it
// admits them.
func (b *Builder) admitting(ctx context.Context, ref servers.Reference, set crd.Set) (*servers.Program, error) {
	entry, err := b.readProgram(ref)
	if err != nil || entry == nil || !set.IsAdmittedAt(entry.Admits) {
		return &servers.Program{}, fault.ByUser(err)
	}
	p, err := b.started(ctx, entry, crd.VersionOf(ref))
	if p != nil {
		p.OnlyAdmits = true
	}
	return p, err
}

// started returns how the program of an entry is started, for a release of a version. What is in a Go module is built, and a container
// image that is missing is pulled.
func (b *Builder) started(ctx context.Context, entry *program.Entry, version string) (_ *servers.Program, err error) {
	if entry.Image != "" {
		return b.inImage(ctx, entry, version)
	}
	executable := ""
	if entry.Module != "" {
		if executable, err = b.buildProgram(ctx, entry, version); err != nil {
			return nil, err
		}
	}
	p, err := entry.Program(version, executable)
	return &p, fault.ByUser(err)
}

// hasProgram reports whether a release has a program, which goes before rules.
func (b *Builder) hasProgram(ref servers.Reference) bool {
	entry, err := b.readProgram(ref)
	return err != nil || entry != nil || ref.Manifests.Program == program.Auto
}

// buildProgram builds the main package of a module.
func (b *Builder) buildProgram(ctx context.Context, entry *program.Entry, version string) (string, error) {
	ref, folder, err := entry.Reference(version)
	if err != nil {
		return "", fault.ByUser(err)
	}
	dir, err := fetchModule(ctx, ref, nil)
	if err != nil {
		return "", entry.At("module", err)
	}
	recipe, err := converter.Command(ref, dir, entry.Component, folder)
	if err != nil {
		return "", err
	}
	built, err := b.compile(ctx, recipe)
	return built.Path, err
}

// StandIn returns a program that converts in place of the webhooks that a cluster's definitions name, and the kinds that
// it converts, each as Kind or Kind.group. The name is a program file, of which the entry old counts, or
// auto:MODULE@VERSION. Errors in the name and in the file are of fault.User.
func (b *Builder) StandIn(ctx context.Context, name string) (p *servers.Program, kinds []string, err error) {
	if name == program.Auto {
		return nil, nil, fault.ByUser(fmt.Errorf("%s: nothing says which module has the conversions: name it, as in %s:sigs.k8s.io/kueue@v0.15.0", name, name))
	}
	if module, is := strings.CutPrefix(name, program.Auto+":"); is {
		ref, err := program.ParseModule(module)
		if err != nil {
			return nil, nil, fault.ByUser(fmt.Errorf("%s:%w", name[:len(program.Auto)], err))
		}
		dir, err := moduleOf(ctx, ref)
		if err != nil {
			return nil, nil, err
		}
		p, kinds, err = b.generated(ctx, ref, dir, "objects", nil)
		return p, kinds, cmp.Or(err, withoutKinds(err, kinds, name, "name a program file with its kinds"))
	}
	ref := servers.Reference{Manifests: servers.Manifests{Program: name, ProgramOf: program.Old}}
	entry, err := b.readProgram(ref)
	if err == nil && entry != nil && !entry.NeedsVersion() {
		err = entry.Check("")
	}
	switch {
	case err != nil:
		return nil, nil, fault.ByUser(err)
	case entry == nil:
		return nil, nil, fault.ByUser(fmt.Errorf("%s: has no entry old: the program that converts today", name))
	case entry.NeedsServer():
		return nil, nil, fault.ByUser(fmt.Errorf("%s: $(kubeconfig) is for a program beside one server, and here one program converts for several servers: leave it out, or name a program that runs already by its url", name))
	case entry.NeedsVersion():
		return nil, nil, fault.ByUser(fmt.Errorf("%s: $(version) is the version of a release's definitions, and a cluster's definitions are of none: write the version that runs in the cluster", name))
	case entry.Auto != nil && entry.Auto.Module == "":
		return nil, nil, fault.ByUser(fmt.Errorf("%s: nothing says which module has the conversions: name it, as in auto: {module: sigs.k8s.io/kueue@v0.15.0}", name))
	case entry.Auto != nil:
		p, kinds, err = b.generatedOf(ctx, entry.Auto, ref, "", "objects")
		if len(entry.Kinds) > 0 {
			kinds = entry.Kinds
		}
		return p, kinds, cmp.Or(err, withoutKinds(err, kinds, name, "name its kinds"))
	case len(entry.Kinds) == 0: // what it cannot convert would look broken
		return nil, nil, fault.ByUser(fmt.Errorf("%s: kinds is missing: which kinds of the cluster it converts, such as [Widget.example.dev]", name))
	}
	p, err = b.started(ctx, entry, "")
	return p, entry.Kinds, err
}

// withoutKinds returns the error for a module that was built, and of whose types nobody knows the group.
func withoutKinds(err error, kinds []string, name, way string) error {
	if err != nil || len(kinds) > 0 {
		return nil
	}
	return fault.ByUser(fmt.Errorf("%s: nothing in the module says of which group its types are (+groupName): %s", name, way))
}

// generatedOf builds the conversion webhook that an entry describes, for a release of a version: of the module that it names, or of
// the one that the release's manifests are in.
func (b *Builder) generatedOf(ctx context.Context, from *program.SourceModule, manifests servers.Reference, version, converted string) (*servers.Program, []string, error) {
	var setup *converter.Setup
	ref, named, err := from.Reference(version)
	if err == nil && from.Setup != "" {
		if setup, err = converter.ReadSetup(from.Setup); err != nil {
			err = from.InvalidSetup(err)
		}
	}
	if err != nil {
		return nil, nil, fault.ByUser(err)
	}
	if !named {
		ref = manifests
	}
	dir, err := moduleOf(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	return b.generated(ctx, ref, dir, converted, setup)
}

// generated builds the conversion webhook of a Go module in a directory, and returns the kinds that it converts. converted
// is what a webhook is to convert, in words.
func (b *Builder) generated(ctx context.Context, ref servers.Reference, dir, converted string, setup *converter.Setup) (*servers.Program, []string, error) {
	found, err := converter.Find(dir)
	if err != nil {
		return nil, nil, fault.ByUser(fmt.Errorf("%s: webhooks auto: %w", ref, err))
	}
	if found.IsEmpty() && setup == nil {
		return nil, nil, fault.ByUser(fmt.Errorf("%s: webhooks auto: no type of the module %s implements Convertible of controller-runtime or of Knative, no variable is a HubSpokeConverter, and a webhook converts %s: name a program file",
			ref, found.Module, converted))
	}
	recipe, err := converter.Recipe(ref, dir, found, setup)
	if err != nil {
		return nil, nil, err
	}
	built, err := b.compile(ctx, recipe)
	if wrong := setup.Explain(err); wrong != nil {
		err = fault.ByUser(wrong)
	}
	if err != nil {
		return nil, nil, err
	}
	p := converter.Program(built.Path, found)
	p.File, err = process.FileOf(built.Path)
	p.Digest = built.Digest
	return &p, found.Kinds(), err
}

func (b *Builder) compile(ctx context.Context, r build.Recipe) (build.Built, error) {
	cache, err := b.cache.open()
	if err != nil {
		return build.Built{}, err
	}
	work := b.config.Progress.Begin(r.Reference)
	defer work.End()
	return cache.Get(ctx, r, work)
}

// moduleOf returns the directory of the Go module of a reference: the module that it names, or the one that its folder is
// part of. A folder in none is the user's error.
func moduleOf(ctx context.Context, ref servers.Reference) (string, error) {
	if ref.Module != "" {
		return fetchModule(ctx, ref, nil)
	}
	dir, err := filepath.Abs(filepath.Join(ref.Manifests.Within, ref.Path))
	if err == nil {
		_, err = os.Stat(dir) // a folder above one that is missing may be of another module
	}
	for ; err == nil; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir, nil
		}
		if filepath.Dir(dir) == dir {
			return "", fault.ByUser(fmt.Errorf("%s: webhooks auto: the folder is in no Go module: name a program file", ref))
		}
	}
	return "", fault.ByUser(err)
}
