package neighbours

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
)

// releases are those that tests would play, newest first, each next to the one before.
// Another patch of the same minor serves where one cannot be had.
func releases() []string { return []string{"v1.37.0", "v1.36.3", "v1.35.4", "v1.34.4"} }

// Pair gives the newest two neighbours that can both be had, built: that takes minutes
// the first time, and seconds later. What goes on is told on standard error, for a
// test's own log appears only when the test has ended. Where there are none the test
// fails; with -short it is skipped.
func Pair(t testing.TB) (old, new servers.Build) {
	t.Helper()
	two := built(t, two)
	return two[0], two[1]
}

// All gives the newest neighbours that can be had, three or at least two, oldest first.
func All(t testing.TB) []servers.Build {
	t.Helper()
	return built(t, three)
}

func built(t testing.TB, of func() ([]servers.Build, error)) []servers.Build {
	t.Helper()
	if testing.Short() {
		t.Skip("needs kube-apiservers, which take minutes to build: not in -short")
	}
	all, err := of()
	if err != nil {
		t.Fatal(err)
	}
	if all[len(all)-1].Version != releases()[0] {
		t.Logf("played are %s: %s cannot be had here", references(all), releases()[0])
	}
	return slices.Clone(all)
}

func references(all []servers.Build) string {
	var names []string
	for _, b := range all {
		names = append(names, b.Reference)
	}
	return strings.Join(names, ", ")
}

// They are found once for all tests of a process: what cannot be had is asked for over
// the network.
var (
	two   = sync.OnceValues(func() ([]servers.Build, error) { return find(2, serve) })
	three = sync.OnceValues(func() ([]servers.Build, error) { return find(3, serve) })
)

// serve builds a release, or another patch of its minor.
func serve(version string) (servers.Build, error) {
	cache, err := gobuild.Open("")
	if err != nil {
		return servers.Build{}, err
	}
	return kubeapiserver.Prefer(context.Background(), cache, version, teller{})
}

// find makes the newest so many neighbours, and is content with two.
func find(most int, make func(version string) (servers.Build, error)) ([]servers.Build, error) {
	var all []servers.Build
	for _, version := range releases() {
		b, err := make(version)
		if err == nil {
			all = append(all, b)
		}
		if len(all) == most || err != nil && len(all) > 1 {
			break
		}
		if err == nil {
			continue
		}
		if !kubeapiserver.Unavailable(err) {
			return nil, err
		}
		fmt.Fprintf(os.Stderr, "    kube-apiserver %s is not played: %v\n", version, err)
		all = nil // the next one has no neighbour yet
	}
	if len(all) < 2 {
		return nil, fmt.Errorf("no two neighbours of %v can be had from the module proxy: set GOPROXY to one that has some", releases())
	}
	slices.Reverse(all)
	return all, nil
}

// teller tells on standard error how a build gets on.
type teller struct{}

func (teller) Phase(text string) { fmt.Fprintln(os.Stderr, "    "+text) }

func (teller) Packages(done, total int) {
	if done%200 == 0 {
		fmt.Fprintf(os.Stderr, "    compiled %d of %d packages\n", done, total)
	}
}

// NotPlayed skips a test of what cannot be had, in words that nobody overlooks. Other
// errors fail it; with none it goes on. Only for what has no neighbour that would do as
// well.
func NotPlayed(t testing.TB, err error) {
	t.Helper()
	switch {
	case err == nil:
	case kubeapiserver.Unavailable(err):
		fmt.Fprintf(os.Stderr, "    NOT PLAYED: %s: %v\n", t.Name(), err)
		t.Skipf("NOT PLAYED: %v", err)
	default:
		t.Fatal(err)
	}
}
