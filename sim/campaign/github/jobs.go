package github

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/campaign"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/matrix"
)

// maxJobs is how many jobs GitHub makes of one matrix.
const maxJobs = 256

// Job is one entry of a strategy.matrix.
type Job struct {
	Pair      string `json:"pair"`
	Old       string `json:"old"`
	New       string `json:"new"`
	Name      string `json:"name"`
	Scenarios string `json:"scenarios"` // names, separated by spaces
	Builds    string `json:"builds"`    // for skewsim builds get, separated by spaces
	Shard     string `json:"shard"`     // for --shard; "": the job has all cells of the pair
	// AnotherPatch: the job must give --another-patch, because the list has what is offered
	// or was requested with it.
	AnotherPatch bool `json:"anotherPatch"`
}

// Jobs returns the jobs of a matrix: one for each pair, or, with shards above 1, up to so many
// for each pair, none of which is without cells. Errors: GitHub refuses so many jobs, or none,
// or a name has a space.
func Jobs(m *campaign.Layout, shards int) ([]Job, error) {
	if len(m.Cells) == 0 {
		return nil, m.Reasons(fault.Optionf("{format} github: shard %s has nothing to play, and GitHub refuses a matrix without jobs: list fewer shards", m.Request.Shard))
	}
	jobs, cells, err := byPair(m)
	if err != nil {
		return nil, fault.Optionf("{format} github: %w", err)
	}
	distinguish(jobs)
	var all []Job
	for i, job := range jobs {
		all = append(all, split(job, parts(cells[i], shards))...)
	}
	if len(all) > maxJobs {
		return nil, fault.Optionf("{format} github: %d jobs, and GitHub makes %d of a matrix at most: name fewer pairs with {pairs} or {releases}, ask for fewer {shards}, or list parts with {shard}", len(all), maxJobs)
	}
	return all, nil
}

// byPair returns a job for each pair, and its cells.
func byPair(m *campaign.Layout) (jobs []Job, cells [][]*campaign.Cell, _ error) {
	for _, c := range m.Cells {
		pair := c.Pair.String()
		if n := len(jobs); n == 0 || jobs[n-1].Pair != pair {
			jobs = append(jobs, Job{Pair: pair, Old: c.Pair.Old.Reference, New: c.Pair.New.Reference, Name: c.Pair.Short(), AnotherPatch: m.Request.Substitutes()})
			cells = append(cells, nil)
		}
		n := len(jobs) - 1
		job := &jobs[n]
		cells[n] = append(cells[n], c)
		job.Scenarios = join(job.Scenarios, c.Named)
		builds := buildsOf(c.Run)
		if err := oneWord(append([]string{c.Named}, builds...)...); err != nil {
			return nil, nil, err
		}
		for _, b := range builds {
			job.Builds = join(job.Builds, b)
		}
	}
	return jobs, cells, nil
}

// oneWord refuses names with spaces, which separate the names of a list.
func oneWord(names ...string) error {
	for _, name := range names {
		if strings.ContainsFunc(name, unicode.IsSpace) {
			return fmt.Errorf("%q: has a space, and names are listed with spaces between, for scripts to split: give it a name without", name)
		}
	}
	return nil
}

// parts returns into how many parts a job splits its cells: the most up to most of which none
// is empty. The jobs split them in the same way.
func parts(cells []*campaign.Cell, most int) int {
	var weighed []matrix.Weighed
	for _, c := range cells {
		weighed = append(weighed, matrix.Weighed{ID: c.Label, Journey: fmt.Sprint(c.Journey), Cost: c.Cost})
	}
	for n := min(most, len(cells)); n > 1; n-- {
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

// split returns a job for each of n parts of a job.
func split(job Job, n int) []Job {
	if n == 1 {
		return []Job{job}
	}
	var all []Job
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

// distinguish names jobs by their pairs where several have the same short name.
func distinguish(jobs []Job) {
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

// buildsOf returns the builds that a run needs, as references.
func buildsOf(r engine.Run) (names []string) {
	for _, ref := range r.Refs {
		names = append(names, ref.String())
	}
	for _, role := range engine.ClientRolesOf(r.Plan).Roles {
		i := 0
		if role == term.New {
			i = 1
		}
		switch {
		case role == term.Older:
			names = append(names, builder.TypedClientPrefix+r.Plan.Clients)
		case r.Refs[i].Scheme == servers.SchemeRelease:
			names = append(names, builder.TypedClientPrefix+r.Refs[i].Version)
		}
	}
	return names
}
