package cluster

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// path reads a file, a folder or standard input.
func (r *reader) path(path string, stdin io.Reader) {
	if path == StandardInput {
		r.stream("standard input", stdin)
		return
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		r.problem(path, 0, "%v", cause(err))
	case info.IsDir():
		r.folder(path)
	default:
		r.file(path, info)
	}
}

// folder reads the files in a folder and in its subfolders that end in .yaml, .yml or .json. It
// follows links to files, but not those to folders, which can form a loop.
func (r *reader) folder(root string) {
	links, err := filepath.EvalSymlinks(root) // WalkDir does not follow a link at its root
	if err != nil {
		r.problem(root, 0, "%v", cause(err))
		return
	}
	err = filepath.WalkDir(links, func(path string, e fs.DirEntry, err error) error {
		name := filepath.Join(root, strings.TrimPrefix(path, links))
		switch {
		case r.interrupted() != nil || r.files > maxFiles:
			return fs.SkipAll
		case err != nil:
			r.problem(name, 0, "%v", cause(err))
		case e.IsDir():
			if path != links && strings.HasPrefix(e.Name(), ".") { // such as .git
				return fs.SkipDir
			}
		default:
			r.entry(path, name, e)
		}
		return nil
	})
	if err != nil {
		r.problem(root, 0, "%v", cause(err))
	}
	if r.files > maxFiles {
		r.problem(root, 0, "contains more than %d files ending in .yaml, .yml or .json: pass a smaller folder", maxFiles)
	}
}

// entry reads a file of a folder, if it is one of those to read.
func (r *reader) entry(path, name string, e fs.DirEntry) {
	manifest := slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(path))
	linked := e.Type()&fs.ModeSymlink != 0
	if !manifest && !linked {
		return
	}
	info, err := os.Stat(path)
	switch {
	case err != nil && manifest:
		r.problem(name, 0, "%v", cause(err))
	case err != nil: // a broken link to something else
	case info.IsDir():
		r.coverage.Lack(name, "is a link to a folder, and links in folders are not followed: pass the folder itself")
	case manifest:
		r.file(name, info)
	}
}

// file reads a regular file: opening a named pipe could wait forever.
func (r *reader) file(name string, info fs.FileInfo) {
	if !info.Mode().IsRegular() {
		r.problem(name, 0, "not a regular file: pass - and write to standard input instead")
		return
	}
	f, err := os.Open(name)
	if err != nil {
		r.problem(name, 0, "%v", cause(err))
		return
	}
	defer f.Close()
	r.stream(name, f)
}

// stream reads the documents of one file.
func (r *reader) stream(name string, from io.Reader) {
	if r.files++; r.interrupted() != nil || from == nil {
		return
	}
	data, err := io.ReadAll(io.LimitReader(from, maxJSON+1))
	r.bytes += int64(len(data))
	switch {
	case err != nil:
		r.problem(name, 0, "%v", cause(err))
	case len(data) > maxJSON:
		r.problem(name, 0, "larger than %d MiB: split it", maxJSON>>20)
	case r.bytes > maxTotal:
		r.problem(name, 0, "all files together are larger than %d MiB: pass fewer at once", maxTotal>>20)
	case bytes.HasPrefix(data, []byte{0x1f, 0x8b}):
		r.problem(name, 0, "is compressed with gzip, not a manifest")
	default:
		r.documents(name, data)
	}
}

// documents reads a file as JSON if it is JSON, and otherwise as YAML.
func (r *reader) documents(name string, data []byte) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if start := bytes.TrimLeft(data, " \t\r\n"); len(start) > 0 && start[0] == '{' && r.json(name, data) {
		return
	}
	if len(data) > maxYAML {
		r.problem(name, 0, "larger than %d MiB: split it, or write it as JSON (kubectl get -o json), up to %d MiB", maxYAML>>20, maxJSON>>20)
		return
	}
	r.yaml(name, data)
}

// document is where a document is.
type document struct {
	file   string
	number int // from 1
	line   int // 0: unknown
}

// String returns deploy.yaml, document 3.
func (d document) String() string { return fmt.Sprintf("%s, document %d", d.file, d.number) }
