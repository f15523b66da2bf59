// Package containertest makes container images for tests, FROM scratch around
// executables that lie on this machine: none can be pulled where tests run.
//
//	image := containertest.Image(t, containertest.Layout{Files: map[string]string{"/kube-apiserver": build.Path}, Entrypoint: []string{"/kube-apiserver"}})
package containertest
