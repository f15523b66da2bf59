package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// said runs skewsim in this process.
func said(t *testing.T, args ...string) (code int, out, told string) {
	t.Helper()
	var o, e bytes.Buffer
	code = execute(t.Context(), &App{Out: &o, Err: &e}, args)
	return code, o.String(), e.String()
}

// TestFrobberPlanChain: the legs, each with what it makes itself; a release that there is
// not is refused, and so are flags that are for a pair.
func TestFrobberPlanChain(t *testing.T) {
	withFrobber(t)
	code, out, told := said(t, "plan", "train", "--through", "frobber@1.5..1.7")
	require.Equal(t, ExitExpected, code, told)
	assert.Contains(t, out, "train: a chain of 3 releases, frobber@1.5 .. frobber@1.7 and back: 4 legs; seed 0\n")
	assert.Regexp(t, `(?m)^01-1\.5\.\.1\.6 +upgrade +frobber,plural,wide `, out)
	assert.Regexp(t, `(?m)^02-1\.6\.\.1\.7 +upgrade +frobber,inches `, out)
	assert.Regexp(t, `(?m)^04-1\.5\.\.1\.6-back +rollback +frobber `, out)
	code, _, told = said(t, "plan", "train", "--through", "frobber@1.29..1.32")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "frobber@1.31,1.32: there is no such release: they are 1.0 to 1.30")
	code, _, told = said(t, "plan", "train", "--orders", "3")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "--orders and --only are for one pair")
	code, _, told = said(t, "plan", "add-field", "--forward")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "are for a chain")
	code, _, told = said(t, "run", "train", "--through", "frobber@1.0..1.99", "--out", filepath.Join(t.TempDir(), "x"))
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "frobber@1.31,1.32,1.33 and 66 more: there is no such release")
}

// TestListChain: of a chain list shows the releases from the first to the last.
func TestListChain(t *testing.T) {
	_, out, _ := said(t, "list")
	assert.Regexp(t, `frobber/train +frobber@1\.0\.\.1\.30 `, out)
	assert.Regexp(t, `frobber/add-field +frobber@1\.0\.\.1\.1 `, out)
}

// TestValidateChain: validate refuses a chain that run would refuse.
func TestValidateChain(t *testing.T) {
	dir := t.TempDir()
	check := func(through string) (int, string) {
		text := "name: x\nabout: x\nreleases: {of: frobber, through: '" + through + "'}\nobjects: {o: {bystander: o.yaml}}\nplay:\n- {create: o}\n"
		require.NoError(t, os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(text), 0o600))
		code, _, told := said(t, "validate", filepath.Join(dir, "x.yaml"))
		return code, told
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "o.yaml"), []byte("{apiVersion: a/v1, kind: B}"), 0o600))
	code, told := check("frobber@1.0..1.3")
	assert.Equal(t, ExitExpected, code, told)
	code, told = check("frobber@1.3..1.0")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "releases.through: ")
	assert.Contains(t, told, "swap them")
	code, told = check("frobber@1.3,1.0")
	assert.Equal(t, ExitUsage, code)
	assert.Contains(t, told, "swap them")
}
