package engine

import (
	"errors"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
)

// Store says where the etcd is that the servers share. The zero value is one in this
// process, below the run directory.
type Store struct {
	// Etcd are the URLs of an etcd that runs already. The run has a random prefix there,
	// which it removes afterwards.
	Etcd []string
	// CAFile, CertFile and KeyFile are for Etcd: the authority of its certificate, and the
	// client certificate with its key.
	CAFile, CertFile, KeyFile string
	// Image is the container image that the etcd is run from, as image:NAME; "": none.
	Image string
	Fsync bool // the run's own etcd writes to disk before it answers
	Keep  bool // etcd's data stays in the run directory, or the run's keys in Etcd
}

// IsElsewhere reports whether the etcd runs already.
func (s Store) IsElsewhere() bool { return len(s.Etcd) > 0 }

// ImageName returns the name of the image that the shared etcd is run from; "": none.
func (s Store) ImageName() string { return strings.TrimPrefix(s.Image, ImagePrefix) }

// ImagePrefix begins references to images.
const ImagePrefix = string(servers.SchemeImage) + ":"

// Remote returns the etcd that runs already.
func (s Store) Remote() etcd.Remote {
	return etcd.Remote{Endpoints: s.Etcd, CAFile: s.CAFile, CertFile: s.CertFile, KeyFile: s.KeyFile, Keep: s.Keep}
}

// Check refuses values that contradict each other.
func (s Store) Check() error {
	ref, err := servers.ParseReference(s.Image)
	switch {
	case s.Image != "" && (err != nil || ref.Scheme != servers.SchemeImage):
		return fmt.Errorf("--store %q: want image:NAME, such as image:registry.k8s.io/etcd:3.6.5-0", s.Image)
	case s.Image != "" && s.IsElsewhere():
		return errors.New("--store runs an etcd, and --etcd names one that runs already: give one of them")
	case !s.IsElsewhere() && (s.CAFile != "" || s.CertFile != "" || s.KeyFile != ""):
		return errors.New("--etcd-cafile, --etcd-certfile and --etcd-keyfile are of --etcd: say with it where the etcd is, or leave them out")
	case s.IsElsewhere() && s.Fsync:
		return errors.New("--fsync is of an etcd of the run's own, and the one that --etcd names decides for itself: leave one of them out")
	}
	return nil
}
