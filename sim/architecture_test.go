package sim_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// room is a package, or a tree of packages when its name ends in /, with what
// it may import of this repository.
type room struct {
	name string
	may  []string
	why  string
}

// rooms is the one table of edges.
func rooms() []room {
	return slices.Concat(commandRooms(), scenarioRooms(), oracleRooms(), simRooms(), sweepRooms(), preflightRooms(), runRooms(), reportRooms(), serverRooms())
}

// commandRooms are the rows of the executables.
func commandRooms() []room {
	return []room{
		{"cmd/skewsim/cliflags", []string{"scenarios/shell", "scenarios/term", "sim/engine/request"}, "flags become requests, whichever command has them"},
		{"cmd/skewsim/screen", []string{
			"reports", "scenarios/shell", "scenarios/term", "servers", "servers/fault", "sim/campaign", "sim/catalogue", "sim/chain", "sim/engine/request", "sim/matrix", "sim/oracle",
			"sim/plan", "sim/result", "sim/rundir",
		}, "it shows what campaign and engine report to it, and starts nothing: of servers it needs only whose fault an error is"},
		{"cmd/skewsim/app", []string{
			"cmd/skewsim/screen", "scenarios", "scenarios/term", "servers", "servers/builder", "servers", "servers/fault", "sim/engine", "sim/engine/builds",
		}, "every command needs it, so it knows no command: it holds what makes builds and executes runs, and what an interruption stops"},
		{"cmd/skewsim/builds", []string{
			"cmd/skewsim/app", "cmd/skewsim/cliflags", "cmd/skewsim/screen", "scenarios/term", "servers/builder", "servers", "servers/fault", "servers/gobuild", "sim/campaign", "sim/engine/request",
		}, "its commands manage the cache, and run nothing; of requests it needs which builds have adapters"},
		{"cmd/skewsim/preflights", []string{"cmd/skewsim/app", "cmd/skewsim/cliflags", "cmd/skewsim/screen", "reports", "scenarios/shell", "scenarios/term", "servers", "servers/builder", "servers/decrypt", "servers/examples", "servers", "servers/fault", "servers/objects", "servers/objects/cluster", "servers/objects/manifests", "servers/objects/saved", "servers/serverflags", "servers/snapshot", "sim/preflight", "sim/preflight/intake", "sim/preflight/session", "sim/rundir"}, "its command opens a source of objects for a preflight, and gives it what makes builds and starts servers"},
		{"cmd/skewsim", []string{
			"cmd/skewsim/app", "cmd/skewsim/builds", "cmd/skewsim/preflights", "cmd/skewsim/cliflags", "cmd/skewsim/screen", "reports", "reports/gather", "reports/merge", "scenarios/load", "scenarios/rules", "scenarios/shell", "scenarios/suggest", "scenarios/term",
			"servers", "servers/builder", "servers/container", "servers/examples", "servers", "servers/fault", "servers/frobber/cli", "servers/frobberapiserver", "sim/campaign", "sim/campaign/github", "sim/catalogue", "sim/engine",
			"sim/engine/request", "sim/fuzz/session", "sim/diff", "sim/diff/session", "sim/lint", "sim/lint/session", "sim/matrix", "sim/oracle", "sim/plan", "sim/published", "sim/result", "sim/rundir", "sim/sweep", "sim/sweep/session",
		}, "it wires flags, screens and exit codes to the packages that do the work, and reaches below none of them: no server, no schema, no history"},
		{"cmd/frobber-apiserver", []string{"servers/frobber/cli"}, "it is the reference server, which knows nothing of the simulator"},
	}
}

// leaf is what a package imports that needs none of the others.
var leaf = []string{}

// scenarioRooms are the rows of what describes a scenario.
func scenarioRooms() []room {
	return []room{
		{"scenarios/term", leaf, "every room needs its words, so it can need no room"},
		{"scenarios/path", leaf, "every room needs its syntax, so it can need no room"},
		{"scenarios/yamlnodes", []string{"scenarios/path"}, "all files that users write need it, so it knows none of their formats"},
		{"scenarios/shell", leaf, "whoever shows a command quotes its words"},
		{"scenarios/suggest", leaf, "every room that refuses a word may say which was meant"},
		{"scenarios/strict", []string{"scenarios/suggest", "scenarios/yamlnodes", "scenarios/term"}, "it decodes YAML into any type, so it knows no scenario"},
		{"scenarios", []string{"scenarios/strict", "scenarios/yamlnodes", "scenarios/path", "scenarios/term"}, "the model of a scenario depends on no file and no server"},
		{"scenarios/validate", []string{"scenarios", "scenarios/suggest", "scenarios/strict", "scenarios/yamlnodes", "scenarios/path", "scenarios/term", "servers"}, "a scenario is checked before anything is planned, without a server: of servers it needs the syntax of references"},
		{"scenarios/load", []string{"scenarios", "scenarios/suggest", "scenarios/strict", "scenarios/validate", "scenarios/yamlnodes", "scenarios/path", "scenarios/term"}, "it reads files, and asks no server what they mean"},
		{"scenarios/tiers", []string{"scenarios", "scenarios/load"}, "it says which tests play what, and plays nothing; only tests import it"},
		{"scenarios/rules", []string{"scenarios", "scenarios/load"}, "it says which scenarios play a rule, and plays none"},
	}
}

// simRooms are the rows of the simulator, but for the oracle, runs and sweeps.
func simRooms() []room {
	return []room{
		{"sim/guard", []string{"servers", "servers/fault"}, "whoever starts goroutines guards them, so it needs only the word for a bug"},
		{"sim/redact", []string{"scenarios/path"}, "whoever shows a value masks it first, so it stays below all of them but the syntax that says which"},
		{"sim/storage", leaf, "stored bytes are read without a schema"},
		{"sim/schema", []string{"scenarios/path", "scenarios/term"}, "it reads what a release publishes, and knows no scenario"},
		{"sim/lint", []string{"scenarios/term", "sim/schema"}, "it judges what is published, of whichever server, and asks none"},
		{"sim/lint/session", []string{"servers", "servers/fault", "servers/frobberapiserver", "servers/kubeapiserver", "sim/engine/request", "sim/lint", "sim/pairing", "sim/published", "sim/rundir"},
			"it finds out what package lint judges; of servers it needs how their components are called in lifecycles"},
		{"sim/plan", []string{"scenarios", "scenarios/path", "scenarios/term"}, "a plan is decided before any server starts"},
		{"sim/planner", []string{"scenarios", "scenarios/path", "scenarios/term", "sim/plan"}, "who decides a plan asks no server; who only reads plans need not know how they are decided"},
		{"sim/history", []string{"scenarios", "servers", "servers/fault", "sim/plan", "scenarios/term"}, "a history stands alone: it knows what was planned, and not what it means"},
		{"sim/result", []string{"scenarios", "scenarios/term"}, "a result is plain data that writers only read"},
		{"sim/client", []string{"scenarios/path", "sim/plan", "sim/schema", "scenarios/term"}, "a client turns a step into a request, and judges no answer"},
		{"sim/oracle/recorded/", []string{
			"scenarios", "scenarios/load", "sim/history", "sim/oracle", "sim/oracle/recorded/", "sim/plan", "sim/result", "sim/schema", "scenarios/term",
		}, "it makes small histories for tests of the oracle, and starts no server itself; only its command and tests import it"},
		{"sim/oracle/oracletest", []string{
			"scenarios", "sim/history", "sim/oracle", "scenarios/path", "sim/plan", "sim/result", "sim/schema", "sim/storage", "scenarios/term",
		}, "only tests import it, those of every part of the oracle"},
		{"sim/oracle/mutate", leaf, "it changes source text, of whichever package"},
		{"sim/chain", []string{
			"scenarios", "sim/history", "scenarios/path", "sim/plan", "sim/planner", "sim/redact", "sim/result", "sim/schema", "scenarios/term",
		}, "it compares legs that were judged already, so that skewsim judge needs no server for them either"},
		{"sim/engine/builds", []string{"scenarios", "scenarios/term", "servers", "servers/", "sim/engine", "sim/engine/request"}, "it holds builds against a scenario and a plan, of which who makes builds knows nothing"},
		{"sim/engine/request", []string{"scenarios", "scenarios/load", "scenarios/shell", "scenarios/strict", "scenarios/term", "servers", "servers/aggregated", "servers/apiserver", "servers/etcd", "servers", "servers/fault", "servers/frobberapiserver", "servers/kubeapiserver", "servers/program", "sim/chain", "sim/pairing", "sim/plan", "sim/planner"},
			"a request is refused before anything is built or written, so it needs no run and no directory; of servers it needs how they are named and which flags they may have"},
		{"sim/engine", []string{"scenarios/term", "servers", "servers/", "sim/chain", "sim/client", "sim/engine/request", "sim/history", "sim/plan", "sim/planner", "sim/result", "sim/run", "sim/rundir"}, "it wires the rooms of one run together; its caller makes the builds, and draws the reports, which it never imports"},
		{"sim/rundir", []string{"scenarios/load", "scenarios/term", "servers", "servers", "servers/fault", "sim/chain", "sim/history", "sim/oracle", "sim/planner", "sim/result", "sim/schema"}, "a run is judged again where no server, no cache and no network is: of servers it needs how a file is written whole, and whose doing an error is"},
		{"sim/skewtest", []string{
			"scenarios", "scenarios/load", "scenarios/strict", "scenarios/term", "scenarios/validate", "servers", "servers/builder", "servers/container", "servers", "servers/fault", "servers/frobber/cli", "servers/frobberapiserver",
			"sim/campaign", "sim/chain", "sim/engine", "sim/engine/builds", "sim/engine/request", "sim/pairing", "sim/plan", "sim/result", "sim/rundir", "reports", "reports/view",
		}, "it is an entrance as cmd is, so it wires everything and writes reports; nothing of this repository imports it"},
		{"sim/campaign", []string{"scenarios", "scenarios/load", "scenarios/term", "servers", "servers/", "sim/engine", "sim/engine/request", "sim/matrix", "sim/pairing", "sim/result", "sim/run", "sim/rundir"}, "it decides which runs go when, and again; engine executes each, and its caller shows them"},
		{"sim/campaign/github", []string{"scenarios/term", "servers", "servers/builder", "servers", "servers/fault", "sim/campaign", "sim/engine", "sim/engine/request", "sim/matrix"},
			"it lists cells for a workflow, and executes none"},
		{"sim/catalogue", []string{"scenarios", "scenarios/load", "scenarios/rules", "servers", "sim/campaign", "sim/engine/request", "sim/pairing"},
			"what shares a journey only campaign decides, and what applies only pairing; it runs nothing"},
		{"sim/pairing", []string{"scenarios", "scenarios/term"}, "whether a scenario applies to a pair depends on the two alone: every command that plays one asks here"},
		{"sim/matrix", []string{"scenarios", "servers", "servers/fault", "sim/pairing", "sim/result", "scenarios/term"},
			"it decides which scenarios run on which pairs, and summarizes the outcomes; it does not know who executes them"},
		{"sim/generate", []string{"scenarios/path", "sim/schema"}, "an object depends on a schema, an example and a seed, never on who sends it where"},
		{"sim/published", []string{"servers", "servers/", "sim/client", "sim/engine", "sim/engine/request", "sim/guard", "sim/pairing", "sim/probe", "sim/rundir"},
			"it reads what releases publish, whoever compares, lints or sweeps them"},
		{"sim/probe", []string{"servers", "servers/", "sim/client", "scenarios/term"}, "it starts one release outside a run, and asks it nothing"},
		{"sim/diff", []string{"scenarios/path", "scenarios/suggest", "scenarios/term", "servers/source", "sim/guard", "sim/published", "sim/schema"}, "two releases are compared without a server, so that files can be compared too"},
		{"sim/diff/session", []string{"scenarios/suggest", "scenarios/term", "servers", "servers/", "sim/diff", "sim/engine", "sim/engine/request", "sim/pairing", "sim/probe", "sim/published"}, "it gets what package diff compares"},
		{"sim/exercise", []string{"scenarios/path", "scenarios/term", "sim/client", "sim/diff", "sim/generate", "sim/generate/aim", "sim/guard", "sim/published", "sim/result", "sim/schema"}, "it sends dry runs to a server that somebody else started, and knows no run"},
		{"sim/storedbytes", []string{"scenarios/term", "servers/examples", "sim/client", "sim/guard", "sim/published", "sim/served"}, "what releases store is in their source, and two servers read it without a run"},
		{"sim/exercise/rules", []string{"scenarios/path", "scenarios/term", "sim/client", "sim/exercise", "sim/generate", "sim/guard", "sim/published", "sim/result"}, "two releases are asked about the same values, whatever states the rule"},
		{"sim/generate/aim", []string{"scenarios/path", "sim/generate"}, "a search follows refusals, whoever sends the objects"},
		{"sim/fuzz/roundtrip", []string{"servers", "sim/client", "sim/generate", "sim/guard", "scenarios/path", "sim/schema", "scenarios/term"}, "one object travels and is judged at once: it needs no plan and no history"},
		{"sim/fuzz/session", []string{"scenarios", "scenarios/shell", "scenarios/term", "servers", "servers/", "sim/engine", "sim/engine/request", "sim/fuzz", "sim/generate", "sim/pairing", "sim/plan", "sim/rundir"},
			"it gives package fuzz builds, stores and a directory, as engine gives them to a run"},
		{"sim/fuzz", []string{"servers", "servers", "servers/fault", "sim/client", "sim/fuzz/roundtrip", "sim/generate", "sim/guard", "sim/schema", "scenarios/term"},
			"it needs no plan and no history: a seed decides what it sends, and it judges at once"},
		{"sim", leaf, "it is the house, not a room"},
	}
}

// sweepRooms are the rows of sweeps.
func sweepRooms() []room {
	return []room{
		{"sim/sweep", []string{"scenarios", "scenarios/load", "scenarios/path", "scenarios/term", "sim/diff", "sim/exercise", "sim/exercise/rules", "sim/generate", "sim/plan", "sim/result", "sim/sweep/aims", "sim/sweep/bodies", "sim/sweep/fate", "sim/sweep/identity", "sim/sweep/lines", "sim/sweep/mismatch", "sim/sweep/scope", "sim/sweep/sentence", "sim/sweep/stages", "sim/sweep/tried"}, "what to play and what came out of it are decided without a server; the oracle has judged already"},
		{"sim/sweep/stages", []string{"scenarios/term"}, "where an object is written depends on its release alone"}, {"sim/sweep/lines", []string{"scenarios", "scenarios/path", "scenarios/term", "sim/plan", "sim/sweep/stages"}, "how a copy is written is the same whatever the object is for"}, {"sim/sweep/tried", []string{"scenarios/term", "sim/exercise/rules"}, "dry runs have a verdict whatever row they are of"},
		{"sim/sweep/conversion", []string{"sim/published", "sim/schema", "sim/sweep/fate", "sim/sweep/identity"}, "what servers convert by themselves depends on what a release publishes alone"}, {"sim/sweep/sentence", []string{"scenarios/term", "sim/sweep/fate", "sim/sweep/identity"}, "the answer is made of counts, whatever they are of"}, {"sim/sweep/aims", []string{"scenarios/term"}, "what a kind of difference needs is the same in every sweep"},
		{"sim/sweep/bodies", []string{"scenarios", "scenarios/path", "scenarios/term", "sim/exercise", "sim/generate", "sim/generate/aim", "sim/sweep/fate"}, "an object is edited whatever it is played for"},
		{"sim/sweep/fate", []string{"scenarios/path", "scenarios/term", "sim/result"}, "the words of findings become those of sweeps in one place, which knows no sweep"},
		{"sim/sweep/identity", []string{"sim/diff"}, "a row's name depends on its difference alone, so that two sweeps agree"},
		{"sim/sweep/scope", []string{"scenarios/term", "sim/diff", "sim/sweep/identity"}, "which part of a comparison is played depends on the comparison alone"},
		{"sim/sweep/mismatch", []string{"scenarios/term"}, "what servers logged is the same whoever reads their logs"},
		{"sim/sweep/stored", []string{"scenarios/term", "sim/diff", "sim/storedbytes", "sim/sweep", "sim/sweep/fate", "sim/sweep/identity", "sim/sweep/scope"}, "what servers read becomes cells once it is read, so it needs no server"},
		{"sim/sweep/baseline", []string{"scenarios/term", "sim/sweep"}, "what a row was is read from two results"},
		{"sim/allow", []string{"scenarios", "scenarios/strict", "scenarios/suggest", "scenarios/term"}, "what is accepted is so by what it says, whoever shows it"},
		{"sim/sweep/session", []string{"scenarios", "scenarios/path", "scenarios/shell", "scenarios/term", "servers", "servers/", "sim/allow", "sim/client", "sim/diff", "sim/diff/session", "sim/engine", "sim/engine/request", "sim/exercise", "sim/exercise/rules", "sim/generate", "sim/guard", "sim/history", "sim/pairing", "sim/plan", "sim/probe", "sim/published", "sim/result", "sim/run/precheck", "sim/rundir", "sim/schema", "sim/storedbytes", "sim/sweep", "sim/sweep/baseline", "sim/sweep/bodies", "sim/sweep/fate", "sim/sweep/conversion", "sim/sweep/identity", "sim/sweep/mismatch", "sim/sweep/scope", "sim/sweep/stages", "sim/sweep/stored"}, "it gives package sweep builds, servers, runs and a directory, as engine gives them to a run"},
	}
}

// preflightRooms are the rows of preflights.
func preflightRooms() []room {
	return []room{
		{"sim/served", []string{"scenarios/path"}, "two answers are compared the same, whoever asked for them"},
		{"sim/preflight", []string{"scenarios/path", "scenarios/term", "servers/template", "sim/diff", "sim/preflight/mask", "sim/preflight/reading", "sim/published", "sim/result", "sim/served"}, "what was read decides what is found, so that recorded readings are judged without a server"},
		{"sim/preflight/reading", []string{"servers/seclusion", "servers/template", "sim/client", "sim/guard", "sim/published", "sim/storage"}, "it asks a server that somebody else started, and judges nothing"},
		{"sim/preflight/mask", []string{"sim/published", "sim/schema"}, "it takes values out of texts, by what a release publishes, so that nothing that is found can hold one"},
		{"sim/preflight/intake", []string{"servers/decrypt", "servers/examples", "servers/objects", "servers/seclusion", "servers/snapshot", "sim/client", "sim/guard", "sim/preflight", "sim/preflight/mask", "sim/preflight/reading", "sim/published", "sim/served", "sim/storage"}, "it fills a store through a function, and has a server that somebody else starts create objects, so it starts none"},
		{"sim/preflight/session", []string{"scenarios", "scenarios/term", "servers", "servers/decrypt", "servers/etcd", "servers", "servers/fault", "servers/machine", "servers/serverflags", "servers/template", "sim/allow", "sim/client", "sim/diff", "sim/engine", "sim/guard", "sim/preflight", "sim/preflight/intake", "sim/preflight/mask", "sim/preflight/reading", "sim/probe", "sim/published", "sim/rundir", "sim/served", "sim/storage"}, "it gives package preflight servers, stores and a directory"},
		{"sim/preflight/preflighttest", []string{"servers/examples", "sim/client", "sim/preflight/reading", "sim/published"}, "only tests import it"},
	}
}

// oracleRooms are the rows of what the oracle is made of.
func oracleRooms() []room {
	return []room{
		{"sim/oracle/trace", []string{
			"scenarios", "sim/history", "scenarios/path", "sim/plan", "sim/redact", "sim/schema", "sim/storage", "scenarios/term",
		}, "it orders what a run recorded by copy, and so it cannot know a finding"},
		{"sim/oracle/requests", []string{
			"sim/history", "sim/oracle/trace", "scenarios/path", "sim/plan", "sim/redact", "sim/schema", "scenarios/term",
		}, "what a call asks for is the same whatever became of it"},
		{"sim/oracle/evidence", []string{
			"sim/history", "sim/oracle/requests", "sim/oracle/trace", "scenarios/path", "sim/plan", "sim/result", "sim/schema", "sim/storage", "scenarios/term",
		}, "every check and every cause builds on it, and so it can build on none of them"},
		{"sim/oracle/blame", []string{
			"sim/history", "sim/oracle/evidence", "sim/oracle/requests", "sim/oracle/trace", "scenarios/path", "sim/plan", "sim/result", "sim/schema", "sim/storage", "scenarios/term",
		}, "it explains what a check found, whichever check it was"},
		{"sim/oracle/finding", []string{
			"sim/history", "sim/oracle/blame", "sim/oracle/evidence", "sim/oracle/trace", "scenarios/path", "sim/plan", "sim/redact", "sim/result", "scenarios/term",
		}, "all checks write their findings with it, so that equal facts have equal words"},
		{"sim/oracle/checks/losses", append(checks(), "sim/storage"), "a check needs no other check: Judge decides which of two reports a fact"},
		{"sim/oracle/checks/agreement", checks(), "a check needs no other check: Judge decides which of two reports a fact"},
		{"sim/oracle/checks/calls", append(checks(), "scenarios"), "a check needs no other check: Judge decides which of two reports a fact"},
		{"sim/oracle/checks/decoding", checks(), "a check needs no other check: Judge decides which of two reports a fact"},
		{"sim/oracle", []string{
			"scenarios", "sim/history", "sim/oracle/blame", "sim/oracle/checks/", "sim/oracle/evidence", "sim/oracle/finding", "sim/oracle/trace",
			"scenarios/path", "sim/plan", "sim/redact", "sim/result", "sim/schema", "sim/storage", "scenarios/term",
		}, "it is a function of a history, so that skewsim judge needs no server"},
	}
}

// runRooms are the rows of what executes a plan.
func runRooms() []room {
	return []room{
		{"sim/run/limits", leaf, "whoever repeats a request waits as it says, so it can need no room"},
		{"sim/run/releases", []string{"sim/client", "sim/history", "sim/plan", "sim/redact", "sim/schema", "scenarios/term"},
			"every part of a run asks it, so it can ask none of them, and no server"},
		{"sim/run/stores", []string{"servers", "servers", "servers/fault"}, "a store is there before any server and any plan"},
		{"sim/run/runtest", []string{"scenarios/load", "servers", "sim/client", "sim/history", "sim/plan", "sim/planner", "sim/run/stores", "scenarios/term"},
			"only tests import it, those of every part of a run"},
		{"sim/run/startup", []string{"scenarios", "scenarios/suggest", "servers", "servers", "servers/fault", "sim/client", "sim/plan", "scenarios/term"},
			"a server is started alike for the pre-check, for a stage and for a scratch store"},
		{"sim/run/fleet", []string{"servers", "sim/client", "sim/guard", "sim/history", "sim/plan", "sim/run/releases", "sim/run/startup", "scenarios/term"},
			"it moves servers, whoever sends them requests"},
		{"sim/run/recording", []string{
			"sim/client", "sim/history", "scenarios/path", "sim/plan", "sim/run/releases", "sim/run/stores", "sim/storage", "scenarios/term",
		}, "what was answered is recorded alike, whoever asked"},
		{"sim/run/watching", []string{
			"sim/client", "sim/guard", "sim/history", "sim/plan", "sim/run/fleet", "sim/run/limits", "sim/run/recording", "sim/run/releases", "scenarios/term",
		}, "it observes what is there, whoever wrote it"},
		{"sim/run/act", []string{
			"servers", "servers/fault", "sim/client", "sim/guard", "sim/history", "scenarios/path", "sim/plan", "sim/redact", "sim/run/fleet", "sim/run/limits",
			"sim/run/recording", "sim/run/releases", "sim/run/watching", "scenarios/term",
		}, "it sends what a plan says through replicas that others have started"},
		{"sim/run/scratch", []string{
			"servers", "sim/client", "sim/guard", "sim/history", "sim/plan", "sim/run/fleet", "sim/run/limits", "sim/run/recording", "sim/run/releases",
			"sim/run/startup", "sim/run/stores", "sim/run/watching", "scenarios/term",
		}, "its stores are its own, and its servers are asked as replicas are"},
		{"sim/run/precheck", []string{
			"scenarios", "scenarios/suggest", "servers", "servers", "servers/fault", "sim/client", "sim/guard", "sim/history", "scenarios/path", "sim/plan", "sim/redact",
			"sim/run/limits", "sim/run/releases", "sim/run/startup", "sim/run/stores", "sim/schema", "scenarios/term",
		}, "it is over before the first replica starts, so it can need no fleet"},
		{"sim/run", []string{
			"servers", "sim/client", "sim/guard", "sim/history", "sim/plan", "sim/run/", "scenarios/term",
		}, "it starts servers through the interfaces of package servers, whatever starts them, and never judges"},
	}
}

// checks is what each package of checks may import.
func checks() []string {
	return []string{
		"sim/history", "sim/oracle/blame", "sim/oracle/evidence", "sim/oracle/finding", "sim/oracle/requests", "sim/oracle/trace",
		"scenarios/path", "sim/plan", "sim/result", "sim/schema", "scenarios/term",
	}
}

// names reports whether the room, or the word of a table, means the package.
func names(name, pkg string) bool {
	return name == pkg || strings.HasSuffix(name, "/") && strings.HasPrefix(pkg+"/", name)
}

// wrongEdges lists the imports that the table does not allow.
func wrongEdges(all []source) (problems []string) {
	for _, s := range all {
		if s.isTest() || s.inTest() || s.below() == "docs" {
			continue
		}
		i := slices.IndexFunc(rooms(), func(r room) bool { return names(r.name, s.dir()) })
		if i < 0 {
			problems = append(problems, fmt.Sprintf("%s: has no row in the table of rooms", s.dir()))
			continue
		}
		for _, imported := range imports(s) {
			if problem := rooms()[i].judge(s.name, imported); problem != "" {
				problems = append(problems, problem)
			}
		}
	}
	return problems
}

// judge says what is wrong with an edge, "" for nothing. What only cmd may
// import is in no row, so it needs no rule of its own.
func (r room) judge(file, imported string) string {
	pkg, own := strings.CutPrefix(imported, module+"/")
	// A row with a tree of servers does not mean the reference server: only its command has callers.
	frobber := names("servers/frobber/", pkg) && r.name != "servers/frobber/" && !slices.Contains(r.may, pkg)
	if !own || !frobber && slices.ContainsFunc(r.may, func(name string) bool { return names(name, pkg) }) {
		return ""
	}
	return fmt.Sprintf("%s imports %s, and may import only [%s]: %s", file, pkg, strings.Join(r.may, " "), r.why)
}

func imports(s source) []string {
	var all []string
	for _, i := range s.file.Imports {
		name, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			panic(err) // the parser has read it
		}
		all = append(all, name)
	}
	return all
}

func TestEdges(t *testing.T) {
	for _, problem := range wrongEdges(sources(t, repository())) {
		t.Error(problem)
	}
}

// TestEdgesCanFail gives each forbidden edge that matters, and a similar allowed one.
func TestEdgesCanFail(t *testing.T) {
	for _, c := range []struct {
		file, imported string
		refused        bool
	}{
		{"sim/oracle/x.go", "servers", true},
		{"sim/oracle/x.go", "sim/oracle/oracletest", true},
		{"sim/rundir/x.go", "sim/oracle/oracletest", true},
		{"sim/run/x.go", "servers/etcd", true},
		{"scenarios/term/x.go", "scenarios/path", true},
		{"reports/x.go", "servers", true},
		{"servers/etcd/x.go", "sim/run", true},
		{"servers/kubeapiserver/x.go", "servers/frobber/api", true},
		{"servers/frobberapiserver/x.go", "servers/frobber/train", true},
		{"servers/frobberapiserver/y.go", "servers/apiserver", false},
		{"sim/plan/x.go", "cmd/skewsim", true},
		{"servers/frobber/x.go", "servers/typedclient", true},
		{"sim/fresh/x.go", "scenarios/term", true},
		{"sim/run/y.go", "servers", false},
		{"servers/etcd/y.go", "servers/certs", false},
		{"servers/frobber/v1/x.go", "servers/frobber/api", false},
		{"servers/frobber/v2/x.go", "servers/typedclient/program", false},
		{"cmd/skewsim/x.go", "servers/etcd", true},
		{"cmd/skewsim/x.go", "sim/campaign", false},
		{"cmd/skewsim/y.go", "servers/frobber/train", true},
		{"cmd/skewsim/z.go", "servers/frobber/cli", false},
		{"sim/engine/x.go", "servers/frobber/cli", true},
		{"sim/run/x_test.go", "servers/etcd", false},
	} {
		problems := wrongEdges([]source{parse(t, c.file, fmt.Sprintf("package x\nimport _ %q\n", module+"/"+c.imported))})
		assert.Equal(t, c.refused, len(problems) == 1, "%s imports %s: %v", c.file, c.imported, problems)
	}
}

// outside is what a pure room must not reach for. A constant is no I/O: the
// words of HTTP are allowed, and what sends it is not.
func outside() map[string]string {
	return map[string]string{
		"os": "", "os/exec": "", "os/signal": "", "net": "", "syscall": "", "io/ioutil": "", "embed": "", "plugin": "",
		"net/http": "Method Status", // names that begin so
		"time":     "Duration DateOnly RFC3339 Parse Time UTC Nanosecond Microsecond Millisecond Second Minute Hour",
	}
}

// impure lists what a file does that depends on more than its arguments.
func impure(s source) (problems []string) {
	for _, imported := range imports(s) {
		allowed, listed := outside()[imported]
		switch {
		case listed && allowed == "":
			problems = append(problems, fmt.Sprintf("%s imports %s, and a pure room has no outside", s.name, imported))
		case listed:
			problems = append(problems, wrongUses(s, imported, strings.Fields(allowed))...)
		}
	}
	return problems
}

func wrongUses(s source, imported string, allowed []string) (problems []string) {
	pkg := imported[strings.LastIndex(imported, "/")+1:]
	for name, line := range selected(s, pkg) {
		if !slices.ContainsFunc(allowed, func(prefix string) bool { return strings.HasPrefix(name, prefix) }) {
			problems = append(problems, fmt.Sprintf("%s:%d: %s.%s, and a pure room has no outside", s.name, line, pkg, name))
		}
	}
	return problems
}

func TestPureRooms(t *testing.T) {
	pure := []string{"sim/oracle", "sim/plan", "sim/planner", "scenarios/term", "scenarios/path", "sim/result", "sim/redact", "sim/storage", "sim/schema", "sim/lint"}
	for _, s := range sources(t, repository()) {
		if s.isTest() || !slices.Contains(pure, s.dir()) && !isJudging(s.dir()) {
			continue
		}
		for _, problem := range impure(s) {
			t.Error(problem)
		}
	}
}

// isJudging reports whether a package is one of those that the oracle is made of.
func isJudging(pkg string) bool {
	return slices.ContainsFunc([]string{"trace", "requests", "evidence", "blame", "finding", "checks/"}, func(part string) bool {
		return names("sim/oracle/"+part, pkg)
	})
}

func TestPureRoomsCanFail(t *testing.T) {
	for text, want := range map[string][]string{
		"import \"os\"":                              {"x.go imports os, and a pure room has no outside"},
		"import \"net\"":                             {"x.go imports net, and a pure room has no outside"},
		"import \"time\"\nvar x = time.Now()":        {"x.go:3: time.Now, and a pure room has no outside"},
		"import \"net/http\"\nvar x = http.Get":      {"x.go:3: http.Get, and a pure room has no outside"},
		"import \"net/http\"\nvar x = http.StatusOK": nil,
		"import \"time\"\nvar x time.Duration":       nil,
		"import \"strings\"":                         nil,
	} {
		assert.Equal(t, want, impure(parse(t, "x.go", "package x\n"+text)), text)
	}
}

// TestNoRoomIsGone fails for a row whose package there is no longer.
func TestNoRoomIsGone(t *testing.T) {
	found := map[string]bool{}
	for _, s := range sources(t, repository()) {
		found[s.dir()] = true
	}
	for _, r := range rooms() {
		here := slices.ContainsFunc(slices.Collect(maps.Keys(found)), func(pkg string) bool { return names(r.name, pkg) })
		assert.True(t, here, "%s: the table has a row for it, and there is no such package", r.name)
	}
}
