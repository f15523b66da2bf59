// Package etcd is the shared store of a run: one etcd, embedded in this process, or a
// part of one that is there already.
//
// Start turns an empty directory into a serving etcd, reachable over TLS with a client
// certificate on the loopback address only. Connect claims a random prefix in an etcd
// elsewhere, and lets servers see what lies below it as though it were all; Close removes
// it. Either is the evidence of what was ever stored there: a Watch of all that is the
// run's, from its First revision. It never compacts, never decodes what it stores, and
// never takes this process down with it: what etcd would end its process for, and that an
// etcd elsewhere no longer answers, is reported by Done and Err.
//
//	store, err := etcd.Start(ctx, etcd.Config{Dir: dir, LogPath: log})
//	if err != nil { ... }
//	defer store.Close()
//	gate, err := store.Gate() // for one server, shut until gate.Open()
//	watch, err := store.Watch(ctx, store.First(), func(e etcd.Event) { ... })
//	...
//	err = watch.Sync(ctx) // everything stored so far has been seen
package etcd
