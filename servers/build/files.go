package build

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
)

// file is a file, or a link, as it was when it was read.
type file struct {
	path string // in the folder, with slashes
	link string // where a link leads to; "": it is a file
	sum  [sha256.Size]byte
}

// read reads all files that count, by path.
func read(ctx context.Context, folder string, r *repository) ([]file, error) {
	paths, err := list(ctx, folder, r)
	if err != nil {
		return nil, err
	}
	files := make([]file, len(paths))
	err = each(ctx, len(paths), func(i int) (err error) {
		files[i], err = readOne(folder, paths[i])
		return err
	})
	files = slices.DeleteFunc(files, func(f file) bool { return f.path == "" })
	return files, err
}

// each does something with each of so many, some at a time.
func each(ctx context.Context, n int, do func(int) error) error {
	group, until := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0) * 2)
	for i := range n {
		if until.Err() != nil {
			break
		}
		group.Go(func() error { return do(i) })
	}
	return cmp.Or(group.Wait(), context.Cause(ctx))
}

// list gives the paths of the files that may count, sorted.
func list(ctx context.Context, folder string, r *repository) (paths []string, err error) {
	if r != nil {
		paths, err = r.files(ctx)
	} else {
		paths, err = walk(folder)
	}
	// Tests are in no program. They are not copied either: one that was embedded would
	// be missed, and not be stale.
	paths = slices.DeleteFunc(paths, func(path string) bool { return strings.HasSuffix(path, "_test.go") })
	slices.Sort(paths)
	return slices.Compact(paths), err
}

// walk lists the files of a folder that is no repository, without what Kubernetes' own
// build leaves there.
func walk(folder string) (paths []string, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(folder, path)
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == ".git" || inside == "_output"):
			return filepath.SkipDir
		case !e.IsDir():
			paths = append(paths, filepath.ToSlash(inside))
		}
		return nil
	})
	return paths, err
}

// readOne gives an empty file for what does not count: what git knows and is gone, what
// is no file, such as another repository, and links that lead out of the folder.
func readOne(folder, path string) (file, error) {
	name := filepath.Join(folder, filepath.FromSlash(path))
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return file{}, nil
	case err != nil:
		return file{}, err
	case info.Mode()&fs.ModeSymlink != 0:
		link, err := os.Readlink(name)
		if err != nil || filepath.IsAbs(link) || !filepath.IsLocal(filepath.Join(filepath.Dir(filepath.FromSlash(path)), link)) {
			return file{}, err
		}
		return file{path: path, link: link}, nil
	case !info.Mode().IsRegular():
		return file{}, nil
	}
	sum, err := pass(name, io.Discard)
	return file{path: path, sum: sum}, err
}

// pass writes a file somewhere, and gives the digest of what it wrote.
func pass(name string, to io.Writer) (sum [sha256.Size]byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return sum, err
	}
	defer f.Close()
	hash := sha256.New()
	_, err = io.Copy(io.MultiWriter(hash, to), f)
	return [sha256.Size]byte(hash.Sum(nil)), err
}

// digest tells apart all sets of files that differ in a path or in content.
func digest(files []file) string {
	hash := sha256.New()
	for _, f := range files {
		fmt.Fprintf(hash, "%d:%s%d:%s%x", len(f.path), f.path, len(f.link), f.link, f.sum)
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// copyAll copies files that are still what they were when they were read.
func copyAll(ctx context.Context, from, to string, files []file) error {
	for _, f := range files {
		if err := os.MkdirAll(filepath.Join(to, filepath.Dir(filepath.FromSlash(f.path))), 0o700); err != nil {
			return err
		}
	}
	return each(ctx, len(files), func(i int) error {
		f := files[i]
		target := filepath.Join(to, filepath.FromSlash(f.path))
		if f.link != "" {
			return os.Symlink(f.link, target)
		}
		return copyOne(filepath.Join(from, filepath.FromSlash(f.path)), target, f)
	})
}

func copyOne(from, to string, f file) error {
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	sum, err := pass(from, out)
	err = errors.Join(err, out.Close())
	if err == nil && sum != f.sum || errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s changed while it was copied: run it again", from)
	}
	return err
}
