// Package container runs builds that are container images, on a Docker engine of
// this machine.
//
// It turns an image's name into a Build (Engine.Build), and a Build with its
// arguments into a running container (Engine.Start): one that can be waited for,
// stopped and killed, and whose output lies in a log file. Containers are on the
// machine's own network, since stores and gates listen on loopback alone, and run as
// the user who runs skewsim, without capabilities, on a file system that they cannot
// write. Whether they are ready, and what they are, is for others to say.
//
// It never asks for a reaper, and leaves nothing: what runs has labels that say
// which run and which process owns it; a guard, a process of its own that outlives
// the owner by as long as that takes, removes what is left when the owner ends,
// however it ends; and each Open removes what a dead owner left whose guard was ended
// too.
//
//	engine, err := container.Open(ctx, container.Config{Guard: []string{"/proc/self/exe", "guard"}})
//	if err != nil { ... }
//	defer engine.Close()
//	build, err := engine.Build(ctx, "registry.k8s.io/kube-apiserver:v1.36.1", programs)
//	child, err := engine.Start(ctx, build, apiserver.Command{Arguments: arguments, LogPath: "a.log"})
package container
