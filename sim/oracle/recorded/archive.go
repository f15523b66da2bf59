package recorded

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// The files of an archive: an index, a history for each of its entries, and the schemas,
// which histories share, by their digests.
const (
	indexName = "index.yaml"
	suffix    = ".jsonl.gz"
	schemaDir = "schemas"
)

// Entry summarizes what the oracle found in a history when it was recorded.
type Entry struct {
	Name     string           `json:"name"`
	Scenario string           `json:"scenario"` // with the mutant's name: add-field+required
	Releases []string         `json:"releases"` // old, then new
	Verdict  term.VerdictWord `json:"verdict"`
	Caught   term.CheckName   `json:"caught,omitempty"` // the check that caught the mutant
	Checks   []term.CheckName `json:"checks"`           // the checks that judged something
	// Findings are described without copies and steps: each once, in order.
	Findings []string `json:"findings,omitempty"`
}

// Summarize returns the entry of a history with this result.
func Summarize(name string, res result.Result) Entry {
	e := Entry{
		Name: name, Scenario: res.FullName(), Releases: res.Releases, Verdict: res.Verdict,
		Checks: judging(res), Findings: signatures(res),
	}
	if res.Mutant != nil && res.Mutant.Caught {
		e.Caught = res.Mutant.Expectation.Check
	}
	return e
}

// Text returns the lines of an entry's history.
func (a *Archive) Text(name string) ([]byte, error) { return unzip(filepath.Join(a.dir, name+suffix)) }

// Fixture is a recorded history with everything else that the oracle needs.
type Fixture struct {
	History *history.History
	Schemas oracle.Schemas
}

// Archive is a directory of recorded histories.
type Archive struct {
	dir     string
	Entries []Entry // by name
}

// Open reads an archive's index. A directory without one is an empty archive.
func Open(dir string) (*Archive, error) {
	a := &Archive{dir: dir}
	raw, err := os.ReadFile(filepath.Join(dir, indexName))
	if errors.Is(err, os.ErrNotExist) {
		return a, nil
	}
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(raw, &a.Entries); err != nil {
		return nil, fmt.Errorf("%s: %w", indexName, err)
	}
	return a, nil
}

// Read returns the history of an entry, decoded anew each time.
func (a *Archive) Read(name string) (Fixture, error) {
	raw, err := a.Text(name)
	if err != nil {
		return Fixture{}, err
	}
	h, err := history.Decode(bytes.NewReader(raw))
	if err != nil {
		return Fixture{}, fmt.Errorf("%s: %w", name, err)
	}
	f := Fixture{History: h}
	f.Schemas, err = schemasOf(h, func(file string) ([]byte, error) {
		return unzip(filepath.Join(a.dir, schemaDir, file+".gz"))
	})
	return f, err
}

// schemasOf parses what the history's releases published, the gates in their sources, and the
// types of their clients.
func schemasOf(h *history.History, read func(file string) ([]byte, error)) (oracle.Schemas, error) {
	all := oracle.Schemas{}
	for role, release := range h.Releases {
		for as, files := range map[term.Role]map[string]string{role: release.Schemas, oracle.OfClients(role): release.Types} {
			if files == nil {
				continue
			}
			var err error
			if all[as], err = parseAll(files, read); err != nil {
				return nil, fmt.Errorf("schema of %s: %w", release.Version, err)
			}
		}
		if release.GateTags == "" {
			continue
		}
		text, err := read(release.GateTags)
		if err != nil {
			return nil, err
		}
		tags, err := schema.ReadTags(text)
		if err != nil {
			return nil, fmt.Errorf("schema of %s: %w", release.Version, err)
		}
		all[role] = all[role].WithTags(tags)
	}
	return all, nil
}

// parseAll parses the documents of some files.
func parseAll(files map[string]string, read func(file string) ([]byte, error)) (*schema.Schema, error) {
	var documents [][]byte
	for _, gv := range slices.Sorted(maps.Keys(files)) {
		document, err := read(files[gv])
		if err != nil {
			return nil, err
		}
		documents = append(documents, document)
	}
	return schema.Parse(documents)
}

// write stores a history under a name, replacing an existing one, and adds it to the index.
// Documents are the schemas by file name.
func (a *Archive) write(name string, h *history.History, documents map[string][]byte, res result.Result) error {
	text := encode(h)
	if err := unclean(string(text)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(a.dir, schemaDir), 0o755); err != nil {
		return err
	}
	if err := zip(filepath.Join(a.dir, name+suffix), text); err != nil {
		return err
	}
	for file, document := range documents {
		if err := zip(filepath.Join(a.dir, schemaDir, file+".gz"), document); err != nil {
			return err
		}
	}
	a.Entries = slices.DeleteFunc(a.Entries, func(e Entry) bool { return e.Name == name })
	a.Entries = append(a.Entries, Summarize(name, res))
	return a.writeIndex()
}

// Judge judges every history again, and writes the index of the results. If a mutant is not
// caught, or right releases do not pass, the index is not written.
func (a *Archive) Judge() error {
	for i, e := range a.Entries {
		f, err := a.Read(e.Name)
		if err != nil {
			return err
		}
		res, _ := oracle.Judge(f.History, f.Schemas)
		if err := asMeant(res); err != nil {
			return fmt.Errorf("%s: %w", e.Name, err)
		}
		a.Entries[i] = Summarize(e.Name, res)
	}
	return a.writeIndex()
}

func (a *Archive) writeIndex() error {
	slices.SortFunc(a.Entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	raw, err := yaml.Marshal(a.Entries)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(a.dir, indexName), raw, 0o644)
}

// Unused lists the files of the archive that its index no longer refers to: histories without an
// entry, and schemas that no history names.
func (a *Archive) Unused() ([]string, error) {
	used := map[string]bool{indexName: true}
	for _, e := range a.Entries {
		used[e.Name+suffix] = true
		f, err := a.Read(e.Name)
		if err != nil {
			return nil, err
		}
		for _, release := range f.History.Releases {
			for _, files := range []map[string]string{release.Schemas, release.Types} {
				for _, file := range files {
					used[filepath.Join(schemaDir, file+".gz")] = true
				}
			}
			if release.GateTags != "" {
				used[filepath.Join(schemaDir, release.GateTags+".gz")] = true
			}
		}
	}
	var unused []string
	err := filepath.WalkDir(a.dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		below, err := filepath.Rel(a.dir, name)
		if err == nil && !used[below] {
			unused = append(unused, below)
		}
		return err
	})
	return unused, err
}

// RemoveUnused removes those files.
func (a *Archive) RemoveUnused() error {
	unused, err := a.Unused()
	if err != nil {
		return err
	}
	for _, name := range unused {
		if err := os.Remove(filepath.Join(a.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

func unzip(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(r)
}

func zip(name string, content []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// encode writes a history as a run would have written it: in the order of the original file, each
// body before the first record that refers to it.
func encode(h *history.History) []byte {
	records := []history.Record{{Header: &h.Header}}
	for _, role := range slices.Sorted(maps.Keys(h.Releases)) {
		release := h.Releases[role]
		records = append(records, history.Record{Release: &release})
	}
	written := map[string]bool{}
	for _, r := range recordsOf(h) {
		for _, digest := range references(r.one) {
			if blob := h.Body(digest); !written[digest] {
				written[digest] = true
				records = append(records, forms(digest, blob)...)
			}
		}
		records = append(records, r.record)
	}
	var all bytes.Buffer
	enc := json.NewEncoder(&all)
	enc.SetEscapeHTML(false)
	for i, r := range records {
		r.N = i + 1
		if r.End != nil {
			end := *r.End
			end.Digest = history.Digest(all.Bytes()) // of the lines before it
			r.End = &end
		}
		if err := enc.Encode(r); err != nil {
			panic(err) // it was decoded from JSON
		}
	}
	return all.Bytes()
}

// forms returns the records of a body: it may be recorded as JSON, as bytes, or as both.
func forms(digest string, blob history.Blob) (all []history.Record) {
	if blob.JSON != nil {
		all = append(all, history.Record{Blob: &history.Blob{Digest: digest, JSON: blob.JSON}})
	}
	if blob.Bytes != nil {
		all = append(all, history.Record{Blob: &history.Blob{Digest: digest, Bytes: blob.Bytes}})
	}
	return all
}

// placed is a record with its line, and a history of it alone.
type placed struct {
	line   int
	record history.Record
	one    *history.History
}

// recordsOf returns the records of a history, in the order of its file; the end comes last.
func recordsOf(h *history.History) (all []placed) {
	for i, s := range h.Servers {
		all = append(all, placed{s.Line, history.Record{Server: &h.Servers[i]}, &history.History{}})
	}
	for i, s := range h.Skips {
		all = append(all, placed{s.Line, history.Record{Skip: &h.Skips[i]}, &history.History{}})
	}
	for i, o := range h.Intents {
		all = append(all, placed{o.Line, history.Record{Intent: &h.Intents[i]}, &history.History{}})
	}
	for i, o := range h.Operations {
		all = append(all, placed{o.Line, history.Record{Operation: &h.Operations[i]}, &history.History{Operations: h.Operations[i : i+1]}})
	}
	for i, l := range h.Listings {
		all = append(all, placed{l.Line, history.Record{Listing: &h.Listings[i]}, &history.History{Listings: h.Listings[i : i+1]}})
	}
	for i, w := range h.Watches {
		all = append(all, placed{w.Line, history.Record{Watch: &h.Watches[i]}, &history.History{Watches: h.Watches[i : i+1]}})
	}
	for i, t := range h.Trials {
		all = append(all, placed{t.Line, history.Record{Trial: &h.Trials[i]}, &history.History{Trials: h.Trials[i : i+1]}})
	}
	for i, c := range h.Changes {
		all = append(all, placed{c.Line, history.Record{Change: &h.Changes[i]}, &history.History{Changes: h.Changes[i : i+1]}})
	}
	slices.SortStableFunc(all, func(a, b placed) int { return a.line - b.line })
	if h.End != nil {
		all = append(all, placed{record: history.Record{End: h.End}, one: &history.History{}})
	}
	return all
}
