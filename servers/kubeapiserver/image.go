package kubeapiserver

import "github.com/skewsim/skewsim/servers/container"

// InImages is kube-apiserver as images hold it.
func InImages() container.Program {
	return container.Program{File: component, Component: component, Version: parseVersion}
}
