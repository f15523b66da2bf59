package converter

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/skewsim/skewsim/servers"
)

// outside is a folder outside of a user's module that its go.mod has in place of a module, as repositories of several modules do.
type outside struct {
	replaced module.Version
	folder   string // its whole path
}

// outsideOf returns the folders outside of a user's module that replace modules. A published module has none, since its archive is
// all that there is, and one with a vendor directory has copies of them.
func outsideOf(ref servers.Reference, dir string) (all []outside, err error) {
	if _, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt")); ref.Module != "" || err == nil {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil // the go command says so
	}
	if err != nil {
		return nil, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return nil, err
	}
	for _, r := range mod.Replace {
		local := filepath.FromSlash(r.New.Path)
		if r.New.Version != "" || filepath.IsAbs(local) || filepath.IsLocal(local) {
			continue
		}
		whole, err := filepath.Abs(filepath.Join(dir, local))
		if err != nil {
			return nil, err
		}
		all = append(all, outside{r.Old, whole})
	}
	return all, nil
}

// withOutside returns the hash of the files of a module and of the folders outside of it.
func withOutside(sum string, all []outside) (string, error) {
	if len(all) == 0 {
		return sum, nil
	}
	hash := sha256.New()
	fmt.Fprintln(hash, sum)
	for _, o := range all {
		one, err := digest(o.folder)
		if err != nil {
			return "", fmt.Errorf("go.mod replaces %s by a folder: %w", o.replaced.Path, err)
		}
		fmt.Fprintln(hash, o.replaced, o.folder, one)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}

// nameOutside has the copy of a module name the folders outside of it by their whole paths, since it is elsewhere.
func nameOutside(dir string, all []outside) error {
	if len(all) == 0 {
		return nil
	}
	name := filepath.Join(dir, "go.mod")
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return err
	}
	for _, o := range all {
		if err := mod.AddReplace(o.replaced.Path, o.replaced.Version, o.folder, ""); err != nil {
			return err
		}
	}
	if text, err = mod.Format(); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o600)
}
