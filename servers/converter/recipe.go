package converter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

const (
	// Component is the name of the generated program.
	Component = "conversion-webhook"
	// folder is that of its package in the copy of the module.
	folder = "skewsim-conversion-webhook"
	// runtimeModule has the handler.
	runtimeModule = "sigs.k8s.io/controller-runtime"
	// revision is raised with every change of how a program is built.
	revision = "1"
	// oldestMinor is the first release of controller-runtime, v0.N, that has NewWebhookHandler, and
	// registryMinor the first in which the function has a registry.
	oldestMinor, registryMinor = 15, 23
)

// Recipe returns how the conversion webhook of a module is built. dir is the directory of the
// module, which is only read. setup is the user's; nil: there is none.
func Recipe(ref servers.Reference, dir string, found Found, setup *Setup) (build.Recipe, error) {
	main, err := generate(found, setup)
	if err != nil {
		return build.Recipe{}, &servers.RequestError{Err: fmt.Errorf("%s: webhooks auto: %w", ref, err)}
	}
	r, err := recipe(ref, dir, Component, folder)
	if err != nil {
		return r, err
	}
	r.Main, r.Tree.Completes = main, true // its imports are ours: a module that has only types lacks some
	if setup != nil {
		r.Files = map[string]string{setupFile: setup.text}
	}
	return r, nil
}

// Command returns how a main package of a module is built.
func Command(ref servers.Reference, dir, component, folder string) (build.Recipe, error) {
	return recipe(ref, dir, component, path.Clean(folder))
}

func recipe(ref servers.Reference, dir, component, folder string) (build.Recipe, error) {
	sum, err := digest(dir)
	if err != nil {
		return build.Recipe{}, err
	}
	replaced, err := replacementsOf(ref, dir)
	if err != nil {
		return build.Recipe{}, err
	}
	if sum, err = replaced.digest(sum); err != nil {
		return build.Recipe{}, &servers.RequestError{Err: fmt.Errorf("%s: %w", ref, err)}
	}
	version := ref.Version
	if version == "" {
		version = "local"
	}
	return build.Recipe{
		Name: component, Version: strings.ReplaceAll(version, "/", "-"), Reference: component + " of " + ref.String(), Revision: revision,
		Tree: &build.Tree{
			Digest: sum, Package: folder,
			Copy: func(ctx context.Context, to string) error {
				if err := copyFiles(ctx, dir, to); err != nil {
					return err
				}
				return replaced.applyTo(ctx, to)
			},
		},
		Resolve: func(context.Context, *build.Go) (build.Module, error) { return build.Module{}, nil },
	}, nil
}

// Program returns the program of an executable that Recipe describes.
func Program(executable string, found Found) servers.Program {
	p := servers.Program{
		Component: Component, Path: executable, Args: []string{"--port=$(port)", "--cert-dir=$(certDir)"}, Converts: "/convert",
		MissingSetups: slices.Clone(found.MissingSetups),
	}
	for _, c := range found.Converters {
		if c.Value == "" {
			p.MissingSetups = append(p.MissingSetups, servers.MissingSetup{Text: c.missing(), Setter: c.Package + "." + c.Name})
		}
	}
	return p
}

// walk calls a function with the files of a module that can be part of a build, in order.
func walk(dir string, each func(below string) error) error {
	return filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if at != dir && (strings.HasPrefix(name, ".") || slices.Contains([]string{"testdata", "node_modules", folder}, name)) {
				return filepath.SkipDir
			}
			return nil
		}
		below, err := filepath.Rel(dir, at)
		if err != nil || !d.Type().IsRegular() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		return each(below)
	})
}

// digest returns the hash of the files of a module.
func digest(dir string) (string, error) {
	sum := sha256.New()
	err := walk(dir, func(below string) error {
		f, err := os.Open(filepath.Join(dir, below))
		if err != nil {
			return err
		}
		defer f.Close()
		one := sha256.New()
		if _, err := io.Copy(one, f); err != nil {
			return err
		}
		fmt.Fprintf(sum, "%q %x\n", filepath.ToSlash(below), one.Sum(nil))
		return nil
	})
	return hex.EncodeToString(sum.Sum(nil)), err
}

// copyFiles copies the files of a module.
func copyFiles(ctx context.Context, from, to string) error {
	return walk(from, func(below string) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		data, err := os.ReadFile(filepath.Join(from, below))
		if err != nil {
			return err
		}
		at := filepath.Join(to, below)
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		return os.WriteFile(at, data, 0o600)
	})
}
