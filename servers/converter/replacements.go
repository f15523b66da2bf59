package converter

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// replacements are the modules that a module's go.mod has folders in place of which a copy of the module does not have.
type replacements struct {
	// outside are the folders outside of a user's module, as repositories of several modules have them, by their whole paths.
	outside map[module.Version]string
	// siblings are the modules of the same repository whose folders the archive of a published module does not have, as that of
	// cluster-api from v1.14 on. They are published with it, at its version.
	siblings []module.Version
}

// replacementsOf returns what the go.mod of a module in a folder replaces so. Of what is in a vendor directory, the copy has copies.
func replacementsOf(ref servers.Reference, dir string) (r replacements, err error) {
	mod, err := readMod(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return r, nil // the go command says so
	}
	if err != nil {
		return r, err
	}
	_, err = os.Stat(filepath.Join(dir, "vendor", "modules.txt"))
	vendors := err == nil
	r.outside = map[module.Version]string{}
	for _, line := range mod.Replace {
		folder := filepath.FromSlash(line.New.Path)
		switch {
		case line.New.Version != "": // another module
		case ref.Module == "":
			if vendors || filepath.IsLocal(folder) {
				continue
			}
			if !filepath.IsAbs(folder) {
				folder = filepath.Join(dir, folder)
			}
			if r.outside[line.Old], err = filepath.Abs(folder); err != nil {
				return r, err
			}
		case strings.HasPrefix(line.Old.Path, ref.Module+"/"):
			if _, err := os.Stat(filepath.Join(dir, folder, "go.mod")); err != nil {
				r.siblings = append(r.siblings, module.Version{Path: line.Old.Path, Version: ref.Version})
			}
		}
	}
	return r, nil
}

// readMod reads the go.mod of a module in a folder. A lax parser leaves replacements out.
func readMod(dir string) (*modfile.File, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return nil, err
	}
	return modfile.Parse("go.mod", text, nil)
}

// digest returns the hash of the files of a module, given theirs, and of the folders outside of it.
func (r replacements) digest(sum string) (string, error) {
	if len(r.outside) == 0 {
		return sum, nil
	}
	hash := sha256.New()
	fmt.Fprintln(hash, sum)
	for _, m := range r.modules() {
		one, err := digest(r.outside[m])
		if err != nil {
			return "", fmt.Errorf("go.mod replaces %s by a folder: %w", m.Path, err)
		}
		fmt.Fprintln(hash, m, r.outside[m], one)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// modules returns the modules that folders outside replace, one for all versions before those for some.
func (r replacements) modules() []module.Version {
	all := slices.Collect(maps.Keys(r.outside))
	module.Sort(all)
	return all
}

// applyTo changes the go.mod of a copy of the module: it names folders outside by their whole paths, since the copy is elsewhere, and requires
// siblings as they are published.
func (r replacements) applyTo(ctx context.Context, dir string) error {
	if len(r.outside) == 0 && len(r.siblings) == 0 {
		return nil
	}
	mod, err := readMod(dir)
	if err != nil {
		return err
	}
	modules := r.modules()
	for _, m := range modules { // before any is added: one for all versions would take the others away
		err = errors.Join(err, mod.DropReplace(m.Path, m.Version))
	}
	for _, m := range modules {
		err = errors.Join(err, mod.AddReplace(m.Path, m.Version, r.outside[m], ""))
	}
	for _, m := range r.siblings {
		err = errors.Join(err, requireInstead(mod, m))
	}
	if err != nil {
		return err
	}
	mod.Cleanup()
	text, err := mod.Format()
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(filepath.Join(dir, "go.mod"), text, 0o600), addSums(ctx, dir, r.siblings))
}

// requireInstead has a go.mod require a module, and nothing in its place.
func requireInstead(mod *modfile.File, m module.Version) error {
	err := mod.AddRequire(m.Path, m.Version)
	for _, line := range mod.Replace {
		if line.Old.Path == m.Path {
			err = errors.Join(err, mod.DropReplace(line.Old.Path, line.Old.Version))
		}
	}
	return err
}

// addSums adds the lines of modules to the go.sum of a folder.
func addSums(ctx context.Context, dir string, all []module.Version) error {
	if len(all) == 0 {
		return nil
	}
	name := filepath.Join(dir, "go.sum")
	sums, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	for _, m := range all {
		lines, err := sumsOf(ctx, m)
		if err != nil {
			return err
		}
		sums = append(sums, lines...)
	}
	return os.WriteFile(name, sums, 0o600)
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
