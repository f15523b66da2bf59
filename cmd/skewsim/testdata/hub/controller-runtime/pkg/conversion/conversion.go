// Package conversion has the interfaces of controller-runtime's package of this name.
package conversion

import "k8s.io/apimachinery/pkg/runtime"

// Hub is the version that all others convert to.
type Hub interface {
	runtime.Object
	Hub()
}

// Convertible is any other version.
type Convertible interface {
	runtime.Object
	ConvertTo(Hub) error
	ConvertFrom(Hub) error
}
