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

// onLoopback refuses a server that listens where other machines may reach it. It was
// told not to, but an adapter, or an executable of somebody's own, may have it otherwise.
// Of a process all its sockets are looked at, of what has no process ID here, such as a
// container, those at its port. Where the kernel tells of no sockets nothing is checked.
func (s *server) onLoopback() error {
	own := s.sockets()
	for _, l := range listeners() {
		is := own[l.inode]
		if own == nil { // others may have the port at an address of their own
			is = int(l.at.Port()) == s.port.number && l.at.Addr().IsUnspecified()
		}
		if is && !l.at.Addr().IsLoopback() {
			return &servers.RequestError{Err: fmt.Errorf("server %s (%s): listens on %s, and servers listen on loopback only, where no other machine reaches them: "+
				"correct the flags, or the adapter's names, by which it does so", s.name, s.build.Reference, l.at)}
		}
	}
	return nil
}

// sockets are the inodes of the sockets that the server's process has; nil: it is not
// known which.
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
		to, _ := os.Readlink(filepath.Join(dir, f.Name())) // one that is closed by now leads nowhere
		if inode, is := strings.CutPrefix(to, "socket:["); is {
			all[strings.TrimSuffix(inode, "]")] = true
		}
	}
	return all
}

// listeners are the sockets of this machine that listen; none where it does not tell.
func listeners() (all []listener) {
	for _, file := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(file)
		if err == nil {
			all = append(all, parseListeners(string(text))...)
		}
	}
	return all
}

// parseListeners reads what Linux says in /proc/net/tcp, see proc_net_tcp(5).
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

// parseAddress reads 0100007F:1F90: words of four bytes as the machine keeps them, and
// the port.
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
