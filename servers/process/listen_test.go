package process

import (
	"net/netip"
	"runtime"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestParseListeners covers both address families on a little-endian machine.
func TestParseListeners(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("big-endian machines print addresses in another byte order")
	}
	const head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
	got := parseListeners(head +
		"   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 11 1 0 100 0 0 10 0\n" +
		"   1: 00000000:01BB 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 12 1 0 100 0 0 10 0\n" +
		"   2: 00000000:01BC 0100007F:0001 01 00000000:00000000 00:00000000 00000000     0        0 13 1 0 100 0 0 10 0\n" +
		"   3: 00000000000000000000000001000000:0050 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 14 1\n" +
		"   4: 00000000000000000000000000000000:0051 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 15 1\n" +
		"   5: 0000000000000000FFFF00000100007F:0052 00000000000000000000000000000000:0000 0A 0:0 00:0 0 0 0 16 1\n" +
		"   6: nonsense 0 0A 0 0 0 0 0 17\n   7: 00:1 0 0A 0 0 0 0 0 18\n")
	var want []listener
	for at, inode := range map[string]string{"127.0.0.1:8080": "11", "0.0.0.0:443": "12", "[::1]:80": "14", "[::]:81": "15", "127.0.0.1:82": "16"} {
		want = append(want, listener{netip.MustParseAddrPort(at), inode})
	}
	assert.ElementsMatch(t, want, got)
}

// TestBeyondLoopback: what another process has at the port counts only where the own sockets are unknown, and only at every
// address: another program may have the port at one.
func TestBeyondLoopback(t *testing.T) {
	at := func(address, inode string) listener { return listener{netip.MustParseAddrPort(address), inode} }
	for _, c := range []struct {
		l    listener
		own  map[string]bool
		want bool
	}{
		{at("0.0.0.0:80", "1"), map[string]bool{}, false},
		{at("[::]:80", "1"), nil, true},
		{at("0.0.0.0:81", "1"), map[string]bool{}, false},
		{at("0.0.0.0:81", "1"), map[string]bool{"1": true}, true},
		{at("192.0.2.1:80", "1"), map[string]bool{"2": true}, false},
		{at("192.0.2.1:80", "1"), map[string]bool{"1": true}, true},
		{at("127.0.0.1:80", "1"), map[string]bool{"1": true}, false},
	} {
		_, is := beyondLoopback([]listener{c.l}, c.own, 80)
		assert.Equal(t, c.want, is, "%v %v", c.l, c.own)
	}
}
