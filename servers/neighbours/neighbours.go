package neighbours

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// Pair returns the builds of the first pair of tiers.yaml that is available. The first
// build of a release takes minutes, each later one seconds. Progress is printed on
// standard error, because a test's own log appears only when the test has ended. The
// name of the test selects its tier (see tiers.NeedAny). Pair fails the test if no pair
// is available.
func Pair(t testing.TB) (old, new servers.Build) {
	t.Helper()
	two := newestPair.of(t)
	return two[0], two[1]
}

// found are builds that are looked up once for all tests of a process: for a missing
// release the module proxy is asked.
type found struct {
	once sync.Once
	all  []servers.Build
	err  error
}

var newestPair found

func (f *found) of(t testing.TB) []servers.Build {
	t.Helper()
	tiers.NeedAny(t)
	texts := tiers.Plays(t, tiers.Kubernetes).Pairs
	f.once.Do(func() {
		var pairs []pair
		if pairs, f.err = parse(texts); f.err == nil {
			f.all, f.err = find(pairs, buildOf)
		}
	})
	if f.err != nil {
		t.Fatal(f.err)
	}
	return slices.Clone(f.all)
}

// pair is two releases, such as v1.36.3 and v1.37.0.
type pair struct{ old, new string }

// parse reads pairs such as kube-apiserver@v1.36.3..v1.37.0.
func parse(texts []string) (all []pair, err error) {
	for _, text := range texts {
		versions, is := strings.CutPrefix(text, "kube-apiserver@")
		old, new, two := strings.Cut(versions, "..")
		if !is || !two {
			return nil, fmt.Errorf("tiers.yaml: pair %q: want kube-apiserver@OLD..NEW", text)
		}
		all = append(all, pair{old, new})
	}
	return all, nil
}

// find builds the first pair that is available.
func find(pairs []pair, build func(version string) (servers.Build, error)) ([]servers.Build, error) {
	for _, p := range pairs {
		two, err := both(p, build)
		if !kubeapiserver.Unavailable(err) {
			return two, err
		}
		fmt.Fprintf(os.Stderr, "    kube-apiserver %s..%s is not tested: %v\n", p.old, p.new, err)
	}
	return nil, fmt.Errorf("no pair of %v is available from the module proxy: set GOPROXY to one that has some", pairs)
}

func both(p pair, build func(version string) (servers.Build, error)) ([]servers.Build, error) {
	new, err := build(p.new)
	if err != nil {
		return nil, err
	}
	old, err := build(p.old)
	return []servers.Build{old, new}, err
}

// buildOf builds a release, or the newest other patch of its minor that the module proxy
// has.
func buildOf(version string) (servers.Build, error) {
	cache, err := build.OpenCache("")
	if err != nil {
		return servers.Build{}, err
	}
	return kubeapiserver.PreferOffered(context.Background(), cache, version, printer{})
}

// printer prints the progress of a build on standard error.
type printer struct{}

func (printer) Phase(text string) { fmt.Fprintln(os.Stderr, "    "+text) }

func (printer) Packages(done, total int) {
	if done%200 == 0 {
		fmt.Fprintf(os.Stderr, "    compiled %d of %d packages\n", done, total)
	}
}

// NotPlayedVariable is the environment variable that names a file to which NotPlayed
// appends: without -v `go test` shows nothing of tests that are skipped, and make prints
// the file at the end.
const NotPlayedVariable = "SKEWSIM_NOT_PLAYED"

// NotPlayed skips a test of a release that is not available, and says so in the file of
// NotPlayedVariable. Other errors fail the test; without an error it goes on. Use it only
// for a release that no other can replace.
func NotPlayed(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case kubeapiserver.Unavailable(err):
		record(fmt.Sprintf("%s: %v\n", t.Name(), err))
		t.Skipf("NOT PLAYED: %v", err)
	default:
		t.Fatal(err)
	}
}

func record(line string) {
	name := os.Getenv(NotPlayedVariable)
	if name == "" {
		return
	}
	f, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	defer f.Close()
	fmt.Fprint(f, line)
}
