package gatetags

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/module"
)

// revision is raised with every change of what is read of the same source.
const revision = "1"

// Module is the source of API types: a module in Go's module cache, or a folder.
type Module struct {
	Path    string // import path: k8s.io/api
	Version string // "": it is in Folder
	Folder  string // "": the module cache has it, or gets it
}

// published are the modules in which Kubernetes publishes the types of its own APIs.
func published() []module.Source {
	return []module.Source{{Path: "k8s.io/api", Staged: true}, {Path: "k8s.io/apiextensions-apiserver", Staged: true}}
}

// OfRelease returns the modules of a release of Kubernetes, v1.36.3, less those that
// others have been substituted for, each as "PATH VERSION -> VERSION".
func OfRelease(release string, substituted []string) []Module {
	var all []Module
	for _, s := range published() {
		m := Module{Path: s.Path, Version: s.Version(release)}
		for _, text := range substituted {
			if to, is := strings.CutPrefix(text, m.Path+" "+m.Version+" -> "); is {
				m.Version = to
			}
		}
		all = append(all, m)
	}
	return all
}

// OfCheckout returns the modules that a checkout of Kubernetes stages.
func OfCheckout(folder string) []Module {
	var all []Module
	for _, s := range published() {
		all = append(all, Module{Path: s.Path, Folder: filepath.Join(folder, "staging", "src", filepath.FromSlash(s.Path))})
	}
	return all
}

// Get returns the tags of modules as JSON. Those of published versions are kept in the
// folder kept, for a module cache may be emptied; "" keeps nothing.
func Get(ctx context.Context, kept string, modules []Module) ([]byte, error) {
	file := keptAs(kept, modules)
	if text, err := os.ReadFile(file); err == nil && json.Valid(text) {
		return text, nil
	}
	all := Tags{}
	for _, m := range modules {
		tags, err := m.read(ctx)
		if err != nil {
			return nil, err
		}
		all.add(tags)
	}
	text, err := json.Marshal(all)
	if err != nil || file == "" {
		return text, err
	}
	return text, servers.Keep(file, text)
}

// keptAs names the file by all that the tags depend on; "": they are not kept.
func keptAs(folder string, modules []Module) string {
	names := []string{revision}
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
	return filepath.Join(folder, hex.EncodeToString(sum[:12])+".json")
}

// read reads the tags of one module.
func (m Module) read(ctx context.Context) (Tags, error) {
	if m.Folder != "" {
		return Read(m.Folder, m.Path)
	}
	at, err := os.MkdirTemp("", "skewsim-tags-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(at)
	tool, err := gobuild.NewGo(at)
	if err != nil {
		return nil, err
	}
	d, err := tool.Download(ctx, m.Path, m.Version)
	if err != nil {
		return nil, err
	}
	return Read(d.Dir, m.Path)
}
