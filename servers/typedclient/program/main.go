//go:build ignore

// Command typed-client is package program with the types of the Kubernetes
// release whose client-go it is built with, see package typedclient.
package program

import (
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
)

func main() {
	err := Main(Types{
		Release: release(),
		Scheme:  scheme.Scheme,
		// As every generated clientset configures itself.
		Codecs:        scheme.Codecs.WithoutConversion(),
		Configuration: applyconfigurations.ForKind,
		Converter: func() (managedfields.TypeConverter, error) {
			return applyconfigurations.NewTypeConverter(scheme.Scheme), nil
		},
	})
	if err != nil {
		fmt.Fprintf(os.Stderr, "typed-client: %s\n", err)
		os.Exit(1)
	}
}

// release is that of the client-go which is linked in.
func release() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	i := slices.IndexFunc(info.Deps, func(d *debug.Module) bool { return d.Path == "k8s.io/client-go" })
	if i < 0 {
		return "unknown"
	}
	return "v1." + strings.TrimPrefix(info.Deps[i].Version, "v0.")
}
