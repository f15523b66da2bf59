package recorded

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/schema"
)

// Record adds the history of a run directory to the archive, under a name. The history must be
// whole, a mutant caught, and the verdict on right releases pass. The part that is kept gives the
// same result as the whole: see few.
func (a *Archive) Record(name, dir string) error {
	h, err := history.Load(dir)
	if err != nil {
		return err
	}
	if h.End == nil || len(h.Damage) > 0 {
		return fmt.Errorf("%s: the history is not whole: %v", dir, h.Damage)
	}
	clean := Clean(h)
	documents, err := trimSchemas(dir, clean)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	schemas, err := schemasOf(clean, func(file string) ([]byte, error) { return documents[file], nil })
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if err := a.unchanged(dir, h, clean, schemas); err != nil {
		return err
	}
	trimmed, err := few(clean, schemas)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	res, _ := oracle.Judge(trimmed, schemas)
	if err := h.Err(); err != nil {
		return err
	}
	if err := a.write(name, trimmed, documents, res); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

// unchanged checks that the oracle finds what it must in a history, and that cleaning it, and
// trimming its schemas, has not changed that.
func (a *Archive) unchanged(dir string, h, clean *history.History, schemas oracle.Schemas) error {
	whole, err := schemasOf(h, func(file string) ([]byte, error) { return os.ReadFile(filepath.Join(dir, "schemas", file)) })
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	before, _ := oracle.Judge(h, whole)
	if err := asMeant(before); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	after, _ := oracle.Judge(clean, schemas)
	if !same(before, after) {
		return fmt.Errorf("%s: cleaned, the history shows something else", dir)
	}
	return nil
}

// trimSchemas makes the history's releases name trimmed schemas, and returns these by file name.
func trimSchemas(dir string, h *history.History) (map[string][]byte, error) {
	documents := map[string][]byte{}
	trim := func(files map[string]string) (map[string]string, error) {
		if files == nil {
			return nil, nil
		}
		trimmed := map[string]string{}
		for gv, file := range files {
			raw, err := os.ReadFile(filepath.Join(dir, "schemas", file))
			if err != nil {
				return nil, err
			}
			document, err := trimDocument(raw, h)
			if err != nil {
				return nil, err
			}
			trimmed[gv] = history.Digest(document) + ".json"
			documents[trimmed[gv]] = document
		}
		return trimmed, nil
	}
	all := map[term.Role]history.Release{}
	for role, r := range h.Releases {
		var err error
		if r.Schemas, err = trim(r.Schemas); err != nil {
			return nil, err
		}
		if r.Types, err = trim(r.Types); err != nil {
			return nil, err
		}
		if r.GateTags != "" {
			if r.GateTags, err = trimTags(dir, r, documents); err != nil {
				return nil, err
			}
		}
		all[role] = r
	}
	h.Releases = all
	return documents, nil
}

// trimTags keeps the gates of definitions that the release's trimmed schemas have, adds
// them to the documents, and returns the name of their file.
func trimTags(dir string, r history.Release, documents map[string][]byte) (string, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "schemas", r.GateTags))
	if err != nil {
		return "", err
	}
	tags, err := schema.ReadTags(raw)
	if err != nil {
		return "", err
	}
	kept := schema.Tags{}
	for _, file := range r.Schemas {
		document, err := schema.Read(documents[file])
		if err != nil {
			return "", err
		}
		for name := range document.Definitions {
			if tags[name] != nil {
				kept[name] = tags[name]
			}
		}
	}
	text, err := json.Marshal(kept)
	if err != nil {
		return "", err
	}
	file := history.Digest(text) + ".json"
	documents[file] = text
	return file, nil
}
