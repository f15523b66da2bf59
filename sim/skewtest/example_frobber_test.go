package skewtest_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/tiers"
)

// failing is a test that a user could write: it expects the loss of one field, and the old
// server loses another.
const failing = `package gotest

import (
	"testing"

	"github.com/skewsim/skewsim/sim/skewtest"
)

func TestFails(t *testing.T) {
	env := skewtest.Start(t, skewtest.Old("frobber@1.0"), skewtest.New("frobber@1.1"))
	s := width("fails")
	s.Touch("frobber", skewtest.ViaOld, skewtest.StageUpgrading)
	env.Run(t, s.Expect(
		skewtest.Impact(skewtest.CheckNothingLost).At(".spec.height"),
	))
}
`

// TestFrobberExampleCompiles: the example's module fits this one, its go.mod and go.sum are
// complete, and nothing is downloaded for it that this module does not need.
func TestFrobberExampleCompiles(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	module := copyExample(t)
	for _, command := range [][]string{{"GOWORK=off", "list", "-deps", "-test", "./..."}, {"GOWORK=" + filepath.Join(module, "go.work"), "vet", "./..."}} {
		c := exec.Command("go", command[1:]...)
		c.Dir, c.Env = module, append(os.Environ(), "GOPROXY=off", command[0])
		out, err := c.CombinedOutput()
		require.NoError(t, err, string(out))
	}
}

// TestFrobberExample: a module outside of this one imports the package, and go test behaves
// as a Go developer expects.
func TestFrobberExample(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	module := copyExample(t)
	require.NoError(t, os.WriteFile(filepath.Join(module, "fails_test.go"), []byte(failing), 0o600))

	all := goTest(t, module, 1, "-test.run", "TestFrobber$|TestMyField|TestScenarioFile|TestFails")
	assert.Equal(t, map[string]string{
		"TestMyField": "PASS",
		"TestFrobber": "PASS", "TestFrobber/width-written": "PASS", "TestFrobber/width-kept": "PASS",
		"TestScenarioFile": "PASS", "TestFails": "FAIL",
	}, all.outcomes)
	assert.Regexp(t, `fails_test.go:13: impact: nothing-lost: Frobber \S+: \.spec\.width `, all.output)
	assert.Regexp(t, `fails_test.go:13: fails_test.go:14: expectation 1: `, all.output)
	checkKept(t, all.output)

	assert.Equal(t, map[string]string{"TestFrobber": "PASS", "TestFrobber/width-kept": "PASS"},
		goTest(t, module, 0, "-test.run", "TestFrobber$/kept").outcomes, "a subtest by itself")
	assert.Equal(t, map[string]string{
		"TestFrobber": "SKIP", "TestFrobber/width-written": "SKIP", "TestFrobber/width-kept": "SKIP",
		"TestScenarioFile": "SKIP", "TestFails": "SKIP", "TestPod": "SKIP",
		"TestMyField": "SKIP", "TestMode": "SKIP",
	}, goTest(t, module, 0, "-test.short").outcomes, "all are valid")
}

// TestKubernetesExample runs the examples of typed objects.
func TestKubernetesExample(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	assert.Equal(t, map[string]string{"TestPod": "PASS", "TestMode": "PASS"},
		goTest(t, copyExample(t), 0, "-test.run", "TestPod|TestMode").outcomes)
}

// checkKept: the run directory of a test that failed is kept, with the scenario as a file.
func checkKept(t *testing.T, output string) {
	t.Helper()
	page := regexp.MustCompile(`report: (\S+)`).FindStringSubmatch(output)
	require.NotEmpty(t, page, output)
	dir := filepath.Dir(page[1])
	t.Cleanup(func() { assert.NoError(t, os.RemoveAll(filepath.Dir(dir))) })
	assert.FileExists(t, page[1])
	assert.FileExists(t, filepath.Join(dir, "history.jsonl.zst"))
	s, err := load.File(filepath.Join(dir, "scenario", "fails.yaml"))
	require.NoError(t, err)
	assert.Equal(t, "frobber", s.Releases.Of)
}

// copyExample copies the example's module out of the repository. The reference server's
// executable is not beside it: skewtest makes it.
func copyExample(t *testing.T) (module string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	module = t.TempDir()
	require.NoError(t, os.CopyFS(module, os.DirFS(filepath.Join(root, "docs/examples/gotest"))))
	mod, err := os.ReadFile(filepath.Join(module, "go.mod"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(module, "go.mod"), bytes.ReplaceAll(mod, []byte("=> ../../.."), []byte("=> "+root)), 0o600))
	workspace := exec.Command("go", "work", "init", ".", root) // in one, what other tests have compiled is not compiled again
	workspace.Dir = module
	out, err := workspace.CombinedOutput()
	require.NoError(t, err, string(out))
	return module
}

// tested is the output of a module's tests.
type tested struct {
	outcomes map[string]string // of each test: PASS, FAIL, SKIP
	output   string
}

// goTest runs tests of the module, whose test binary is linked once.
func goTest(t *testing.T, module string, exit int, args ...string) tested {
	t.Helper()
	binary := filepath.Join(module, "gotest.test")
	if _, err := os.Stat(binary); err != nil {
		link := exec.Command("go", "test", "-ldflags=-s -w", "-c", "-o", binary)
		link.Dir = module
		out, err := link.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	c := exec.Command(binary, append([]string{"-test.v"}, args...)...)
	c.Dir = module
	out, err := c.CombinedOutput()
	var ended *exec.ExitError
	if exit == 0 {
		require.NoError(t, err, string(out))
	} else if !errors.As(err, &ended) || ended.ExitCode() != exit {
		require.Fail(t, "exit code", "%v: %s", err, out)
	}
	all := tested{outcomes: map[string]string{}, output: string(out)}
	for _, found := range regexp.MustCompile(`(?m)^ *--- (PASS|FAIL|SKIP): (\S+)`).FindAllStringSubmatch(all.output, -1) {
		all.outcomes[found[2]] = found[1]
	}
	return all
}
