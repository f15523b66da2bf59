package view

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// RepeatCommand returns the command that repeats the run; "" for a leg of a chain, which
// only runs with those before it.
func RepeatCommand(r Run) string {
	if r.Plan.Leg != nil || r.Plan.Scenario == "" {
		return ""
	}
	words := []string{"skewsim", "run", scenarioName(r.Plan)}
	for _, release := range r.Plan.Releases {
		if r.Plan.AA != "" && release.Role != r.Plan.AA {
			continue
		}
		reference := release.Reference
		if r.Plan.Mutant != nil { // the scenario's name says it
			reference = strings.TrimSuffix(reference, "+"+r.Plan.Mutant.Name)
		}
		words = append(words, "--"+string(release.Role), reference)
		words = append(words, givenWords(release)...)
	}
	if r.Plan.AA != "" {
		words = append(words, "--aa", string(r.Plan.AA))
	}
	if servers := DefinitionServers(r.Result); len(servers) > 0 {
		words = append(words, "--server", servers[0])
	}
	words = append(words, programWords(r)...)
	words = append(words, storeWords(r.Result)...)
	words = append(words, "--seed", fmt.Sprint(r.Plan.Seed))
	if n := r.Result.Counts.Orders; n > 0 {
		words = append(words, "--orders", fmt.Sprint(n))
	}
	for i, word := range words {
		words[i] = shellWord(term.Visible(word))
	}
	return strings.Join(words, " ")
}

// DefinitionServers returns the kube-apiservers that the releases' custom resource
// definitions are installed on, each once.
func DefinitionServers(r result.Result) (all []string) {
	for _, b := range r.Builds {
		if b.Server != "" && !slices.Contains(all, b.Server) {
			all = append(all, b.Server)
		}
	}
	return all
}

// programWords returns the flags for the programs beside the servers of definitions, and for whatever else the
// scenario's file has executed: its builds, the line names itself.
func programWords(r Run) (words []string) {
	fileChooses := !inCatalogue(r.Plan.File) && (servers.IsCommit(r.Plan.Clients) || slices.ContainsFunc(r.Result.Builds, hasFilesAdapter))
	if i := slices.IndexFunc(r.Plan.Releases, func(of plan.Release) bool { return of.Program != "" }); i >= 0 { // both releases have one file
		if of := r.Plan.Releases[i]; of.NamesProgram { // relative to the scenario's file
			fileChooses = true
		} else {
			words = append(words, "--webhooks", of.Program)
		}
	}
	if fileChooses {
		words = append(words, "--allow-programs")
	}
	return words
}

// hasFilesAdapter reports whether a build was started by an adapter's file that the scenario names, and not the user.
func hasFilesAdapter(b result.Build) bool {
	return b.Adapter != nil && b.Adapter.File == "" && b.Adapter.Digest != ""
}

// storeWords returns the flags for an etcd that is not skewsim's own, and for how the
// servers of modules are started.
func storeWords(r result.Result) (words []string) {
	add := func(flag, value string) {
		if value != "" {
			words = append(words, flag, value)
		}
	}
	if i := slices.IndexFunc(r.Builds, func(b result.Build) bool { return b.Adapter != nil && b.Adapter.File != "" }); i >= 0 {
		add("--adapter", r.Builds[i].Adapter.File)
	}
	if s := r.Store; s != nil {
		add("--store", s.Reference)
		if s.Fsync {
			words = append(words, "--fsync")
		}
		add("--etcd", strings.Join(s.Endpoints, ","))
		add("--etcd-cafile", s.CAFile)
		add("--etcd-certfile", s.CertFile)
		add("--etcd-keyfile", s.KeyFile)
	}
	return words
}

// givenWords returns the flags for options of a release's servers that the scenario's file
// does not have.
func givenWords(r plan.Release) (words []string) {
	if r.Given == nil {
		return nil
	}
	add := func(flag, value string) {
		if value != "" {
			words = append(words, fmt.Sprintf("--%s-%s", r.Role, flag), value)
		}
	}
	add("feature-gates", plan.Switches(r.Given.FeatureGates))
	add("runtime-config", plan.Switches(r.Given.RuntimeConfig))
	add("gate-stage", string(r.Given.Gates))
	add("emulated-version", r.Given.EmulatedVersion)
	add("min-compatibility-version", r.Given.MinCompatibilityVersion)
	for _, flag := range r.Given.Flags {
		add("flags", flag)
	}
	return words
}

// scenarioName returns the scenario's argument for run: a name of the catalogue, or else
// the file, with the mutant.
func scenarioName(p plan.Plan) string {
	name := p.File
	played := plan.ScenarioName(p)
	if inCatalogue(p.File) && p.File == played+".yaml" {
		name = played
	}
	if name == "" {
		name = p.Scenario
	}
	if p.Mutant != nil {
		name += "+" + p.Mutant.Name
	}
	return name
}

// inCatalogue reports whether a scenario's file is in skewsim's own catalogue, by
// its name.
func inCatalogue(file string) bool {
	groups, err := fs.ReadDir(scenarios.CatalogueFS(), ".")
	return err == nil && slices.ContainsFunc(groups, func(group fs.DirEntry) bool {
		info, err := fs.Stat(scenarios.CatalogueFS(), path.Join(group.Name(), file))
		return err == nil && !info.IsDir()
	})
}

// plainWord matches words that every shell takes literally.
var plainWord = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// shellWord quotes a word for a shell.
func shellWord(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
