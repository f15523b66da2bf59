package process

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// listener is a TCP socket that waits for connections.
type listener struct {
	at    netip.AddrPort
	inode string
}

// ListensBeyondLoopback returns an address at which a process listens and which other machines
// can reach. It checks all sockets of the process; of process 0, such as one that may be a child of an image's init, it
// checks those at the port. It finds nothing where the kernel does not list sockets.
func ListensBeyondLoopback(pid, port int) (at netip.AddrPort, is bool) {
	return beyondLoopback(listeners(), sockets(pid), port)
}

// beyondLoopback returns the first listener that other machines can reach, and whose socket is among own. Where those are
// unknown, it is one that has the port at every address: at one address another program may have it.
func beyondLoopback(all []listener, own map[string]bool, port int) (at netip.AddrPort, is bool) {
	for _, l := range all {
		is := own[l.inode]
		if own == nil {
			is = int(l.at.Port()) == port && l.at.Addr().IsUnspecified()
		}
		if is && !l.at.Addr().IsLoopback() {
			return l.at, true
		}
	}
	return netip.AddrPort{}, false
}

// Listens returns the addresses at which a process listens, or none where the kernel does not list
// its sockets.
func Listens(pid int) (all []netip.AddrPort) {
	own := sockets(pid)
	for _, l := range listeners() {
		if own[l.inode] {
			all = append(all, l.at)
		}
	}
	return all
}

// sockets returns the inodes of the sockets of a process, or nil if they are unknown.
func sockets(pid int) map[string]bool {
	if pid == 0 {
		return nil
	}
	dir := filepath.Join("/proc", strconv.Itoa(pid), "fd")
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	all := map[string]bool{}
	for _, f := range files {
		to, _ := os.Readlink(filepath.Join(dir, f.Name())) // a closed one has no target
		if inode, is := strings.CutPrefix(to, "socket:["); is {
			all[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return all
}

// listeners returns the listening sockets of this machine, or none where the kernel does not
// list them.
func listeners() (all []listener) {
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(file)
		if err == nil {
			all = append(all, parseListeners(string(text))...)
		}
	}
	return all
}

// parseListeners parses /proc/net/tcp of Linux, see proc_net_tcp(5).
func parseListeners(text string) (all []listener) {
	const address, state, inode, listens = 1, 3, 9, "0A"
	for line := range strings.Lines(text) {
		fields := strings.Fields(line)
		if len(fields) <= inode || fields[state] != listens {
			continue
		}
		if at, ok := parseAddress(fields[address]); ok {
			all = append(all, listener{at: at, inode: fields[inode]})
		}
	}
	return all
}

// parseAddress parses 0100007F:1F90: four-byte words in the byte order of the machine, and the
// port.
func parseAddress(text string) (at netip.AddrPort, ok bool) {
	words, number, _ := strings.Cut(text, ":")
	raw, err := hex.DecodeString(words)
	if err != nil {
		return at, false
	}
	for word := raw; len(word) >= 4; word = word[4:] {
		binary.NativeEndian.PutUint32(word, binary.BigEndian.Uint32(word))
	}
	port, err := strconv.ParseUint(number, 16, 16)
	addr, ok := netip.AddrFromSlice(raw)
	return netip.AddrPortFrom(addr.Unmap(), uint16(port)), ok && err == nil
}
