package source

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// revision is raised with every change of what is read of the same source.
const revision = "3"

// GetTags returns the feature gates of the fields of published types, as JSON. It needs the
// modules with types alone. What was read of published versions is kept in the folder kept,
// for a module cache may be emptied; "" keeps nothing.
func GetTags(ctx context.Context, kept string, of Modules) ([]byte, error) {
	facts, err := through(kept, "types", of.Types, func() (Facts, error) { return readTypes(ctx, of.Types) })
	if err != nil {
		return nil, err
	}
	return json.Marshal(facts.Tags())
}

// Get returns all that the source of a release says, and keeps it as GetTags does.
func Get(ctx context.Context, kept string, of Modules) (Facts, error) {
	facts, err := through(kept, "types", of.Types, func() (Facts, error) { return readTypes(ctx, of.Types) })
	if err != nil {
		return Facts{}, err
	}
	if len(of.Server) == 0 {
		for _, what := range serverFacts() {
			facts.Missing = append(facts.Missing, Missing{What: what.name, Why: "only the source of the API types is known"})
		}
		return facts, nil
	}
	all := slices.Concat(of.Server, of.Types)
	server, err := through(kept, "server", all, func() (Facts, error) { return readServer(ctx, all) })
	facts.add(server)
	return facts, err
}

// through returns what a kept file holds, or reads it and keeps it.
func through(folder, what string, modules []Module, read func() (Facts, error)) (Facts, error) {
	file := keptAs(folder, what, modules)
	if text, err := os.ReadFile(file); err == nil {
		var facts Facts
		if json.Unmarshal(text, &facts) == nil {
			return facts, nil
		}
	}
	facts, err := read()
	if err != nil || file == "" {
		return facts, err
	}
	text, err := json.Marshal(facts)
	if err != nil {
		return Facts{}, err
	}
	return facts, servers.Keep(file, text)
}

// keptAs names the file by all that the facts depend on; "": they are not kept.
func keptAs(folder, what string, modules []Module) string {
	names := []string{revision, what}
	for _, m := range modules {
		if m.Folder != "" {
			return "" // what it holds may change
		}
		names = append(names, m.Path+"@"+m.Version)
	}
	if folder == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.Join(names, " ")))
	return filepath.Join(folder, what+"-"+hex.EncodeToString(sum[:12])+".json")
}

// readTypes reads the API types of modules.
func readTypes(ctx context.Context, modules []Module) (Facts, error) {
	fetched, err := fetch(ctx, modules)
	if err != nil {
		return Facts{}, err
	}
	all := Facts{}
	for _, m := range fetched {
		facts, err := Read(m.Folder, m.Path)
		if err != nil {
			return Facts{}, err
		}
		all.add(facts)
	}
	return all, nil
}
