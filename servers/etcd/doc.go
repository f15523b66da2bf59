// Package etcd provides the shared store of a run: an etcd that is embedded in this
// process, or a prefix of an existing etcd.
//
// Start turns an empty directory into a serving etcd, reachable only on the loopback address,
// over TLS with a client certificate. Connect claims a random prefix in an existing etcd, and
// shows servers only the keys below it; Close removes them. Both record everything that was
// ever stored: a Watch from the First revision shows all changes of the run. The package never
// compacts, never decodes what it stores, and never ends its process: Done and Err report the
// errors for which etcd would end the process, and an existing etcd that no longer answers.
//
//	store, err := etcd.Start(ctx, etcd.Config{Dir: dir, LogPath: log})
//	if err != nil { ... }
//	defer store.Close()
//	gate, err := store.Gate() // for one server, shut until gate.Open()
//	watch, err := store.Watch(ctx, store.First(), func(e etcd.Event) { ... })
//	...
//	err = watch.Sync(ctx) // everything stored so far has been seen
package etcd
