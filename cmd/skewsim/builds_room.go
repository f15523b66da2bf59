package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
)

// buildMemory is what one build is given room for: linking a kube-apiserver takes 1.9 GB,
// and compilers run before the last one's memory is free.
const buildMemory = 3 << 30

// buildsAtOnce is how many of so many builds are made at once: no more than there are
// cores, which one build alone keeps busy but while it links, and than memory allows.
func buildsAtOnce(builds int) int {
	room := runtime.NumCPU()
	if f, err := os.Open("/proc/meminfo"); err == nil {
		defer f.Close()
		if free, ok := available(f); ok {
			room = min(room, int(free/buildMemory))
		}
	}
	return max(1, min(builds, room))
}

// available reads MemAvailable, in bytes; not ok: it is not there.
func available(meminfo io.Reader) (bytes int64, ok bool) {
	lines := bufio.NewScanner(meminfo)
	for lines.Scan() {
		if value, found := strings.CutPrefix(lines.Text(), "MemAvailable:"); found {
			n, err := fmt.Sscanf(value, "%d kB", &bytes)
			return bytes << 10, err == nil && n == 1
		}
	}
	return 0, false
}
