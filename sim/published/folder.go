package published

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/rundir"
)

// ReadFolder reads OpenAPI v3 documents: those of a folder's *.json, or one file. Errors are of
// fault.User, and name the file.
func ReadFolder(name string, isDir bool) (Release, error) {
	r := Release{Name: name, Documents: map[string][]byte{}}
	files := []string{name}
	if isDir {
		var err error
		if files, err = filepath.Glob(filepath.Join(name, "*.json")); err != nil {
			return r, fault.ByUser(err)
		}
	}
	if len(files) == 0 {
		return r, fault.ByUser(fmt.Errorf("%s: has no *.json: name a folder with OpenAPI v3 documents%s", name, hintOfManifests(name)))
	}
	read := make([]document, len(files))
	var group errgroup.Group
	group.SetLimit(readsAtOnce)
	for i, file := range files {
		group.Go(func() error {
			return fault.Guard(func() (err error) {
				read[i], err = readFile(file)
				return err
			})
		})
	}
	if err := group.Wait(); err != nil {
		return r, fault.ByUser(err)
	}
	for i, d := range read {
		r.Resources = append(r.Resources, d.resources...)
		r.Documents[filepath.Base(files[i])] = d.text
		r.Version = cmp.Or(r.Version, d.version)
	}
	r.sort()
	r.Missing = append(r.Missing, name+": files of OpenAPI do not name preferred versions, storage versions, short names and feature gates")
	return r, nil
}

// hintOfManifests returns what to write for a folder that has manifests and no OpenAPI.
func hintOfManifests(name string) string {
	for _, form := range []string{"*.yaml", "*.yml"} {
		if found, err := filepath.Glob(filepath.Join(name, form)); err == nil && len(found) > 0 {
			return fmt.Sprintf(", or write crd:%s for the definitions of custom resources in it", name)
		}
	}
	return ""
}

// readsAtOnce is how many files are read at once.
const readsAtOnce = 4

// document is one file, with the resources that its paths serve.
type document struct {
	text      []byte
	version   string
	resources []Resource
}

// readFile reads one document.
func readFile(file string) (document, error) {
	text, err := rundir.ReadRegular(file)
	if err != nil {
		return document{}, err
	}
	var content struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
		Paths map[string]json.RawMessage `json:"paths"`
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return document{}, fmt.Errorf("%s: %w", file, notJSON(err))
	}
	d := document{text: text}
	if released.MatchString(content.Info.Version) {
		d.version = content.Info.Version
	}
	if d.resources, err = resourcesIn(content.Paths); err != nil {
		return d, fmt.Errorf("%s: %w", file, err)
	}
	return d, nil
}

// released matches the version of a release, which not every document names.
var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+`)

// notJSON says of a file that ends too early that it was cut off, which is what happens to
// files that were downloaded.
func notJSON(err error) error {
	var syntax *json.SyntaxError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input" {
		return errors.New("is cut off: the JSON ends in the middle; fetch the document again")
	}
	return fmt.Errorf("is no OpenAPI v3 document: %w", err)
}
