package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/build"
)

// aged builds programs, each last used a day before the next; none is in use.
func aged(t *testing.T, dir string, now time.Time, versions ...string) (all []build.Built) {
	t.Helper()
	for i, version := range versions {
		c, err := build.OpenCache(dir)
		require.NoError(t, err)
		b := get(t, c, recipe(version, new(atomic.Int32)), nil)
		c.Close()
		use(t, dir, b.Key, now.Add(-time.Duration(len(versions)-i)*24*time.Hour))
		backdate(t, b)
		all = append(all, b)
	}
	return all
}

// use sets when a program was last used.
func use(t *testing.T, dir, key string, when time.Time) {
	t.Helper()
	require.NoError(t, os.Chtimes(filepath.Join(dir, "builds", key+".used"), when, when))
}

// backdate sets a build time long ago.
func backdate(t *testing.T, b build.Built) {
	t.Helper()
	name := filepath.Join(filepath.Dir(b.Path), "build.json")
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	at, err := b.At.MarshalText()
	require.NoError(t, err)
	changed := strings.Replace(string(text), string(at), "2020-01-01T00:00:00Z", 1)
	require.NotEqual(t, string(text), changed)
	require.NoError(t, os.WriteFile(name, []byte(changed), 0o600))
}

// names returns the removed builds, and those that were selected but spared with a leading "-".
func names(all []build.Pruned) (told []string) {
	for _, p := range all {
		switch {
		case p.Leftover != "":
			told = append(told, p.Leftover)
		case p.Spared != "":
			told = append(told, "-"+p.Version)
		default:
			told = append(told, p.Version)
		}
	}
	return told
}

func TestFrobberPruneChooses(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	dir, now := filepath.Join(t.TempDir(), "cache"), time.Now()
	built := aged(t, dir, now, "v1", "v2", "v3", "v4") // 4, 3, 2 and 1 days ago
	c, err := build.OpenCache(dir)
	require.NoError(t, err)
	size := built[0].Size
	for _, each := range []struct {
		name string
		p    build.Pruning
		want []string
	}{
		{"nothing is asked for", build.Pruning{}, nil},
		{"older", build.Pruning{OlderThan: 60 * time.Hour}, []string{"v1", "v2"}},
		{"older than all", build.Pruning{OlderThan: 1000 * time.Hour}, nil},
		{"keep alone", build.Pruning{Keep: 3}, []string{"v1"}},
		{"keep more than there are", build.Pruning{Keep: 9}, nil},
		{"older, but keep", build.Pruning{OlderThan: time.Hour, Keep: 3}, []string{"v1"}},
		{"size", build.Pruning{MaxSize: 2*size + 100}, []string{"v1", "v2"}},
		{"size that suffices", build.Pruning{MaxSize: 5 * size}, nil},
		{"size, but keep", build.Pruning{MaxSize: 1, Keep: 2}, []string{"v1", "v2"}},
	} {
		t.Run(each.name, func(t *testing.T) {
			each.p.DryRun = true
			all, err := c.Prune(each.p, now)
			require.NoError(t, err)
			assert.Equal(t, each.want, names(all))
			assert.Len(t, entries(t, c), 4, "a dry run removes nothing")
		})
	}
	all, err := c.Prune(build.Pruning{Keep: 3}, now)
	require.NoError(t, err)
	key := built[0].Key
	assert.Equal(t, []string{"v1", key + ".lock", key + ".used"}, names(all), "with it go its locks")
	assert.Equal(t, []string{built[1].Key, built[2].Key, built[3].Key}, entries(t, c))
	again, err := c.Prune(build.Pruning{Keep: 3}, now)
	require.NoError(t, err)
	assert.Empty(t, again)
}

// TestFrobberPruneSparesWhatIsInUse: an entry that Get returned stays while its cache is open,
// and can be pruned afterwards.
func TestFrobberPruneSparesWhatIsInUse(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	b := get(t, c, recipe("v1", new(atomic.Int32)), nil)
	other, err := build.OpenCache(c.Dir())
	require.NoError(t, err)
	later := time.Now().Add(time.Hour)
	for _, dry := range []bool{true, false} {
		all, err := other.Prune(build.Pruning{OlderThan: time.Minute, DryRun: dry}, later)
		require.NoError(t, err)
		require.Equal(t, []string{"-v1"}, names(all))
		assert.Equal(t, "it is in use", all[0].Spared)
	}
	assert.Equal(t, []string{b.Key}, entries(t, c))
	c.Close()
	all, err := other.Prune(build.Pruning{OlderThan: time.Minute}, later)
	require.NoError(t, err)
	assert.Equal(t, "v1", names(all)[0])
	assert.Empty(t, entries(t, c))
	// A later Get returns the entry, and holds it.
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	all, err = other.Prune(build.Pruning{OlderThan: time.Minute}, later)
	require.NoError(t, err)
	assert.Equal(t, []string{"-v1"}, names(all))
}

// TestFrobberPruneLeftovers: leftovers are always removed; other files stay.
func TestFrobberPruneLeftovers(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	b := get(t, c, recipe("v1", new(atomic.Int32)), nil)
	place := func(name string) string { return filepath.Join(c.Dir(), "builds", name) }
	require.NoError(t, os.MkdirAll(place("dead-v1-linux-amd64-0123456789ab.tmp-42/module"), 0o700))
	require.NoError(t, os.Mkdir(place("damaged-v1-linux-amd64-0123456789ab"), 0o700))
	require.NoError(t, os.WriteFile(place("gone-v1-linux-amd64-0123456789ab.lock"), nil, 0o600))
	require.NoError(t, os.WriteFile(place("notes"), nil, 0o600))
	probes := filepath.Join(c.Dir(), "probes")
	require.NoError(t, os.Mkdir(probes, 0o700))
	now := time.Now()
	for name, age := range map[string]time.Duration{"new.json": time.Hour, "old.json": 31 * 24 * time.Hour} {
		require.NoError(t, os.WriteFile(filepath.Join(probes, name), []byte("{}"), 0o600))
		require.NoError(t, os.Chtimes(filepath.Join(probes, name), now.Add(-age), now.Add(-age)))
	}
	all, err := c.Prune(build.Pruning{}, now)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"damaged-v1-linux-amd64-0123456789ab", "dead-v1-linux-amd64-0123456789ab.tmp-42", "gone-v1-linux-amd64-0123456789ab.lock", "probes/old.json",
	}, names(all))
	left, err := os.ReadDir(place(""))
	require.NoError(t, err)
	var there []string
	for _, e := range left {
		there = append(there, e.Name())
	}
	assert.Equal(t, []string{b.Key, b.Key + ".lock", b.Key + ".used", "notes"}, there)
	assert.FileExists(t, filepath.Join(probes, "new.json"))
}

// TestFrobberLastUse: each use is recorded, and List shows it.
func TestFrobberLastUse(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	dir, now := filepath.Join(t.TempDir(), "cache"), time.Now()
	b := aged(t, dir, now, "v1")[0]
	c, err := build.OpenCache(dir)
	require.NoError(t, err)
	all, err := c.List()
	require.NoError(t, err)
	assert.WithinDuration(t, now.Add(-24*time.Hour), all[0].Used, time.Second)
	get(t, c, recipe("v1", new(atomic.Int32)), nil)
	all, err = c.List()
	require.NoError(t, err)
	assert.False(t, all[0].Used.Before(now.Truncate(time.Second)), "%s", all[0].Used)
	require.NoError(t, os.Remove(filepath.Join(dir, "builds", b.Key+".used")))
	all, err = c.List()
	require.NoError(t, err)
	assert.Equal(t, all[0].At, all[0].Used, "of what was built before uses were noted")
}

// TestFrobberPruneDamaged: an entry whose executable has another size than recorded is marked as
// damaged and removed, unless it is in use; undamaged ones stay.
func TestFrobberPruneDamaged(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	dir, now := t.TempDir(), time.Now()
	built := aged(t, dir, now, "v1", "v2")
	require.NoError(t, os.Truncate(built[1].Path, built[1].Size/2))
	c, err := build.OpenCache(dir)
	require.NoError(t, err)
	all, err := c.List()
	require.NoError(t, err)
	require.Len(t, all, 2)
	assert.False(t, all[0].Damaged)
	assert.True(t, all[1].Damaged)
	gone, err := c.Prune(build.Pruning{DryRun: true}, now)
	require.NoError(t, err)
	assert.Equal(t, []string{"v2"}, names(gone))
	gone, err = c.Prune(build.Pruning{Keep: 1}, now)
	require.NoError(t, err)
	assert.Equal(t, "v2", names(gone)[0])
	assert.NotContains(t, names(gone), "v1")
	assert.FileExists(t, built[0].Path)
	assert.NoFileExists(t, built[1].Path)
}

// TestFrobberPruneInsteadOfWhatIsInUse: if a build that was selected for its size is in use,
// damaged or not, the next one is removed instead.
func TestFrobberPruneInsteadOfWhatIsInUse(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	for name, c := range map[string]struct {
		used, damaged bool
		want          []string
	}{
		"in use":             {true, false, []string{"-v1", "v2"}},
		"nobody uses it":     {false, false, []string{"v1"}},
		"damaged and in use": {true, true, []string{"-v1", "v2"}},
		"damaged":            {false, true, []string{"v1"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir, now := t.TempDir(), time.Now()
			built := aged(t, dir, now, "v1", "v2", "v3")
			user, err := build.OpenCache(dir)
			require.NoError(t, err)
			if c.used {
				get(t, user, recipe("v1", new(atomic.Int32)), nil)
				use(t, dir, built[0].Key, now.Add(-72*time.Hour))
			}
			size := built[0].Size
			if c.damaged {
				size--
				require.NoError(t, os.Truncate(built[0].Path, size))
			}
			pruner, err := build.OpenCache(dir)
			require.NoError(t, err)
			for _, dry := range []bool{true, false} {
				all, err := pruner.Prune(build.Pruning{MaxSize: size + built[1].Size + 1, DryRun: dry}, now)
				require.NoError(t, err)
				assert.Equal(t, c.want, names(all)[:len(c.want)])
				assert.FileExists(t, built[2].Path)
			}
			assert.Len(t, entries(t, pruner), 2)
		})
	}
}

// TestFrobberPruneSparesDamagedInUse: a server may still run an executable that was damaged
// later.
func TestFrobberPruneSparesDamagedInUse(t *testing.T) {
	tiers.Need(t, tiers.Frobber)
	c := open(t)
	b := get(t, c, recipe("v1", new(atomic.Int32)), nil)
	require.NoError(t, os.Truncate(b.Path, b.Size/2))
	other, err := build.OpenCache(c.Dir())
	require.NoError(t, err)
	gone, err := other.Prune(build.Pruning{}, time.Now())
	require.NoError(t, err)
	assert.Equal(t, []string{"-v1"}, names(gone))
}
