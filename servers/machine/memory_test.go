package machine

import (
	"io/fs"
	"testing"

	"github.com/stretchr/testify/assert"
)

const gib = int64(1) << 30

// TestFreeMemory: what the machine has, or what its cgroup, or one above, leaves.
func TestFreeMemory(t *testing.T) {
	const meminfo = "MemTotal: 16777216 kB\nMemAvailable:    8388608 kB\n"
	for name, c := range map[string]struct {
		files map[string]string
		want  int64
	}{
		"no cgroup": {map[string]string{"/proc/meminfo": meminfo}, 8 * gib},
		"no limit": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a\n", "/sys/fs/cgroup/a/memory.max": "max\n",
			"/sys/fs/cgroup/a/memory.current": "1\n"}, 8 * gib},
		"version 2": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "4294967296\n",
			"/sys/fs/cgroup/a/b/memory.current": "2147483648\n", "/sys/fs/cgroup/a/b/memory.stat": "anon 1\ninactive_file 1073741824\n"}, 3 * gib},
		"the one above": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/a/b\n", "/sys/fs/cgroup/a/b/memory.max": "max\n",
			"/sys/fs/cgroup/a/memory.max": "2147483648\n", "/sys/fs/cgroup/a/memory.current": "0\n"}, 2 * gib},
		"in a container": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1073741824\n",
			"/sys/fs/cgroup/memory.current": "0\n"}, gib},
		"version 1": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "5:memory:/a\n4:cpu:/a\n", "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "3221225472\n",
			"/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "1073741824\n"}, 2 * gib},
		"version 1, no limit": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "5:memory:/a\n",
			"/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "9223372036854771712\n", "/sys/fs/cgroup/memory/a/memory.usage_in_bytes": "1\n"}, 8 * gib},
		"more than all": {map[string]string{"/proc/meminfo": meminfo, "/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "1\n",
			"/sys/fs/cgroup/memory.current": "5\n"}, 0},
	} {
		free, known := freeMemory(func(name string) ([]byte, error) {
			if text, ok := c.files[name]; ok {
				return []byte(text), nil
			}
			return nil, fs.ErrNotExist
		})
		assert.True(t, known, name)
		assert.Equal(t, c.want, free, name)
	}
	_, known := freeMemory(func(string) ([]byte, error) { return nil, fs.ErrNotExist })
	assert.False(t, known)
}
