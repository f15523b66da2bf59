package process_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
)

// TestShortage: only what Go and Linux say counts, where they say it. A server may end of
// what it reads, and what it says then holds what it read.
func TestShortage(t *testing.T) {
	const slow = `F1122 21:15:02.123456    1234 hooks.go:204] PostStartHook "start-service-ip-repair-controllers" failed: unable to perform initial IP and Port allocation check (timeout)`
	for line, want := range map[string]fault.Failure{
		slow: fault.ServerTooSlow,
		"listen tcp 127.0.0.1:6443: bind: address already in use":                                                                fault.PortTaken,
		"failed to create listener: failed to listen on 127.0.0.1:6443: listen tcp 127.0.0.1:6443: bind: address already in use": fault.PortTaken,
		"fatal error: runtime: out of memory":                                                                                    fault.MemoryShort,
		"runtime: out of memory: cannot allocate 4194304-byte block (8 in use)":                                                  fault.MemoryShort,
		"error: mmap: cannot allocate memory":                                                                                    fault.MemoryShort,
		"open /etc/ssl/cert.pem: too many open files":                                                                            fault.FilesShort,
		"runtime: failed to create new OS thread (have 9 already; errno=11)":                                                     fault.ProcessesShort,
		"error: write /run/apiserver.key: no space left on device":                                                               fault.DiskFull,
		"etcd ended: cannot commit tx: write db: no space left on device":                                                        fault.DiskFull,
		"etcdserver: mvcc: database space exceeded":                                                                              fault.StoreFull,
		"panic: cannot decode " + slow:                                                                                           fault.None,
		"panic: cannot decode /registry/x: out of memory budget":                                                                 fault.None,
		"panic: cannot decode /registry/x: \"fatal error: runtime: out of memory\"":                                              fault.None,
		"panic: etcdserver: request timed out":                                                                                   fault.None,
		"E1122 status.go:71] \"address already in use\"":                                                                         fault.None,
		"error: bad value \"listen tcp 127.0.0.1:6443: bind: address already in use\" of field x":                                fault.None,
		"etcd ended: etcdserver: leader changed: not ready after 1m0s":                                                           fault.None,
	} {
		assert.Equal(t, want, process.Shortage([]string{"some line", line}), line)
	}
	assert.Equal(t, fault.None, process.Shortage(nil))
}
