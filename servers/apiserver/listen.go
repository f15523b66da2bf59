package apiserver

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

// listener is a TCP socket that waits for connections.
type listener struct {
	at    netip.AddrPort
	inode string
}

// onLoopback refuses a server that listens where other machines can reach it. Its flags forbid
// that, but an adapter or a custom executable may change it. It checks all sockets of a
// process; without a local process ID, as for a container, it checks those at the server's
// port. It checks nothing where the kernel does not list sockets.
func (s *server) onLoopback() error {
	own := s.sockets()
	for _, l := range listeners() {
		is := own[l.inode]
		if own == nil { // another process may have the port at another address
			is = int(l.at.Port()) == s.port.number && l.at.Addr().IsUnspecified()
		}
		if is && !l.at.Addr().IsLoopback() {
			return &servers.RequestError{Err: fmt.Errorf("server %s (%s): listens on %s, but servers must listen on loopback, which other machines cannot reach: "+
				"correct the flags or the adapter's names that cause it", s.name, s.build.Reference, l.at)}
		}
	}
	return nil
}

// sockets returns the inodes of the sockets of the server's process, or nil if they are
// unknown.
func (s *server) sockets() map[string]bool {
	child, is := s.child.(interface{ PID() int })
	if !is {
		return nil
	}
	dir := filepath.Join("/proc", strconv.Itoa(child.PID()), "fd")
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
