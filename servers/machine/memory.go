package machine

import (
	"bufio"
	"bytes"
	"math"
	"os"
	"path"
	"strconv"
	"strings"
)

// FreeMemory returns how many bytes this process may still allocate: the free memory of the
// machine or of its cgroup, whichever is less. It returns false if neither is known.
func FreeMemory() (int64, bool) { return freeMemory(os.ReadFile) }

func freeMemory(read func(string) ([]byte, error)) (int64, bool) {
	free, known := int64(math.MaxInt64), false
	if raw, err := read("/proc/meminfo"); err == nil {
		if kilobytes, ok := fieldOf(raw, "MemAvailable:"); ok {
			free, known = kilobytes<<10, true
		}
	}
	for _, group := range cgroups(read) {
		if left, ok := leftOf(read, group); ok {
			free, known = min(free, left), true
		}
	}
	return max(0, free), known
}

// cgroups returns the directories that may contain this process's limits: its cgroup and those
// above it, of version 2 or 1.
func cgroups(read func(string) ([]byte, error)) (all []string) {
	raw, err := read("/proc/self/cgroup")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(raw)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		root := "/sys/fs/cgroup"
		if parts[1] == "memory" {
			root = "/sys/fs/cgroup/memory"
		} else if parts[1] != "" {
			continue
		}
		for at := path.Clean("/" + parts[2]); ; at = path.Dir(at) {
			all = append(all, path.Join(root, at))
			if at == "/" {
				break
			}
		}
	}
	return all
}

// leftOf returns what a cgroup has left. Memory for inactive files counts as free, because the
// kernel reclaims it.
func leftOf(read func(string) ([]byte, error), group string) (int64, bool) {
	for _, names := range [][3]string{
		{"memory.max", "memory.current", "inactive_file"},
		{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
	} {
		limit, limited := numberIn(read, path.Join(group, names[0]))
		used, known := numberIn(read, path.Join(group, names[1]))
		if !limited || !known || limit > 1<<60 { // version 1 has no value for "no limit"
			continue
		}
		stat, _ := read(path.Join(group, "memory.stat")) // missing values count as not reclaimable
		inactive, _ := fieldOf(stat, names[2])
		return limit - used + inactive, true
	}
	return 0, false
}

func numberIn(read func(string) ([]byte, error), name string) (int64, bool) {
	raw, err := read(name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(raw)), 10, 64)
	return n, err == nil
}

// fieldOf returns the number after a word at the beginning of a line.
func fieldOf(raw []byte, word string) (int64, bool) {
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) > 1 && fields[0] == word {
			n, err := strconv.ParseInt(fields[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
