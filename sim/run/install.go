package run

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// installed is what came of the manifests that a server was given.
func installed(p servers.Process) (all []history.Installed) {
	if i, ok := p.(servers.Installer); ok {
		for _, one := range i.Installed() {
			all = append(all, history.Installed(one))
		}
	}
	return all
}

// refusals says in words what a server did not take of what was to be installed.
func refusals(p servers.Process) (text string) {
	for _, one := range installed(p) {
		if one.Message != "" {
			text += fmt.Sprintf("; the manifest of %s was refused, and the earlier one stays: %d: %s", one.Name, one.Code, one.Message)
		}
	}
	return text
}

// defines are the resources that a release's own manifests define, and what they
// are installed on.
func (w *walker) defines(role term.Role) (resources []string, server string) {
	b := w.config.Builds[role]
	switch {
	case b.Installs != nil:
		return b.Installs.Defines, b.Installs.Server.Reference
	case b.Aggregated != nil:
		return nil, b.Aggregated.Core.Reference
	}
	return nil, ""
}

// clientSchema is what a release's clients are made of, and the files that hold it,
// where that is not what its servers publish; nil: it is.
func (w *walker) clientSchema(ctx context.Context, role term.Role) (*schema.Schema, map[string]string, error) {
	i := w.config.Builds[role].Installs
	if i == nil || i.Clients == nil {
		return nil, nil, nil
	}
	p, err := w.portrait(ctx, role, *i.Clients)
	if err != nil {
		return nil, nil, err
	}
	var documents [][]byte
	files := map[string]string{}
	for gv, document := range p.Documents {
		if files[gv], err = w.keepSchema(document); err != nil {
			return nil, nil, err
		}
		documents = append(documents, document)
	}
	parsed, err := schema.Parse(documents)
	return parsed, files, err
}

// typesOf is the schema that stands in for the types of a release's clients.
func (w *walker) typesOf(role term.Role) *schema.Schema {
	if k := w.known[role]; k.types != nil {
		return k.types
	}
	return w.known[role].schema
}
