package builder

import (
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
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/program"
)

// buildManifests reads manifests, and builds the server that they are installed on.
func (b *Builder) buildManifests(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	set, err := b.readManifests(ctx, ref)
	if err != nil {
		return servers.Build{}, fault.ByUser(err)
	}
	server, err := b.underlyingServer(ctx, ref.Manifests.Server)
	if err != nil {
		return servers.Build{}, err
	}
	converts, err := b.programOf(ctx, ref, set)
	if err != nil {
		return servers.Build{}, err
	}
	build, err := crd.Make(ref, set, server, converts)
	if err != nil || ref.Manifests.Served == "" {
		return build, err
	}
	served, err := servers.ParseReference(ref.Manifests.Served)
	if err != nil {
		return servers.Build{}, err
	}
	served.Manifests = servers.Manifests{
		Name: ref.Manifests.ServedName, Within: ref.Manifests.ServedWithin, Server: ref.Manifests.Server,
		Program: ref.Manifests.Program, ProgramWithin: ref.Manifests.ProgramWithin, ProgramOf: program.Old,
	}
	stays, err := b.buildManifests(ctx, served)
	return crd.Forget(build, stays), err
}

// isManifestsServerBuilt reports whether manifests need no download, and the server that they are
// installed on is built.
func isManifestsServerBuilt(b *Builder, ctx context.Context, ref servers.Reference) bool {
	return ref.Module == "" && b.isUnderlyingBuilt(ctx, ref.Manifests.Server)
}

// Manifests returns the definitions that a reference of servers.SchemeManifests names, without
// a server. Errors in them are of fault.User.
func (f Files) Manifests(ctx context.Context, ref servers.Reference) (crd.Set, error) {
	set, err := f.readSomeManifests(ctx, ref)
	return set, fault.ByUser(err)
}

// readManifests reads the folder that a reference names, as it can be installed.
func (f Files) readManifests(ctx context.Context, ref servers.Reference) (crd.Set, error) {
	set, err := f.readSomeManifests(ctx, ref)
	return set, errors.Join(err, set.Installable())
}

// readSomeManifests reads the folder that a reference names, without the definitions that it leaves
// out, and those of other kinds than it names.
func (f Files) readSomeManifests(ctx context.Context, ref servers.Reference) (crd.Set, error) {
	set, err := f.readAllManifests(ctx, ref)
	if ref.Manifests.Kinds != "" {
		set = set.OfKinds(strings.Split(ref.Manifests.Kinds, ","))
	}
	if ref.Manifests.Program != "" {
		entry, problem := f.readProgram(ref)
		err = errors.Join(err, problem)
		if entry != nil {
			set, problem = f.configured(ctx, ref, entry, set)
			err = errors.Join(err, problem)
		}
		if err != nil || entry != nil || ref.Manifests.Program == program.Auto {
			set = set.WithProgram() // one that cannot be read is one problem, and not also that it is missing
		}
	}
	set = set.Without(strings.Split(ref.Manifests.Without, ","))
	stored, problem := set.AsStored(strings.Split(ref.Manifests.Stored, ","))
	return stored, errors.Join(err, problem)
}

// maxAbove is how many folders above that of the definitions may have the kustomization that patches them.
const maxAbove = 2

// kustomizationOf returns the kustomization that has the files of a folder patched: one in the folder, or one
// above it, and below root, that names the folder; "": there is none.
func kustomizationOf(root, folder string) string {
	at, name := filepath.Join(root, folder), ""
	for above := 0; above <= maxAbove; above++ {
		for _, file := range []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} {
			if info, err := os.Lstat(filepath.Join(at, file)); err != nil || !info.Mode().IsRegular() {
				continue
			}
			text, err := os.ReadFile(filepath.Join(at, file))
			if err == nil && (name == "" || strings.Contains(string(text), name)) {
				return filepath.ToSlash(filepath.Join(strings.TrimPrefix(strings.TrimPrefix(at, root), string(filepath.Separator)), file))
			}
		}
		if filepath.Clean(at) == filepath.Clean(root) && root != "" || filepath.Dir(at) == at {
			return ""
		}
		at, name = filepath.Dir(at), filepath.Base(at)
	}
	return ""
}

func (f Files) readAllManifests(ctx context.Context, ref servers.Reference) (crd.Set, error) {
	if ref.Module != "" {
		sums, err := readSums(f.Catalogue, ref.Manifests.Within)
		if err != nil {
			return crd.Set{}, err
		}
		dir, err := fetchModule(ctx, ref, sums)
		if err != nil {
			return crd.Set{}, err
		}
		set, err := f.readFolder(ctx, ref, dir, ref.String())
		if !set.Rendered {
			set.Kustomization = kustomizationOf(dir, ref.Path)
		}
		return set, err
	}
	if in, ok := strings.CutPrefix(ref.Manifests.Within, servers.WithinCatalogue); ok {
		folder, err := fs.Sub(f.Catalogue, path.Join(in, ref.Path))
		if err != nil {
			return crd.Set{}, fmt.Errorf("%s: %w", ref, err)
		}
		return crd.Read(path.Join(in, ref.Path), folder)
	}
	if ref.Manifests.Within != "" {
		return f.readFolder(ctx, ref, ref.Manifests.Within, ref.Path)
	}
	set, err := f.readDir(ctx, ref, ref.Path, ref.Path, os.DirFS(ref.Path))
	if !set.Rendered {
		set.Kustomization = kustomizationOf("", ref.Path)
	}
	return set, err
}

// readFolder reads the folder of a reference below root, and refuses paths that lead out of root.
func (f Files) readFolder(ctx context.Context, ref servers.Reference, root, name string) (crd.Set, error) {
	clean := path.Clean(ref.Path)
	if !fs.ValidPath(clean) {
		return crd.Set{}, fmt.Errorf("%s: leads out of the folder of the file that names it: name a folder below it", name)
	}
	opened, err := os.OpenRoot(root)
	if err != nil {
		return crd.Set{}, fmt.Errorf("%s: %w", name, err)
	}
	defer opened.Close()
	below, err := opened.OpenRoot(clean) // fs.Sub would open any file, even a pipe
	if err != nil {
		absent, _ := fs.Sub(opened.FS(), clean) // reading it reports what is wrong
		return crd.Read(name, absent)
	}
	defer below.Close()
	return f.readDir(ctx, ref, name, filepath.Join(root, clean), below.FS())
}

// readSums reads the module hashes next to the scenario's file; none if there is no such file.
func readSums(catalogue fs.FS, within string) (crd.Sums, error) {
	var data []byte
	var err error
	name := crd.SumsFile
	switch in, catalogued := strings.CutPrefix(within, servers.WithinCatalogue); {
	case within == "":
		return nil, nil
	case catalogued:
		name = path.Join(in, name)
		data, err = fs.ReadFile(catalogue, name)
	default:
		data, err = os.ReadFile(filepath.Join(within, name))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return crd.ReadSums(name, data)
}

// fetchModule downloads the module of a reference, and returns its directory. The go command
// runs in an empty directory, so that no go.mod in a parent directory applies.
func fetchModule(ctx context.Context, ref servers.Reference, sums crd.Sums) (string, error) {
	within, err := os.MkdirTemp("", "skewsim-module-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(within)
	tool, err := build.NewGo(within)
	if err != nil {
		return "", err
	}
	return crd.Fetch(ctx, tool, ref, sums)
}

// checkManifests reports errors in the manifests of references.
func (f Files) checkManifests(ctx context.Context, refs ...servers.Reference) error {
	var problems []error
	for i, ref := range refs {
		if ref.Scheme == servers.SchemeManifests && !slices.Contains(refs[:i], ref) {
			_, err := f.readManifests(ctx, ref)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// CheckReplaced reports changes between the manifests of two releases that no server accepts
// when both are applied: a run would end there.
func (f Files) CheckReplaced(ctx context.Context, refs ...servers.Reference) error {
	var problems []error
	for i := 1; i < len(refs); i++ {
		if refs[i-1].Scheme != servers.SchemeManifests || refs[i].Scheme != servers.SchemeManifests {
			continue
		}
		old, errOld := f.readManifests(ctx, refs[i-1])
		new, errNew := f.readManifests(ctx, refs[i])
		if errOld != nil || errNew != nil {
			continue // Check reports it
		}
		problems = append(problems, crd.Replace(old, new))
	}
	return errors.Join(problems...)
}
