package published

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"

	"github.com/skewsim/skewsim/sim/lint"
	"github.com/skewsim/skewsim/sim/rundir"
)

// read reads OpenAPI v3 documents, which do not name the gates of a server.
func read(name string, isDir bool) (lint.Server, error) {
	files := []string{name}
	if isDir {
		var err error
		if files, err = filepath.Glob(filepath.Join(name, "*.json")); err != nil {
			return lint.Server{}, err
		}
	}
	s := lint.Server{Name: name, Documents: map[string][]byte{}}
	for _, file := range files {
		text, err := rundir.ReadRegular(file)
		if err != nil {
			return s, err
		}
		s.Documents[filepath.Base(file)] = text
		if s.Version == "" {
			s.Version = versionIn(text)
		}
	}
	if len(files) == 0 {
		return s, fmt.Errorf("%s: has no *.json: name a folder with OpenAPI v3 documents", name)
	}
	return s, nil
}

// versionIn returns the release that a document names; "": it names none.
func versionIn(document []byte) string {
	var of struct {
		Info struct {
			Version string `json:"version"`
		} `json:"info"`
	}
	if json.Unmarshal(document, &of) != nil || !released.MatchString(of.Info.Version) {
		return "" // the linter reports what is not a document
	}
	return of.Info.Version
}

var released = regexp.MustCompile(`^v[0-9]+\.[0-9]+`)
