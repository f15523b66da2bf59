package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
)

// mostJobs is how many jobs GitHub makes of one matrix.
const mostJobs = 256

// matrixList is a matrix whose cells are listed, and not executed.
type matrixList struct {
	*campaign.Layout
	shards int // how many jobs of a pair --format github makes
}

// print prints what would be played.
func (m matrixList) print(w io.Writer, format string) error {
	switch format {
	case "json":
		s := m.State()
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(s)
	case "github":
		return m.printGitHub(w)
	}
	return m.printText(w)
}

// printText prints the cells, a line for each, then what is not played.
func (m matrixList) printText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 8, 3, ' ', 0)
	fmt.Fprintln(table, "PAIR\tSCENARIO\tJOURNEY\tSTEPS\tSECONDS")
	total := 0.0
	for _, c := range m.Cells {
		fmt.Fprintf(table, "%s\t%s\t%d\t%d\t%.0f\n", c.Pair, c.Scenario(), c.Journey, c.Run.Steps(), c.Cost)
		total += c.Cost
	}
	if err := table.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, "\n%s on %s, about %.0f s one after the other\n", campaign.Numbered(len(m.Cells), "cell"), campaign.Numbered(len(m.Groups), "journey"), total)
	if err == nil {
		err = printExcluded(w, m.Excluded)
	}
	return err
}

// printExcluded prints what is not played, each with its reason.
func printExcluded(w io.Writer, all []matrix.Excluded) error {
	if len(all) == 0 {
		return nil
	}
	if _, err := fmt.Fprintln(w, "\nnot played:"); err != nil {
		return err
	}
	for _, e := range all {
		if _, err := fmt.Fprintf(w, "  %s\n", e); err != nil {
			return err
		}
	}
	return nil
}

// githubJob is one job of a strategy.matrix: all that is played with a pair.
type githubJob struct {
	Pair      string `json:"pair"`
	Old       string `json:"old"`
	New       string `json:"new"`
	Name      string `json:"name"`
	Scenarios string `json:"scenarios"` // names, with spaces between
	Builds    string `json:"builds"`    // for skewsim builds get, likewise
	Shard     string `json:"shard"`     // for --shard; "": the job plays all of the pair
	// AnotherPatch: the job is to give --another-patch, for the list is of what is offered
	// or was asked for with it.
	AnotherPatch bool `json:"anotherPatch"`
}

// printGitHub prints the jobs in one line of JSON.
func (m matrixList) printGitHub(w io.Writer) error {
	if len(m.Cells) == 0 {
		return usage(m.Reasons(fmt.Sprintf("--format github: shard %s has nothing to play, and GitHub refuses a matrix without jobs: list fewer shards", m.Request.Shard)))
	}
	jobs, err := m.githubJobs()
	if err != nil {
		return usage(fmt.Errorf("--format github: %w", err))
	}
	if len(jobs) > mostJobs {
		return usage(fmt.Errorf("--format github: %d jobs, and GitHub makes %d of a matrix at most: name fewer pairs with --pairs or --releases, ask for fewer --shards, or list parts with --shard", len(jobs), mostJobs))
	}
	return json.NewEncoder(w).Encode(map[string]any{"include": jobs})
}

// githubJobs are the jobs: one for each pair, or for each part of it.
func (m matrixList) githubJobs() ([]githubJob, error) {
	jobs := []githubJob{}
	var of [][]*campaign.Cell // by job
	for _, c := range m.Cells {
		pair := c.Pair.String()
		if n := len(jobs); n == 0 || jobs[n-1].Pair != pair {
			jobs = append(jobs, githubJob{Pair: pair, Old: c.Pair.Old.Reference, New: c.Pair.New.Reference, Name: c.Pair.Short(), AnotherPatch: m.Request.Substitutes()})
			of = append(of, nil)
		}
		n := len(jobs) - 1
		job := &jobs[n]
		of[n] = append(of[n], c)
		job.Scenarios = join(job.Scenarios, c.Named)
		builds := buildsOf(c.Run)
		if err := oneWord(append([]string{c.Named}, builds...)...); err != nil {
			return nil, err
		}
		for _, b := range builds {
			job.Builds = join(job.Builds, b)
		}
	}
	tellApart(jobs)
	var all []githubJob
	for i, job := range jobs {
		all = append(all, inParts(job, m.partsOf(of[i]))...)
	}
	return all, nil
}

// oneWord refuses names that a list with spaces between would be split in.
func oneWord(names ...string) error {
	for _, name := range names {
		if strings.ContainsFunc(name, unicode.IsSpace) {
			return fmt.Errorf("%q: has a space, and names are listed with spaces between, for scripts to split: give it a name without", name)
		}
	}
	return nil
}

// partsOf is in how many parts a pair's cells are played: as many as --shards asks for,
// or fewer, so that none has nothing to play. The jobs themselves split them, and come to
// the same.
func (m matrixList) partsOf(cells []*campaign.Cell) int {
	var weighed []matrix.Weighed
	for _, c := range cells {
		weighed = append(weighed, matrix.Weighed{ID: c.Label, Journey: fmt.Sprint(c.Journey), Cost: c.Cost})
	}
	for n := min(m.shards, len(cells)); n > 1; n-- {
		used := map[int]bool{}
		for _, in := range matrix.Split(weighed, n) {
			used[in] = true
		}
		if len(used) == n {
			return n
		}
	}
	return 1
}

// inParts is a job for each of n parts of what one would play.
func inParts(job githubJob, n int) []githubJob {
	if n == 1 {
		return []githubJob{job}
	}
	var all []githubJob
	for i := range n {
		part := job
		part.Shard = matrix.Shard{Index: i + 1, Of: n}.String()
		part.Name += " " + part.Shard
		all = append(all, part)
	}
	return all
}

// join adds a word to words, once.
func join(words, word string) string {
	all := strings.Fields(words)
	if slices.Contains(all, word) {
		return words
	}
	return strings.Join(append(all, word), " ")
}

// tellApart gives jobs that would have one name their pair's.
func tellApart(jobs []githubJob) {
	count := map[string]int{}
	for _, j := range jobs {
		count[j.Name]++
	}
	for i, j := range jobs {
		if count[j.Name] > 1 {
			jobs[i].Name = j.Pair
		}
	}
}

// buildsOf are the builds that a task needs, as references.
func buildsOf(t engine.Run) (names []string) {
	for _, ref := range t.Refs {
		names = append(names, ref.String())
	}
	for _, role := range engine.ClientRolesOf(t.Plan).Roles {
		i := 0
		if role == term.New {
			i = 1
		}
		switch {
		case role == term.Older:
			names = append(names, builder.TypedClientPrefix+t.Plan.Clients)
		case t.Refs[i].Scheme == servers.SchemeRelease:
			names = append(names, builder.TypedClientPrefix+t.Refs[i].Version)
		}
	}
	return names
}
