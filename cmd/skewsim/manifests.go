package main

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

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/gobuild"
)

// defaultServer is what manifests are installed on where nothing is built yet.
const defaultServer = "kube-apiserver@v1.37.0"

// olderServers are what manifests are installed on where that cannot be had.
func olderServers() []string {
	return []string{"kube-apiserver@v1.36", "kube-apiserver@v1.35", "kube-apiserver@v1.34"}
}

// buildManifests makes a build of manifests: reads them, and builds what they are
// installed on.
func (a *app) buildManifests(ctx context.Context, ref servers.Reference) (servers.Build, error) {
	set, err := a.readManifests(ctx, ref)
	if err != nil {
		return servers.Build{}, usage(err)
	}
	server, err := a.serverOf(ctx, ref.Manifests.Server)
	if err != nil {
		return servers.Build{}, err
	}
	b, err := crd.Make(ref, set, server)
	if err != nil || ref.Manifests.Served == "" {
		return b, err
	}
	served, err := servers.ParseReference(ref.Manifests.Served)
	if err != nil {
		return servers.Build{}, err
	}
	served.Manifests = servers.Manifests{Within: ref.Manifests.ServedWithin, Server: ref.Manifests.Server}
	stays, err := a.buildManifests(ctx, served)
	return crd.Forget(b, stays), err
}

// serverOf builds the kube-apiserver that manifests are installed on, or that another
// server leans on: the one that is named, else the newest that is built.
func (a *app) serverOf(ctx context.Context, name string) (b servers.Build, err error) {
	named := append([]string{newestServer()}, olderServers()...)
	if name != "" {
		named = []string{name}
	}
	for _, text := range named {
		server, problem := servers.ParseReference(text)
		if problem != nil {
			return servers.Build{}, usage(problem)
		}
		server.Preferred = true // no user names it on the command line
		if b, err = a.build(ctx, server); !fault.Is(err, fault.Unavailable) {
			break
		}
	}
	return b, err
}

// newestServer is the newest release of kube-apiserver that is built already.
func newestServer() string {
	built, _ := cached() // without a cache there is none
	var newest *version.Version
	for _, b := range built {
		v, err := version.NewVersion(b.Version)
		if err == nil && b.Name == "kube-apiserver" && b.Reference == "" && (newest == nil || v.GreaterThan(newest)) {
			newest = v
		}
	}
	if newest == nil {
		return defaultServer
	}
	return "kube-apiserver@" + newest.Original()
}

// readManifests reads the folder that a reference names.
func (a *app) readManifests(ctx context.Context, ref servers.Reference) (crd.Set, error) {
	if ref.Module != "" {
		sums, err := readSums(ref.Manifests.Within)
		if err != nil {
			return crd.Set{}, err
		}
		dir, err := fetchModule(ctx, ref, sums)
		if err != nil {
			return crd.Set{}, err
		}
		return readFolder(dir, ref.Path, ref.String())
	}
	if in, ok := strings.CutPrefix(ref.Manifests.Within, servers.WithinCatalogue); ok {
		folder, err := fs.Sub(scenarios.CatalogueFS(), path.Join(in, ref.Path))
		if err != nil {
			return crd.Set{}, fmt.Errorf("%s: %w", ref, err)
		}
		return crd.Read(path.Join(in, ref.Path), folder)
	}
	if ref.Manifests.Within != "" {
		return readFolder(ref.Manifests.Within, ref.Path, ref.Path)
	}
	return crd.Read(ref.Path, os.DirFS(ref.Path))
}

// readFolder reads a folder below another, which it cannot lead out of.
func readFolder(root, folder, name string) (crd.Set, error) {
	clean := path.Clean(folder)
	if !fs.ValidPath(clean) {
		return crd.Set{}, fmt.Errorf("%s: leads out of the folder of what names it: name one below it", name)
	}
	opened, err := os.OpenRoot(root)
	if err != nil {
		return crd.Set{}, fmt.Errorf("%s: %w", name, err)
	}
	defer opened.Close()
	below, err := opened.OpenRoot(clean) // fs.Sub would open a file, a pipe too, to tell what it is
	if err != nil {
		absent, _ := fs.Sub(opened.FS(), clean) // whose reader says what is wrong with it
		return crd.Read(name, absent)
	}
	defer below.Close()
	return crd.Read(name, below.FS())
}

// readSums reads the hashes of modules beside the scenario's file; none without it.
func readSums(within string) (crd.Sums, error) {
	var data []byte
	var err error
	name := crd.SumsFile
	switch in, catalogued := strings.CutPrefix(within, servers.WithinCatalogue); {
	case within == "":
		return nil, nil
	case catalogued:
		name = path.Join(in, name)
		data, err = fs.ReadFile(scenarios.CatalogueFS(), name)
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

// fetchModule has the module of a reference, and is the directory that it is in. Go is
// asked in a directory of its own: a go.mod that anyone left in a shared one would count.
func fetchModule(ctx context.Context, ref servers.Reference, sums crd.Sums) (string, error) {
	within, err := os.MkdirTemp("", "skewsim-module-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(within)
	tool, err := gobuild.NewGo(within)
	if err != nil {
		return "", err
	}
	return crd.Fetch(ctx, tool, ref, sums)
}

// checkManifests tells what is wrong with the manifests of references, before anything
// is built.
func (a *app) checkManifests(ctx context.Context, refs ...servers.Reference) error {
	var problems []error
	for i, ref := range refs {
		if ref.Scheme == servers.SchemeManifests && !slices.Contains(refs[:i], ref) {
			_, err := a.readManifests(ctx, ref)
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// checkReplaced tells what no server takes of a release's manifests over those of the
// release before, where they are applied: a run would end there.
func (a *app) checkReplaced(ctx context.Context, s *scenarios.Scenario, refs ...servers.Reference) error {
	if s.New.Forgotten {
		return nil
	}
	var problems []error
	for i := 1; i < len(refs); i++ {
		if refs[i-1].Scheme != servers.SchemeManifests || refs[i].Scheme != servers.SchemeManifests {
			continue
		}
		old, errOld := a.readManifests(ctx, refs[i-1])
		new, errNew := a.readManifests(ctx, refs[i])
		if errOld != nil || errNew != nil {
			continue // checkManifests tells it
		}
		problems = append(problems, crd.Replace(old, new))
	}
	return errors.Join(problems...)
}
