// Package containertest makes container images for tests, FROM scratch with local
// executables, since tests cannot pull images.
//
//	image := containertest.Image(t, containertest.Layout{Files: map[string]string{"/kube-apiserver": build.Path}, Entrypoint: []string{"/kube-apiserver"}})
package containertest
