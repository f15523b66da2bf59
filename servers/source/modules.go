package source

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers/build"
)

// Module is a Go module with source of a release: in Go's module cache, or a folder.
type Module struct {
	Path    string // import path: k8s.io/api
	Version string // "": it is in Folder
	Folder  string // "": the module cache has it, or gets it
}

// Modules are where the source of a release is.
type Modules struct {
	// Types are the modules in which the release publishes the types of its own APIs.
	Types []Module
	// Server is the module of the server and those that it is made of; none of a release for
	// which only types are known.
	Server []Module
}

// serverModule is the module that Kubernetes' servers are built from.
const serverModule = "k8s.io/kubernetes"

// published are the modules in which Kubernetes publishes the types of its own APIs.
func published() []build.Source {
	return []build.Source{{Path: "k8s.io/api", Staged: true}, {Path: "k8s.io/apiextensions-apiserver", Staged: true}}
}

// ofServer are the modules of the server, with the types that are not of published.
func ofServer() []build.Source {
	return []build.Source{
		{Path: serverModule}, {Path: "k8s.io/apiserver", Staged: true},
		{Path: "k8s.io/apimachinery", Staged: true}, {Path: "k8s.io/kube-aggregator", Staged: true},
		{Path: "k8s.io/client-go", Staged: true}, // with gates that others need
	}
}

// OfRelease returns the modules of a release of Kubernetes, v1.36.3, less those that
// others have been substituted for, each as "PATH VERSION -> VERSION".
func OfRelease(release string, substituted []string) Modules {
	at := func(s build.Source) Module {
		m := Module{Path: s.Path, Version: s.Version(release)}
		for _, text := range substituted {
			if to, is := strings.CutPrefix(text, m.Path+" "+m.Version+" -> "); is {
				m.Version = to
			}
		}
		return m
	}
	return Modules{Types: each(published(), at), Server: each(ofServer(), at)}
}

// OfCheckout returns the modules that a checkout of Kubernetes stages, and that of itself.
func OfCheckout(folder string) Modules {
	at := func(s build.Source) Module {
		if !s.Staged {
			return Module{Path: s.Path, Folder: folder}
		}
		return Module{Path: s.Path, Folder: filepath.Join(folder, "staging", "src", filepath.FromSlash(s.Path))}
	}
	return Modules{Types: each(published(), at), Server: each(ofServer(), at)}
}

// OfModule returns the source of an API server that is a module of its own: only its types
// are known.
func OfModule(path, version string) Modules {
	return Modules{Types: []Module{{Path: path, Version: version}}}
}

func each(sources []build.Source, at func(build.Source) Module) []Module {
	var all []Module
	for _, s := range sources {
		all = append(all, at(s))
	}
	return all
}

// fetch returns the modules with the folders that they are in.
func fetch(ctx context.Context, modules []Module) ([]Module, error) {
	at, err := os.MkdirTemp("", "skewsim-source-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(at)
	tool, err := build.NewGo(at)
	if err != nil {
		return nil, err
	}
	var all []Module
	for _, m := range modules {
		if m.Folder == "" {
			d, err := tool.Download(ctx, m.Path, m.Version)
			if err != nil {
				return nil, err
			}
			m.Folder = d.Dir
		}
		all = append(all, m)
	}
	return all, nil
}
