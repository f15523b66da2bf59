package container

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/moby/moby/api/types/container"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestNamed: named returns existing files only, each once, and none in a directory that it
// returns as well.
func TestNamed(t *testing.T) {
	dir, keys := t.TempDir(), t.TempDir()
	policy, key := filepath.Join(dir, "policy.yaml"), filepath.Join(keys, "tls.key")
	require.NoError(t, os.WriteFile(policy, nil, 0o600))
	require.NoError(t, os.WriteFile(key, nil, 0o600))
	got := named([]string{
		"--audit-policy-file=" + policy, "--again=" + dir + "/./policy.yaml", "--tls-private-key-file=" + key,
		"--etcd-prefix=/registry", "--cert-dir=" + dir, "--missing=" + dir + "/none", "--relative=policy.yaml", "--bare", policy,
	}, keys)
	assert.Equal(t, []string{policy}, got)
	assert.Equal(t, []string{key}, named([]string{"--f=" + key}, ""))
	assert.Equal(t, []string{key}, named([]string{"--f=" + key}, keys[:len(keys)-1]), "a sibling is not within")
}

// TestIsDead: a process is dead if its ID is free or reused, or its kernel was another; a
// process in another namespace is not known to be dead.
func TestIsDead(t *testing.T) {
	own, err := thisProcess()
	require.NoError(t, err)
	assert.False(t, isDead(own))
	parts := strings.Fields(own)
	with := func(i int, value string) string {
		changed := append([]string{}, parts...)
		changed[i] = value
		return strings.Join(changed, " ")
	}
	assert.True(t, isDead(with(0, "another-boot")))
	assert.False(t, isDead(with(1, "pid:[1]")), "its ID counts elsewhere")
	assert.True(t, isDead(with(3, "1")), "the ID was given again")
	assert.True(t, isDead(with(2, "4194399")), "no process has such an ID")
	for _, hostile := range []string{"", "a b", with(2, "x"), own + " more"} {
		assert.False(t, isDead(hostile), "%q", hostile)
	}
}

// TestZombie: a process that has ended is dead, even if nobody waited for it yet.
func TestZombie(t *testing.T) {
	c := exec.Command("sleep", "600")
	require.NoError(t, c.Start())
	began, err := startOf(c.Process.Pid)
	require.NoError(t, err)
	assert.NotEmpty(t, began)
	require.NoError(t, c.Process.Kill())
	assert.Eventually(t, func() bool { return ended(c.Process.Pid, began, startOf, isGone) }, 30*time.Second, 5*time.Millisecond)
	_ = c.Wait()
}

// TestConfine: containers are unprivileged, and SELinux does not keep servers from the run's
// files.
func TestConfine(t *testing.T) {
	for name, want := range map[string][]string{"seccomp,profile=default": {"no-new-privileges"}, "selinux": {"no-new-privileges", "label=disable"}} {
		e := &Engine{}
		e.info.SecurityOptions = []string{"name=" + name}
		var h container.HostConfig
		e.confine(&h, Spec{Offline: true})
		assert.Equal(t, want, h.SecurityOpt)
		assert.False(t, h.Privileged)
		assert.Equal(t, container.NetworkMode("none"), h.NetworkMode)
	}
}
