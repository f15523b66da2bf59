package session

import (
	"context"
	"errors"
	"io"

	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/sim/preflight/intake"
	"github.com/skewsim/skewsim/sim/probe"
)

// fill fills the copy with the objects of the source, and returns the revision of the last one.
func (h *hop) fill(ctx context.Context, from Source, at string) (revision int64, err error) {
	store, err := etcd.Start(ctx, etcd.Config{Dir: at})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	h.taken, err = from.Fill(ctx, intake.Copy{Release: h.published[h.first()], Put: etcd.ContentsOf(store).PutAll, Seal: h.seal, Start: h.creating})
	if c, closes := from.(io.Closer); closes { // it has a copy of its own, on the disk and mapped into memory
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		return 0, err
	}
	source := &h.session.result.Source
	*source = h.taken.Source
	source.FlagsTaken, source.FlagsLeft = h.request.Account.Lines()
	h.say("%d objects taken from the %s", source.Objects, source.Kind)
	if revision, err = etcd.ContentsOf(store).Revision(ctx); err != nil {
		return 0, err
	}
	for key, value := range h.taken.Beside {
		err = errors.Join(err, store.Put(ctx, key, value))
	}
	return revision, err
}

// creating starts a server of the first release that creates what no server has stored yet. Its store
// is its own: what it writes by itself is no object of the source.
func (h *hop) creating(ctx context.Context) (intake.Server, error) {
	role := h.first()
	s, err := probe.Start(ctx, h.config(role, "creating"))
	if err != nil {
		return intake.Server{}, err
	}
	return intake.Server{Conn: s.Conn, Stored: func(ctx context.Context, each func(string, []byte, int64, int64) error) error {
		return etcd.ContentsOf(s.Etcd).EachWritten(ctx, Prefix, each)
	}, Close: s.Close}, nil
}
