package main

import (
	"context"
	"net/url"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/etcd"
)

// toldStore is what a history says of the store that the servers share. Why one does not
// answer, whoever opens it tells.
func (a *app) toldStore(ctx context.Context, f storeFlags) *term.Store {
	switch {
	case f.elsewhere():
		s := &term.Store{Kind: term.StoreExisting, CAFile: f.ca, CertFile: f.cert, KeyFile: f.key}
		for _, endpoint := range f.etcd {
			s.Endpoints = append(s.Endpoints, withoutUser(endpoint))
		}
		s.Version, _ = etcd.Version(ctx, f.remote())
		return s
	case f.at != "":
		s := &term.Store{Kind: term.StoreImage, Reference: f.at, Fsync: f.fsync}
		if _, b, err := a.etcdImage(ctx, f.image()); err == nil {
			s.Version, s.Digest = b.Version, b.Image
		}
		return s
	}
	return &term.Store{Kind: term.StoreEmbedded, Version: etcd.EmbeddedVersion(), Fsync: f.fsync}
}

// withoutUser is a URL without user and password; "" of what is none.
func withoutUser(endpoint string) string {
	u, err := url.Parse(endpoint)
	if err != nil {
		return ""
	}
	u.User = nil
	return u.String()
}
