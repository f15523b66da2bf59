// Package container runs builds that are container images on the local Docker engine.
//
// It turns an image's name into a Build (Engine.Build), and a Build with its arguments into a
// running container (Engine.Start) that can be waited for, stopped and killed, and that writes
// its output to a log file. Containers use the host's network, because stores and gates listen
// only on loopback. They run as the user who runs skewsim, without capabilities, on a read-only
// file system. The package does not check whether servers are ready or what they are.
//
// It never uses a reaper, and leaves nothing behind. The labels of a container name its run and
// the process that owns it. A guard, a separate process that outlives the owner, removes what
// is left when the owner ends for any reason. Open removes what dead owners left whose guards
// ended too.
//
//	engine, err := container.Open(ctx, container.Config{Guard: []string{"/proc/self/exe", "guard"}})
//	if err != nil { ... }
//	defer engine.Close()
//	build, err := engine.Build(ctx, "registry.k8s.io/kube-apiserver:v1.36.1", programs)
//	child, err := engine.Start(ctx, build, apiserver.Command{Arguments: arguments, LogPath: "a.log"})
package container
