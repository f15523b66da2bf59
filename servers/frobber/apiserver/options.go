package apiserver

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	cliflag "k8s.io/component-base/cli/flag"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// Options configure a server of any release. Flags have kube-apiserver's names.
type Options struct {
	serving        *options.SecureServingOptions
	etcd           *options.EtcdOptions
	apis           *options.APIEnablementOptions
	gates          map[string]bool
	tokenFile      string
	storageVersion string
}

// NewOptions returns the options with every flag at its default.
func NewOptions() *Options {
	o := &Options{
		serving: options.NewSecureServingOptions(),
		etcd:    options.NewEtcdOptions(storagebackend.NewDefaultConfig("/registry", nil)),
		apis:    options.NewAPIEnablementOptions(),
		gates:   map[string]bool{},
	}
	o.serving.BindPort = 6443
	o.serving.BindAddress = net.IPv4(127, 0, 0, 1) // a token allows everything
	o.serving.ServerCert.CertDirectory = "frobber.local.config/certificates"
	o.serving.ServerCert.PairName = "apiserver"
	o.etcd.DefaultStorageMediaType = ""
	return o
}

// AddFlags adds the options to a flag set.
func (o *Options) AddFlags(flags *pflag.FlagSet) {
	o.serving.AddFlags(flags)
	o.etcd.AddFlags(flags)
	o.apis.AddFlags(flags)
	flags.StringVar(&o.storageVersion, "storage-version", "", "API version to store objects in; the release must serve it. Default: the release's.")
	flags.StringVar(&o.tokenFile, "token-auth-file", "", "CSV file of the accepted tokens: token,user,uid[,groups]. Without it no request is accepted.")
	flags.Var(cliflag.NewMapStringBool(&o.gates), "feature-gates", "Pairs such as Frobber2D=true, for the release's own gates and those of the apiserver library.")
	logging := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(logging)
	flags.AddGoFlag(logging.Lookup("v"))
	flags.Lookup("storage-media-type").Usage += " Default: the release's."
}

// settle sets what the release determines, and returns one error for all options that the
// release does not support.
func (o *Options) settle(r *release.Release) error {
	if o.etcd.DefaultStorageMediaType == "" {
		o.etcd.DefaultStorageMediaType = r.StorageMediaType
	}
	if o.etcd.DefaultStorageMediaType == "" {
		o.etcd.DefaultStorageMediaType = runtime.ContentTypeJSON
	}
	if o.storageVersion == "" {
		o.storageVersion = r.Storage
	}
	problems := slices.Concat(o.serving.Validate(), o.etcd.Validate())
	if _, ok := r.Version(o.storageVersion); !ok {
		var served []string
		for _, v := range r.Versions {
			served = append(served, v.Name)
		}
		problems = append(problems, fmt.Errorf("--storage-version %q: not a version that release %s serves (versions: %s)", o.storageVersion, r, strings.Join(served, ", ")))
	}
	if err := o.setGates(r); err != nil {
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// setGates sets the release's gates and the library's. They share one registry, so that one
// flag and one metric cover both.
func (o *Options) setGates(r *release.Release) error {
	gates := utilfeature.DefaultMutableFeatureGate
	for name, spec := range r.Gates {
		versioned := featuregate.VersionedSpecs{spec}
		if spec.Version == nil {
			versioned[0].Version = version.MajorMinor(1, 0)
		}
		if err := gates.AddVersioned(map[featuregate.Feature]featuregate.VersionedSpecs{name: versioned}); err != nil {
			return fmt.Errorf("release %s: %w", r, err)
		}
	}
	known := gates.GetAll()
	for _, name := range slices.Sorted(maps.Keys(o.gates)) {
		if _, ok := known[featuregate.Feature(name)]; !ok {
			own := strings.Join(gateNames(r), ", ")
			if own == "" {
				own = "none"
			}
			return fmt.Errorf("--feature-gates: release %s has no gate %q (its own: %s)", r, name, own)
		}
	}
	if err := gates.SetFromMap(o.gates); err != nil {
		return fmt.Errorf("--feature-gates: %w", err)
	}
	gates.AddMetrics()
	return nil
}

func gateNames(r *release.Release) (names []string) {
	for name := range r.Gates {
		names = append(names, string(name))
	}
	slices.Sort(names)
	return names
}
