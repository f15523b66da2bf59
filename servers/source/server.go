package source

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
)

// fact is one thing that the server's module says.
type fact struct {
	name string
	read func(tree, *Facts) error
}

// serverFacts lists what is read of the server's module. Each is read apart: releases move
// their files, and what one cannot be read of leaves the others.
func serverFacts() []fact {
	return []fact{
		{"feature gates", readGates},
		{"dependencies of feature gates", readGateDependencies},
		{"uses of feature gates", readGateUses},
		{"storage versions", readStorageVersions},
		{"order of versions", readVersionPriority},
		{"admission plug-ins", readPlugins},
		{"bootstrap roles", readRoles},
		{"field selectors", readSelectors},
	}
}

// readServer reads the server's module, and the types that the modules beside it declare.
func readServer(ctx context.Context, modules []Module) (Facts, error) {
	fetched, err := fetch(ctx, modules)
	if err != nil {
		return Facts{}, err
	}
	all := Facts{}
	of := newTree(fetched)
	for _, m := range []string{"k8s.io/apimachinery", "k8s.io/kube-aggregator"} {
		folder, err := of.folder(m)
		if err != nil {
			return Facts{}, err
		}
		facts, err := Read(filepath.Join(folder, "pkg"), m+"/pkg")
		if err != nil {
			all.miss("types of "+m, err)
			continue
		}
		all.add(facts)
	}
	for _, f := range serverFacts() {
		if err := f.read(of, &all); err != nil {
			for _, line := range lines(err) {
				all.miss(f.name, line)
			}
		}
	}
	return all, nil
}

// lines returns the errors that were joined.
func lines(err error) []error {
	var all []error
	for text := range strings.SplitSeq(err.Error(), "\n") {
		all = append(all, errors.New(text))
	}
	return all
}
