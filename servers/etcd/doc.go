// Package etcd is the shared store of a run: one etcd, embedded in this
// process.
//
// It turns an empty directory into a serving etcd, reachable over TLS with a
// client certificate on the loopback address only, and into the evidence of
// what was ever stored there: a Watch of the whole key space from its first
// revision. It never compacts, never writes anywhere but into its directory and
// its log, never decodes what it stores, and never takes this process down
// with it: what etcd would end its process for is reported by Done and Err.
//
//	store, err := etcd.Start(ctx, etcd.Config{Dir: dir, LogPath: log})
//	if err != nil { ... }
//	defer store.Close()
//	gate, err := store.Gate() // for one server, shut until gate.Open()
//	watch, err := store.Watch(ctx, 1, func(e etcd.Event) { ... })
//	...
//	err = watch.Sync(ctx) // everything stored so far has been seen
package etcd
