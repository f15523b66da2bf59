package engine

import (
	"context"
	"net/url"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/etcd"
)

// RecordedStore returns the description of the shared store for a history. It leaves out the
// version of a store that does not answer: opening the store reports why.
func RecordedStore(ctx context.Context, f Store, builds Builds) *term.Store {
	switch {
	case f.IsElsewhere():
		s := &term.Store{Kind: term.StoreExisting, CAFile: f.CAFile, CertFile: f.CertFile, KeyFile: f.KeyFile}
		for _, endpoint := range f.Etcd {
			s.Endpoints = append(s.Endpoints, withoutUser(endpoint))
		}
		s.Version, _ = etcd.Version(ctx, f.Remote())
		return s
	case f.Image != "":
		s := &term.Store{Kind: term.StoreImage, Reference: f.Image, Fsync: f.Fsync}
		if _, b, err := builds.EtcdImage(ctx, f.ImageName()); err == nil {
			s.Version, s.Digest = b.Version, b.Image
		}
		return s
	}
	return &term.Store{Kind: term.StoreEmbedded, Version: etcd.EmbeddedVersion(), Fsync: f.Fsync}
}

// withoutUser returns a URL without user and password; "" if the text is not a URL.
func withoutUser(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	u.User = nil
	return u.String()
}
