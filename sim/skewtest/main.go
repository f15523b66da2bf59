package skewtest

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers/builder"
	"github.com/skewsim/skewsim/servers/container"
	"github.com/skewsim/skewsim/servers/frobber/cli"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// guardCommand makes a test binary the guard that removes containers when another one ends.
const guardCommand = "skewtest-guard"

// Main runs the tests of a package, for its TestMain. With it the test binary is also the
// reference server, which is otherwise built on first use, and the guard of containers:
// a second process that removes them when the tests end for any reason.
//
//	func TestMain(m *testing.M) { skewtest.Main(m) }
//
// It does not return.
func Main(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == guardCommand {
		exit(0, container.Guard(os.Args[2], os.Stdin))
	}
	if len(os.Args) > 1 && os.Args[1] == frobberapiserver.Subcommand {
		os.Exit(cli.Main(os.Args[2:]))
	}
	shared.isMain = true
	code := m.Run()
	exit(code, shared.close())
}

// exit ends the process. An error makes the exit code 1, unless the tests failed.
func exit(code int, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "skewtest: %v\n", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// shared is the builder of the process: several tests never make a build twice. Without Main
// it is not closed, which leaves nothing behind: only containers outlive their process.
var shared sharedBuilder

type sharedBuilder struct {
	isMain  bool // Main runs the tests
	mutex   sync.Mutex
	builder *builder.Builder
}

func (s *sharedBuilder) get() *builder.Builder {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.builder == nil {
		s.builder = builder.New(builder.Config{Catalogue: scenarios.CatalogueFS(), Guard: s.guard(), AllowCharts: true, // as requests of tests allow programs
			OwnReferenceServer: s.isMain, MakesReferenceServer: !testing.Short()})
	}
	return s.builder
}

// guard returns the command that removes containers; nil: no container is run.
func (s *sharedBuilder) guard() []string {
	self, err := os.Executable()
	if err != nil || !s.isMain {
		return nil
	}
	return []string{self, guardCommand}
}

func (s *sharedBuilder) close() error {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.builder == nil {
		return nil
	}
	return s.builder.Close()
}
