package converter

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// siblings returns the modules of the same repository that a published module replaces by folders which its archive does
// not have, as cluster-api's does from v1.14 on. They are published with it, at its version.
func siblings(ref servers.Reference, dir string) (all []module.Version, err error) {
	if ref.Module == "" {
		return nil, nil // a folder, which has them
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil) // ParseLax leaves replacements out
	if err != nil {
		return nil, err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" || !strings.HasPrefix(r.Old.Path, ref.Module+"/") {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, r.New.Path, "go.mod")); err != nil {
			all = append(all, module.Version{Path: r.Old.Path, Version: ref.Version})
		}
	}
	return all, nil
}

// requireSiblings has the copy of a module require siblings as they are published, instead of folders.
func requireSiblings(ctx context.Context, dir string, all []module.Version) error {
	if len(all) == 0 {
		return nil
	}
	name, sums := filepath.Join(dir, "go.mod"), filepath.Join(dir, "go.sum")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(sums)
	if err != nil {
		return err
	}
	for _, m := range all {
		lines, err := sumsOf(ctx, m)
		if err != nil {
			return err
		}
		sum = append(sum, lines...)
		if err := mod.AddRequire(m.Path, m.Version); err != nil {
			return err
		}
		for _, r := range mod.Replace {
			if r.Old.Path == m.Path {
				if err := mod.DropReplace(r.Old.Path, r.Old.Version); err != nil {
					return err
				}
			}
		}
	}
	mod.Cleanup()
	if text, err = mod.Format(); err != nil {
		return err
	}
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return err
	}
	return os.WriteFile(sums, sum, 0o600)
}

// sumsOf returns the lines of go.sum for a module, which it fetches.
func sumsOf(ctx context.Context, m module.Version) (string, error) {
	tmp, err := os.MkdirTemp("", "skewsim-sibling-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)
	tool, err := build.NewGo(tmp)
	if err != nil {
		return "", err
	}
	out, err := tool.Output(ctx, "mod", "download", "-json", m.String())
	var got struct{ Sum, GoModSum string }
	if err == nil {
		err = json.Unmarshal([]byte(out), &got)
	}
	if err != nil {
		return "", fmt.Errorf("go.mod replaces %s by a folder that the archive of the module does not have, and it cannot be fetched: %w", m, err)
	}
	return fmt.Sprintf("%s %s %s\n%s %s/go.mod %s\n", m.Path, m.Version, got.Sum, m.Path, m.Version, got.GoModSum), nil
}
