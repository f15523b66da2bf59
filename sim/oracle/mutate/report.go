package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Report is what a run of one shard writes.
type Report struct {
	Package string   `json:"package"`
	Shard   string   `json:"shard"`
	Mutants []Result `json:"mutants"`
}

// Result is a mutant and how the tests ended with it.
type Result struct {
	Mutant
	Outcome Outcome `json:"outcome"`
}

func (r Report) write(dir string, s shard) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, fmt.Sprintf("shard-%d-of-%d.json", s.part, s.of)), append(raw, '\n'), 0o644)
}

// read joins the reports of all shards in a directory.
func read(dir string) (all []Result, err error) {
	names, err := filepath.Glob(filepath.Join(dir, "shard-*.json"))
	if err != nil || len(names) == 0 {
		return nil, fmt.Errorf("%s: holds no report of a shard: %w", dir, errOr(err, os.ErrNotExist))
	}
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var r Report
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, r.Mutants...)
	}
	slices.SortStableFunc(all, func(a, b Result) int { return a.ID - b.ID })
	return all, nil
}

func errOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// summary counts outcomes by file.
func summary(all []Result) map[string]map[Outcome]int {
	counts := map[string]map[Outcome]int{}
	for _, r := range all {
		for _, of := range []string{r.File, total} {
			if counts[of] == nil {
				counts[of] = map[Outcome]int{}
			}
			counts[of][r.Outcome]++
		}
	}
	return counts
}

const total = "total"

func outcomes() []Outcome { return []Outcome{Killed, Survived, NotCovered, TimedOut} }

// printSummary writes the summary as a table of Markdown, the total last.
func printSummary(w io.Writer, all []Result) {
	counts := summary(all)
	fmt.Fprintln(w, "| file | mutants | killed | survived | not covered | timed out |\n| --- | ---: | ---: | ---: | ---: | ---: |")
	names := slices.Sorted(maps.Keys(counts))
	names = append(slices.DeleteFunc(names, func(name string) bool { return name == total }), total)
	for _, name := range names {
		sum, cells := 0, ""
		for _, o := range outcomes() {
			sum += counts[name][o]
			cells += fmt.Sprintf(" %d |", counts[name][o])
		}
		fmt.Fprintf(w, "| %s | %d |%s\n", name, sum, cells)
	}
}

// survivors returns the mutants that no test killed, without their place in the file.
func survivors(all []Result) map[Mutant]bool {
	alive := map[Mutant]bool{}
	for _, r := range all {
		if r.Outcome == Survived || r.Outcome == NotCovered {
			alive[r.moved()] = true
		}
	}
	return alive
}

// moved returns the mutant without what changes when lines are added above it.
func (m Mutant) moved() Mutant {
	m.ID, m.Line = 0, 0
	return m
}

// printSurvivors writes a line for each mutant that no test killed.
func printSurvivors(w io.Writer, all []Result) {
	for _, r := range all {
		if r.Outcome == Survived || r.Outcome == NotCovered {
			fmt.Fprintf(w, "%s:%d: %s: %s: %s (%s, mutant %d)\n", r.File, r.Line, r.Function, r.Kind, r.Text, r.Outcome, r.ID)
		}
	}
}
