package engine

import (
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
)

// Store says where the etcd is that the servers share. The zero value is an etcd in this
// process, below the run directory.
type Store struct {
	// Etcd are the URLs of an external etcd. The run uses a random prefix there, which it
	// removes afterwards.
	Etcd []string
	// CAFile, CertFile and KeyFile are for Etcd: the certificate authority, and the client
	// certificate with its key.
	CAFile, CertFile, KeyFile string
	// Image is the container image that runs the etcd, as image:NAME; "": none.
	Image string
	Fsync bool // the run's own etcd calls fsync before it answers
	Keep  bool // keep etcd's data in the run directory, or the run's keys in Etcd
}

// IsElsewhere reports whether the etcd is external.
func (s Store) IsElsewhere() bool { return len(s.Etcd) > 0 }

// ImageName returns the name of the image that runs the shared etcd; "": none.
func (s Store) ImageName() string { return strings.TrimPrefix(s.Image, ImagePrefix) }

// ImagePrefix is the prefix of references to images.
const ImagePrefix = string(servers.SchemeImage) + ":"

// Remote returns the external etcd.
func (s Store) Remote() etcd.Remote {
	return etcd.Remote{Endpoints: s.Etcd, CAFile: s.CAFile, CertFile: s.CertFile, KeyFile: s.KeyFile, Keep: s.Keep}
}

// Check refuses values that contradict each other.
func (s Store) Check() error {
	ref, err := servers.ParseReference(s.Image)
	switch {
	case s.Image != "" && (err != nil || ref.Scheme != servers.SchemeImage):
		return fault.Optionf("{store} %q: want image:NAME, such as image:registry.k8s.io/etcd:3.6.5-0", s.Image)
	case s.Image != "" && s.IsElsewhere():
		return fault.Optionf("{store} starts an etcd, and {etcd} names a running one: give one of them")
	case !s.IsElsewhere() && (s.CAFile != "" || s.CertFile != "" || s.KeyFile != ""):
		return fault.Optionf("{etcd-cafile}, {etcd-certfile} and {etcd-keyfile} require {etcd}: name the etcd with it, or leave them out")
	case s.IsElsewhere() && s.Fsync:
		return fault.Optionf("{fsync} is for the run's own etcd, and {etcd} names another: leave one of them out")
	}
	return nil
}
