package builder

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
)

// Files reads the files that references name.
type Files struct {
	// Catalogue has those that lie within servers.WithinCatalogue.
	Catalogue fs.FS

	charts *charts // nil: those that scenario files name are refused
}

// maxAdapter bounds what is read of an adapter's file.
const maxAdapter = 1 << 20

// ReadAdapter reads the adapter of a reference to a module; without a file it is what most
// servers need.
func (f Files) ReadAdapter(ref servers.Reference) (aggregated.Adapter, error) {
	if ref.Adapter == "" {
		return aggregated.Default(ref.Module), nil
	}
	name := ref.Adapter
	if ref.AdapterWithin != "" {
		if !fs.ValidPath(path.Clean(filepath.ToSlash(name))) {
			return aggregated.Adapter{}, fmt.Errorf("adapter %q: leads out of the folder of the scenario that names it: name a file in it", name)
		}
		name = path.Join(strings.TrimPrefix(ref.AdapterWithin, servers.WithinCatalogue), ref.Adapter)
	}
	data, err := adapterFile(f.Catalogue, ref)
	switch cause := (*fs.PathError)(nil); {
	case errors.Is(err, fs.ErrNotExist):
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: no such file; leave the adapter out if the server needs none", name)
	case errors.As(err, &cause):
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: %w", name, cause.Err)
	case err != nil:
		return aggregated.Adapter{}, fmt.Errorf("adapter %q: %w", name, err)
	}
	return aggregated.Read(name, data)
}

// adapterFile reads a file of the catalogue, one in the folder of the scenario that names
// it, which it cannot lead out of, or one that the user names.
func adapterFile(catalogue fs.FS, ref servers.Reference) ([]byte, error) {
	var folder fs.FS
	name := filepath.ToSlash(ref.Adapter)
	switch in, catalogued := strings.CutPrefix(ref.AdapterWithin, servers.WithinCatalogue); {
	case catalogued:
		below, err := fs.Sub(catalogue, in)
		if err != nil {
			return nil, err
		}
		folder = below
	case ref.AdapterWithin != "":
		root, err := os.OpenRoot(ref.AdapterWithin)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		folder = root.FS()
	default:
		folder, name = os.DirFS(filepath.Dir(ref.Adapter)), filepath.Base(ref.Adapter)
	}
	return readBounded(folder, path.Clean(name))
}

func readBounded(folder fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(folder, name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, errors.New("is not a regular file")
	}
	f, err := folder.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxAdapter))
}
