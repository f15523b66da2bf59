package aggregated

import (
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/server/options"
	"k8s.io/component-base/cli/globalflag"
	"k8s.io/component-base/logs"
)

// TestLibraryFlags: the list has every flag of the library that this module requires.
func TestLibraryFlags(t *testing.T) {
	flags := pflag.NewFlagSet("server", pflag.ContinueOnError)
	codec := serializer.NewCodecFactory(runtime.NewScheme()).LegacyCodec()
	options.NewRecommendedOptions("/registry", codec).AddFlags(flags)
	options.NewServerRunOptions().AddUniversalFlags(flags)
	options.NewAPIEnablementOptions().AddFlags(flags)
	logs.AddFlags(flags)
	globalflag.AddGlobalFlags(flags, "server")
	flags.VisitAll(func(f *pflag.Flag) { assert.True(t, ofLibrary(f.Name), f.Name) })
	assert.True(t, ofLibrary("audit_log_path"), "the library takes underscores")
	assert.False(t, ofLibrary("listen-address"))
	for _, name := range givenFlags() {
		assert.True(t, ofLibrary(name) || name == "authorization-mode", name)
	}
}
