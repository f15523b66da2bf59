package serverflags_test

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/servers/serverflags"
)

// release answers as the executable of a release does.
type release struct {
	lacks []string          // flags and gates
	locks map[string]string // gates, to true or false
	needs map[string]string // a gate that needs another
	asked []string
}

// Refusals implements serverflags.Asker.
func (r *release) Refusals(_ context.Context, _ servers.Build, flags ...string) ([]string, error) {
	r.asked = append(r.asked, flags...)
	name, value, has := strings.Cut(strings.TrimPrefix(flags[0], "--"), "=")
	if slices.Contains(r.lacks, name) {
		return []string{"unknown flag: --" + name}, nil
	}
	if !has {
		return nil, nil
	}
	for element := range strings.SplitSeq(value, ",") {
		key, on, _ := strings.Cut(element, "=")
		lacks := slices.Contains(r.lacks, key)
		switch {
		case name == "feature-gates" && lacks:
			return []string{"unrecognized feature gate: " + key}, nil
		case name == "feature-gates" && r.locks[key] != "" && r.locks[key] != on:
			return []string{"cannot set feature gate " + key + " to " + on + ", feature is locked to " + r.locks[key]}, nil
		case name == "feature-gates" && on == "true" && r.needs[key] != "" && !strings.Contains(value, r.needs[key]+"=true"):
			return []string{key + " is enabled, but depends on features that are disabled: [" + r.needs[key] + "]"}, nil
		case strings.HasSuffix(name, "admission-plugins") && lacks:
			return []string{name + ` plugin "` + key + `" is unknown`}, nil
		case name == "runtime-config" && slices.Contains(r.lacks, strings.Split(key, "/")[0]):
			return []string{"unknown api groups " + key}, nil
		}
	}
	return nil, nil
}

// elements returns --FLAG ELEMENT of each refusal.
func elements(all []serverflags.Refusal) (names []string) {
	for _, r := range all {
		names = append(names, strings.TrimSpace(r.Flag+" "+r.Element))
	}
	return names
}

const flagsText = `--token-auth-file=hidden --old-flag=hidden --event-ttl=1h
--feature-gates=Gone=true,Locked=false,Same=true,Needs=true,Base=true,Alone=true
--enable-admission-plugins=Here,Away,Also
--runtime-config=batch/v2alpha1=true,batch/v1=true,gone.example/v1=true,api/all=true,v1=true`

// TestRefused covers what a release refuses, with what it accepts beside it.
func TestRefused(t *testing.T) {
	flags, err := serverflags.Read(write(t, flagsText))
	require.NoError(t, err)
	r := &release{
		lacks: []string{"old-flag", "Gone", "Away", "gone.example"}, locks: map[string]string{"Locked": "true", "Same": "true"},
		needs: map[string]string{"Needs": "Base", "Alone": "Missing"},
	}
	b := servers.Build{Component: "kube-apiserver", Version: "v1.37.2"}
	known := serverflags.Known{Versions: map[string][]string{"batch": {"v1"}}}
	refused, err := serverflags.Refused(t.Context(), r, b, known, flags)
	require.NoError(t, err)
	assert.Equal(t, []string{
		"old-flag", "feature-gates Gone", "feature-gates Locked", "enable-admission-plugins Away", "runtime-config batch/v2alpha1",
		"runtime-config gone.example/v1", "feature-gates Alone",
	}, elements(refused))
	assert.Equal(t, "kube-apiserver v1.37.2 has no flag --old-flag: it does not start", refused[0].Message)
	assert.Equal(t, "kube-apiserver v1.37.2 locks the feature gate Locked to true, and the flags set it to false: it does not start", refused[2].Message)
	assert.NotContains(t, strings.Join(r.asked, " "), "hidden", "values that may be secrets reach no command line")

	options, _ := flags.Take(nil)
	played := serverflags.Without(options, refused)
	assert.Equal(t, map[string]bool{"Same": true, "Needs": true, "Base": true}, played.FeatureGates)
	assert.Equal(t, map[string]bool{"batch/v1": true, "api/all": true, "v1": true}, played.RuntimeConfig)
	assert.Equal(t, []string{"--event-ttl=1h", "--enable-admission-plugins=Here,Also"}, played.Flags)
	assert.Len(t, options.FeatureGates, 6, "the options themselves do not change")
	assert.Empty(t, serverflags.Without(options, []serverflags.Refusal{{Flag: "event-ttl"}, {Flag: "enable-admission-plugins"}}).Flags)

	before := &release{lacks: []string{"old-flag"}, needs: map[string]string{"Alone": "Missing"}}
	old, err := serverflags.Refused(t.Context(), before, b, serverflags.Known{}, flags)
	require.NoError(t, err)
	assert.Equal(t, []string{"old-flag", "feature-gates Alone"}, elements(old))
	assert.Len(t, serverflags.Gone(old, refused), len(refused)-2)

	all, err := serverflags.Refused(t.Context(), &release{}, b, serverflags.Known{}, flags)
	assert.NoError(t, err)
	assert.Empty(t, all, "a release that has everything")
}

// TestInstead: in the place of an API version that a release does not have, played servers serve those that it
// has and does not serve by default, unless the flags say otherwise.
func TestInstead(t *testing.T) {
	const text = "--runtime-config=a.example/v1alpha1=true,a.example/v1beta2=false,b.example/v1alpha1/things=true,c.example/v1alpha1=false\n"
	flags, err := serverflags.Read(write(t, text))
	require.NoError(t, err)
	known := serverflags.Known{Versions: map[string][]string{"a.example": {"v1", "v1beta1", "v1beta2"}, "b.example": {"v1alpha2"}, "c.example": {"v1beta1"}}}
	refused, err := serverflags.Refused(t.Context(), &release{}, servers.Build{}, known, flags)
	require.NoError(t, err)
	options, _ := flags.Take(nil)
	assert.Equal(t, map[string]bool{"a.example/v1beta1": true, "a.example/v1beta2": false, "b.example/v1alpha2/things": true}, serverflags.Without(options, refused).RuntimeConfig)
}

// failing answers nothing.
type failing struct{}

// Refusals implements serverflags.Asker.
func (failing) Refusals(context.Context, servers.Build, ...string) ([]string, error) {
	return nil, assert.AnError
}

// TestUnanswered: without an answer nothing is known, so nothing is reported.
func TestUnanswered(t *testing.T) {
	flags, err := serverflags.Read(write(t, flagsText))
	require.NoError(t, err)
	_, err = serverflags.Refused(t.Context(), failing{}, servers.Build{}, serverflags.Known{}, flags)
	assert.ErrorIs(t, err, assert.AnError)
}

// TestKubernetesRefused asks real kube-apiservers of two releases. SidecarContainers is a gate
// that v1.37 dropped.
func TestKubernetesRefused(t *testing.T) {
	old, new := neighbours.Pair(t)
	runtime, err := apiserver.New(apiserver.Config{
		Components: []apiserver.Component{kubeapiserver.Component()}, Dir: filepath.Join(t.TempDir(), "run"), LogDir: t.TempDir(),
	})
	require.NoError(t, err)
	defer func() { assert.NoError(t, runtime.Close()) }()
	flags, err := serverflags.Read(write(t, `--never-a-flag --apiserver-count=1 --allow-privileged --tls-cert-file=/none
--feature-gates=SidecarContainers=true,UserNamespacesSupport=false,WatchList=true
--enable-admission-plugins=NodeRestriction,NoSuch --runtime-config=nosuch.example/v1=true,batch/v1=true`))
	require.NoError(t, err)
	both := map[servers.Build][]serverflags.Refusal{}
	for _, b := range []servers.Build{old, new} {
		both[b], err = serverflags.Refused(t.Context(), runtime, b, serverflags.Known{}, flags)
		require.NoError(t, err)
		names := elements(both[b])
		for _, want := range []string{"never-a-flag", "feature-gates UserNamespacesSupport", "enable-admission-plugins NoSuch", "runtime-config nosuch.example/v1"} {
			assert.Contains(t, names, want, b.Reference)
		}
		for _, not := range []string{"apiserver-count", "allow-privileged", "tls-cert-file", "feature-gates WatchList", "enable-admission-plugins NodeRestriction", "runtime-config batch/v1"} {
			assert.NotContains(t, names, not, b.Reference)
		}
		help, err := runtime.Help(t.Context(), b)
		require.NoError(t, err)
		assert.Empty(t, unknown(t, help), "%s: flags that package serverflags does not know", b.Reference)
	}
	if strings.HasPrefix(old.Version, "v1.36.") {
		gone := serverflags.Gone(both[old], both[new])
		require.Len(t, gone, 1)
		assert.Equal(t, serverflags.Refusal{
			Flag: "feature-gates", Element: "SidecarContainers",
			Message: "kube-apiserver " + new.Version + " has no feature gate SidecarContainers: it does not start",
		}, gone[0])
	}
}
