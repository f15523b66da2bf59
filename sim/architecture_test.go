package sim_test

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// forbidden are edges that the layers of the picture (picture_test.go) alone would allow.
func forbidden() []edge {
	return []edge{
		{"sim/oracle/", "servers/", nil, "the oracle is a function of a history, so that skewsim judge needs no server"},
		{"sim/run/", "servers/", []string{"servers", "servers/fault"}, "a run starts servers through interfaces, whatever starts them"},
		{"sim/plan", "servers/", nil, "a plan is decided before any server starts"},
		{"sim/diff", "sim/engine", nil, "releases are compared without a run"},
		{"reports/", "servers/", []string{"servers", "servers/fault"}, "writers only read what is judged, and start nothing"},
		{"reports/", "sim/run/", nil, "writers only read what is judged, and start nothing"},
		{"", "servers/frobber/", []string{"cmd/", "sim/skewtest", "servers/frobber/"}, "Frobber is a server under test like any other: only its own command and the entrances know it"},
		{"servers/frobber/", "servers/", []string{"servers/frobber/", "servers/typedclient/program"}, "a server under test knows nothing of who starts it"},
		{"", "cmd/", []string{"cmd/"}, "nothing builds on a command"},
		{"", "sim/skewtest", nil, "it is an entrance"},
		{"", "sim/oracle/oracletest", nil, "only tests import it"},
		{"", "sim/run/runtest", nil, "only tests import it"},
		{"sim/oracle/checks", "sim/oracle", nil, "Judge knows the checks, and no check knows Judge"},
	}
}

// edge forbids packages to import others. In from, "" is every package.
type edge struct {
	from, to string
	except   []string // importing packages where from is "", and imported ones elsewhere
	why      string
}

func (e edge) forbids(importing, imported string) bool {
	if !names(e.to, imported) {
		return false
	}
	exempt := func(pkg string) bool {
		return slices.ContainsFunc(e.except, func(name string) bool { return names(name, pkg) })
	}
	if e.from == "" {
		return !exempt(importing)
	}
	return names(e.from, importing) && !exempt(imported)
}

// names reports whether a name of a table, of a package or of a tree, means the package.
func names(name, pkg string) bool {
	return name == pkg || strings.HasSuffix(name, "/") && strings.HasPrefix(pkg+"/", name)
}

// wrongEdges lists the imports that are forbidden.
func wrongEdges(all []source) (problems []string) {
	for _, s := range all {
		if s.isTest() || s.inTest() || s.below() == "docs" {
			continue
		}
		for _, imported := range imports(s) {
			pkg, own := strings.CutPrefix(imported, module+"/")
			i := slices.IndexFunc(forbidden(), func(e edge) bool { return own && e.forbids(s.dir(), pkg) })
			if i >= 0 {
				problems = append(problems, fmt.Sprintf("%s imports %s: %s", s.name, pkg, forbidden()[i].why))
			}
		}
	}
	return problems
}

// withoutServers are the rooms that compare, choose and draw. They start nothing, and their tests link neither an etcd
// nor an API server.
func withoutServers() []string {
	return []string{"scenarios/", "sim/oracle/", "sim/diff", "sim/published", "sim/objects/", "sim/sweep", "sim/preflight", "sim/fuzz", "reports/"}
}

// importGraph returns which packages of the project each package imports, tests aside.
func importGraph(all []source) map[string][]string {
	direct := map[string][]string{}
	for _, s := range all {
		if s.isTest() || s.inTest() {
			continue
		}
		for _, imported := range imports(s) {
			if pkg, own := strings.CutPrefix(imported, module+"/"); own {
				direct[s.dir()] = append(direct[s.dir()], pkg)
			}
		}
	}
	return direct
}

// reached returns the packages that a package imports, itself or through others.
func reached(direct map[string][]string, from string) map[string]bool {
	seen := map[string]bool{}
	for next := []string{from}; len(next) > 0; next = next[1:] {
		for _, pkg := range direct[next[0]] {
			if !seen[pkg] {
				seen[pkg] = true
				next = append(next, pkg)
			}
		}
	}
	return seen
}

// TestWithoutServers: what compares, chooses and draws reaches nothing that starts servers, through no other package.
// The engine does.
func TestWithoutServers(t *testing.T) {
	all := sources(t, repository())
	rooms := map[string]bool{}
	for _, s := range all {
		if slices.ContainsFunc(withoutServers(), func(name string) bool { return names(name, s.dir()) }) && !s.inTest() {
			rooms[s.dir()] = true
		}
	}
	assert.Greater(t, len(rooms), 20)
	direct := importGraph(all)
	starters := []string{"sim/engine", "servers/etcd", "servers/builder"}
	for room := range rooms {
		below := reached(direct, room)
		for _, starter := range starters {
			assert.False(t, below[starter], "%s reaches %s", room, starter)
		}
	}
	below := reached(direct, "sim/engine")
	for _, starter := range starters[1:] {
		assert.True(t, below[starter], "the engine starts servers")
	}
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
		{"sim/oracle/checks/x.go", "sim/oracle", true},
		{"sim/oracle/checks/y.go", "sim/oracle/trace", false},
		{"reports/x.go", "sim/run", true},
		{"reports/y.go", "sim/sweep", false},
		{"sim/run/x.go", "servers/etcd", true},
		{"servers/kubeapiserver/x.go", "servers/frobber/api", true},
		{"servers/frobberapiserver/x.go", "servers/frobber/train", true},
		{"servers/frobberapiserver/y.go", "servers/apiserver", false},
		{"servers/frobber/x.go", "servers/typedclient", true},
		{"sim/run/y.go", "servers", false},
		{"servers/etcd/y.go", "servers/process", false},
		{"servers/frobber/v1/x.go", "servers/frobber/api", false},
		{"servers/frobber/v2/x.go", "servers/typedclient/program", false},
		{"cmd/skewsim/x.go", "sim/campaign", false},
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
	pure := []string{"sim/oracle", "sim/plan", "scenarios/term", "scenarios/path", "sim/result", "sim/redact", "sim/storage", "sim/schema", "sim/lint"}
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
	return slices.Contains([]string{"sim/oracle/trace", "sim/oracle/blame", "sim/oracle/checks"}, pkg)
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
