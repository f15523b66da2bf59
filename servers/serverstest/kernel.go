package serverstest

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// processes finds the processes whose command line names dir.
func processes(t *testing.T, dir string) []int {
	t.Helper()
	needKernel(t)
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	var pids []int
	for _, file := range files {
		line, err := os.ReadFile(file)
		if err != nil || !strings.Contains(string(line), dir) {
			continue // gone, or another's
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	return pids
}

// listeners gives the local addresses, in the kernel's notation, on which
// somebody listens at that port.
func listeners(t *testing.T, port string) []string {
	t.Helper()
	needKernel(t)
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	const listen = "0A"
	var addresses []string
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		table, err := os.ReadFile(file)
		if err != nil {
			continue // a kernel without that protocol
		}
		for _, line := range strings.Split(string(table), "\n") {
			f := strings.Fields(line)
			if len(f) > 3 && f[3] == listen && strings.HasSuffix(f[1], fmt.Sprintf(":%04X", number)) {
				addresses = append(addresses, f[1])
			}
		}
	}
	return addresses
}

func needKernel(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("looks at processes and sockets through /proc, which only Linux has")
	}
}
