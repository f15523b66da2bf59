package play

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/seclusion"
	"github.com/skewsim/skewsim/sim/probe"
)

// fill fills the copy with the objects of the source, and returns the revision of the last one.
func (s *session) fill(ctx context.Context, h *hop, from Source, at string) (revision int64, err error) {
	store, err := s.store(ctx, etcd.Config{Dir: at})
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	first := h.first()
	s.taken, err = from.Fill(ctx, Copy{
		Release: h.published[first], Put: etcd.ContentsOf(store).PutAll, Seal: s.seal, Programs: s.programs,
		Start: func(ctx context.Context) (Server, error) {
			return s.creating(ctx, s.config(h.builds[first], h.options[first], "creating"))
		},
	})
	if c, closes := from.(io.Closer); closes { // it has a copy of its own, on the disk and mapped into memory
		err = errors.Join(err, c.Close())
	}
	if err != nil {
		return 0, err
	}
	source := &s.result.Source
	*source = s.taken.Source
	for _, text := range idle(s.request.Programs, s.taken.ConvertedKinds) {
		s.say("%s", text)
		source.Skipped = append(source.Skipped, text)
	}
	source.FlagsTaken, source.FlagsLeft = s.request.Account.Lines()
	s.say("%d objects taken from the %s", source.Objects, source.Kind)
	if revision, err = etcd.ContentsOf(store).Revision(ctx); err != nil {
		return 0, err
	}
	for key, value := range s.taken.Beside {
		err = errors.Join(err, store.Put(ctx, key, value))
	}
	return revision, err
}

// idle says which programs convert none of the kinds, each as group and kind, for which definitions name a webhook: the name of a kind may be
// mistaken.
func idle(programs []Program, converted map[string]bool) (texts []string) {
	for _, p := range programs {
		used := false
		for name := range converted {
			group, kind, _ := strings.Cut(name, " ")
			used = used || seclusion.Program{Kinds: p.Kinds}.Converts(group, kind)
		}
		if !used {
			texts = append(texts, fmt.Sprintf("webhooks %s: no definition of the source names one for a kind that they may convert: %s", p.Name, strings.Join(p.Kinds, ", ")))
		}
	}
	return texts
}

// ofServers calls exclude with the key of every value of a copy that the source did not have: servers of
// this hop or an earlier one made it.
func (s *session) ofServers(ctx context.Context, on *etcd.Server, exclude func(key string)) error {
	return etcd.ContentsOf(on).EachWritten(ctx, Prefix, func(key string, _ []byte, created, _ int64) error {
		if created > s.lastTaken {
			exclude(key)
		}
		return nil
	})
}

// creating starts a server that creates what no server has stored yet. Its store is its own: what it writes
// by itself is no object of the source.
func (s *session) creating(ctx context.Context, c probe.Config) (Server, error) {
	server, err := s.server(ctx, c)
	if err != nil {
		return Server{}, err
	}
	return Server{Conn: server.Conn, Stored: func(ctx context.Context, each func(string, []byte, int64, int64) error) error {
		return etcd.ContentsOf(server.Etcd).EachWritten(ctx, Prefix, each)
	}, Close: server.Close}, nil
}

// logs has, in the directory of the preflight, the logs of servers that did not become ready, or ended by
// themselves. They may quote objects.
const logs = "logs"

// config says how a server is started on a store. No two have one name, so that each log stays.
func (s *session) config(b servers.Build, o servers.Options, on string) probe.Config {
	return probe.Config{
		Build: b, Runtime: s.runtime, Temporary: s.Temporary, Options: o, Logs: s.logs,
		Name: fmt.Sprintf("%d-%s-%s", s.starts.Add(1), b.Version, on),
	}
}

// privileged permits privileged Pods, as kubeadm and the providers do, unless the user's flags say
// otherwise: by default a kube-apiserver refuses them.
func privileged(o servers.Options) servers.Options {
	const flag = "--allow-privileged="
	if !slices.ContainsFunc(o.Flags, func(f string) bool { return strings.HasPrefix(f, flag) }) {
		o.Flags = append(slices.Clone(o.Flags), flag+"true")
	}
	return o
}
