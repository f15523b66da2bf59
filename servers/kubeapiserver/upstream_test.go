package kubeapiserver_test

import (
	"encoding/base64"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/neighbours"
)

var update = flag.Bool("update", false, "write what kubectl prints into docs/findings/upstream")

// upstreamPages are bugs of Kubernetes as their maintainers want them.
const upstreamPages = "../../docs/findings/upstream"

// bugsPage has a row for each of the same bugs.
const bugsPage = "../../docs/findings/kubernetes-bugs.md"

// bug is one page.
type bug struct {
	file, text string
	// servers are what the contexts of its commands are: a version, and flags, by context.
	servers  map[string][]string
	commands string
	observed string
}

// block returns the first fenced block of a kind after a heading.
func block(t *testing.T, text, heading, kind string) string {
	t.Helper()
	found := regexp.MustCompile("(?s)\n## " + heading + "\n.*?\n```" + kind + "\n(.*?)```\n").FindStringSubmatch(text)
	require.NotNil(t, found, "%s: no block of %s", heading, kind)
	return found[1]
}

func readBug(t *testing.T, file string) bug {
	t.Helper()
	raw, err := os.ReadFile(file)
	require.NoError(t, err)
	b := bug{file: file, text: string(raw), servers: map[string][]string{}}
	play := regexp.MustCompile(`<!-- play: (.*) -->`).FindStringSubmatch(b.text)
	require.NotNil(t, play, "%s: no servers to play it on", file)
	for _, one := range strings.Split(play[1], "; ") {
		words := strings.Fields(one)
		require.GreaterOrEqual(t, len(words), 2, one)
		b.servers[words[0]] = words[1:]
	}
	b.commands, b.observed = block(t, b.text, "Steps", "sh"), block(t, b.text, "Observed", "text")
	return b
}

func readBugs(t *testing.T) (all []bug) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(upstreamPages, "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		all = append(all, readBug(t, file))
	}
	return all
}

// TestUpstreamPages: each bug of the list has a page and each page a row. A page has all that a
// maintainer needs, and its steps use kubectl alone.
func TestUpstreamPages(t *testing.T) {
	list, err := os.ReadFile(bugsPage)
	require.NoError(t, err)
	var rows, pages []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z-]+)` \\|").FindAllStringSubmatch(string(list), -1) {
		rows = append(rows, m[1])
	}
	for _, b := range readBugs(t) {
		pages = append(pages, strings.TrimSuffix(filepath.Base(b.file), ".md"))
		for _, part := range []string{"| Releases |", "| Severity |", "| Public issue |", "| Scenario |", "## Expected", "## Cause", "## What would fix it"} {
			assert.Contains(t, b.text, part, b.file)
		}
		assert.NotEmpty(t, b.observed, b.file)
		assert.NotContains(t, b.commands, "skewsim", b.file)
		assert.Contains(t, string(list), "upstream/"+filepath.Base(b.file))
	}
	slices.Sort(rows)
	assert.Equal(t, rows, pages)
}

// TestKubernetesUpstream plays the commands of the pages whose releases are in the cache, or are
// those of the tier.
func TestKubernetesUpstream(t *testing.T) {
	neighbours.Pair(t)
	playBugs(t, func(cache *build.Cache, version string) (servers.Build, error) {
		cached, err := cache.List()
		require.NoError(t, err)
		if !slices.ContainsFunc(cached, func(b build.Built) bool { return b.Name == "kube-apiserver" && b.Version == version }) {
			return servers.Build{}, &servers.RequestError{Err: fmt.Errorf("kube-apiserver %s is not in the cache: TestNightlyUpstream builds it", version)}
		}
		return kubeapiserver.Get(t.Context(), cache, version, nil)
	})
}

// TestNightlyUpstream plays the commands of all pages.
func TestNightlyUpstream(t *testing.T) {
	tiers.Need(t, tiers.Nightly)
	tiers.NeedFirst(t)
	playBugs(t, func(cache *build.Cache, version string) (servers.Build, error) {
		return kubeapiserver.Get(t.Context(), cache, version, nil)
	})
}

func playBugs(t *testing.T, get func(*build.Cache, string) (servers.Build, error)) {
	cache, err := build.OpenCache("")
	require.NoError(t, err)
	defer cache.Close()
	tool, err := build.GetKubectl(t.Context(), cache, "v1.37.0", nil)
	neighbours.NotPlayed(t, err)
	bin := t.TempDir()
	require.NoError(t, os.Symlink(tool.Path, filepath.Join(bin, "kubectl")))
	for _, b := range readBugs(t) {
		t.Run(strings.TrimSuffix(filepath.Base(b.file), ".md"), func(t *testing.T) {
			builds := map[string]servers.Build{}
			for context, is := range b.servers {
				build, err := get(cache, is[0])
				neighbours.NotPlayed(t, err)
				builds[context] = build
			}
			said := b.play(t, bin, builds)
			if *update {
				written := strings.Replace(b.text, "```text\n"+b.observed+"```", "```text\n"+said+"```", 1)
				require.NoError(t, os.WriteFile(b.file, []byte(written), 0o644))
				return
			}
			assert.Equal(t, b.observed, said, "go test ./servers/kubeapiserver -run TestKubernetesUpstream -update writes it")
		})
	}
}

// play starts the servers and runs the commands. It returns what they print, without what differs
// from run to run.
func (b bug) play(t *testing.T, bin string, builds map[string]servers.Build) string {
	t.Helper()
	runtime, at := launchpad(t)
	home := t.TempDir()
	var clusters, users, contexts strings.Builder
	for _, context := range []string{"old", "new"} {
		at.Name, at.Flags = context, b.servers[context][1:]
		server, err := runtime.Start(t.Context(), builds[context], at)
		require.NoError(t, err)
		e := server.Endpoint()
		fmt.Fprintf(&clusters, "- {name: %s, cluster: {server: %q, certificate-authority-data: %s}}\n", context, e.URL, base64.StdEncoding.EncodeToString(e.CAData))
		fmt.Fprintf(&users, "- {name: %s, user: {token: %s}}\n", context, e.Token)
		fmt.Fprintf(&contexts, "- {name: %s, context: {cluster: %s, user: %s, namespace: default}}\n", context, context, context)
	}
	config := filepath.Join(home, "config")
	require.NoError(t, os.WriteFile(config, []byte("apiVersion: v1\nkind: Config\nclusters:\n"+clusters.String()+"users:\n"+users.String()+"contexts:\n"+contexts.String()), 0o600))
	shell := exec.CommandContext(t.Context(), "bash")
	shell.Stdin = strings.NewReader(b.commands)
	shell.Env = []string{"HOME=" + home, "KUBECONFIG=" + config, "PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH")}
	said, _ := shell.CombinedOutput() // some commands must fail: their messages are compared
	text := regexp.MustCompile(`https://127\.0\.0\.1:\d+`).ReplaceAllString(string(said), "https://server")
	return regexp.MustCompile(`stream ID \d+`).ReplaceAllString(text, "stream ID N")
}
