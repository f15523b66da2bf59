package apiserver

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apiserver/pkg/authentication/group"
	"k8s.io/apiserver/pkg/authentication/request/bearertoken"
	"k8s.io/apiserver/pkg/authentication/token/tokenfile"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizerfactory"
	"k8s.io/apiserver/pkg/registry/rest"
	genericapiserver "k8s.io/apiserver/pkg/server"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

const (
	// connectionsEndWithin bounds how long idle connections delay the shutdown. The server
	// still waits for requests in flight.
	connectionsEndWithin = 100 * time.Millisecond
	// watchesEndWithin bounds the delay by watches, which the server ends.
	watchesEndWithin = time.Second
)

// Run serves a release until ctx ends.
func (o *Options) Run(ctx context.Context, r *release.Release) error {
	server, err := o.server(r)
	if err != nil {
		return err
	}
	return server.PrepareRun().RunWithContext(ctx)
}

func (o *Options) server(r *release.Release) (*genericapiserver.GenericAPIServer, error) {
	if err := o.settle(r); err != nil {
		return nil, err
	}
	scheme := newScheme(r)
	factory := serializer.NewCodecFactory(scheme)
	config := genericapiserver.NewConfig(factory)
	if err := o.configure(config, r, scheme); err != nil {
		return nil, err
	}
	if err := o.connect(config, r, newCodecs(factory, r)); err != nil {
		return nil, err
	}
	server, err := config.Complete(nil).New("frobber-apiserver", genericapiserver.NewEmptyDelegate())
	if err != nil {
		return nil, err
	}
	server.ShutdownTimeout = connectionsEndWithin
	if err := install(server, config, r, scheme, factory); err != nil {
		return nil, err
	}
	return server, nil
}

// configure sets up authentication, the listener and the version.
func (o *Options) configure(c *genericapiserver.Config, r *release.Release, scheme *runtime.Scheme) error {
	c.EffectiveVersion = effectiveVersion(r)
	c.FeatureGate = utilfeature.DefaultFeatureGate
	c.PublicAddress = o.serving.BindAddress
	c.ShutdownWatchTerminationGracePeriod = watchesEndWithin
	// No loopback client is needed: no hook of ours uses one.
	c.LoopbackClientConfig = &restclient.Config{}
	c.Authorization.Authorizer = authorizerfactory.NewAlwaysAllowAuthorizer()
	publish(c, r, scheme)
	warnOfDeprecated(c, r)
	if err := o.authenticate(c); err != nil {
		return err
	}
	if err := o.serving.MaybeDefaultWithSelfSignedCerts("localhost", nil, nil); err != nil {
		return fmt.Errorf("serving certificate: %w", err)
	}
	if err := o.serving.ApplyTo(&c.SecureServing); err != nil {
		return fmt.Errorf("serving: %w", err)
	}
	if problems := o.apis.Validate(scheme); len(problems) > 0 {
		return fmt.Errorf("--runtime-config: %w", problems[0])
	}
	enabled := serverstorage.NewResourceConfig()
	for _, v := range r.Versions {
		if v.Disabled {
			enabled.DisableVersions(groupVersion(v.Name)) // for api/all and api/alpha
			continue
		}
		enabled.EnableVersions(groupVersion(v.Name))
	}
	if err := o.apis.ApplyTo(c, enabled, scheme); err != nil {
		return fmt.Errorf("--runtime-config: %w", err)
	}
	return nil
}

// authenticate accepts the tokens of the file, and nothing else.
func (o *Options) authenticate(c *genericapiserver.Config) error {
	tokens := tokenfile.New(map[string]*user.DefaultInfo{})
	if o.tokenFile != "" {
		var err error
		if tokens, err = tokenfile.NewCSV(o.tokenFile); err != nil {
			return fmt.Errorf("--token-auth-file: %w", err)
		}
	}
	c.Authentication.Authenticator = group.NewAuthenticatedGroupAdder(bearertoken.New(tokens))
	return nil
}

// connect connects the server to etcd.
func (o *Options) connect(c *genericapiserver.Config, r *release.Release, codecs codecs) error {
	codec, versioner, err := serverstorage.NewStorageCodec(serverstorage.StorageCodecConfig{
		StorageMediaType:  o.etcd.DefaultStorageMediaType,
		StorageSerializer: codecs,
		StorageVersion:    groupVersion(o.storageVersion),
		MemoryVersion:     api.Internal(),
		Config:            o.etcd.StorageConfig,
	})
	if err != nil {
		return fmt.Errorf("--storage-media-type: %w", err)
	}
	if r.ToldStorage != "" {
		versioner = groupVersion(r.ToldStorage)
	}
	o.etcd.StorageConfig.Codec, o.etcd.StorageConfig.EncodeVersioner = reading{codec, r}, versioner
	return o.etcd.ApplyTo(c)
}

// install adds the group with the enabled versions.
func install(s *genericapiserver.GenericAPIServer, c *genericapiserver.Config, r *release.Release, scheme *runtime.Scheme, factory serializer.CodecFactory) error {
	frobbers, status, err := newStores(r, scheme, utilfeature.DefaultFeatureGate.Enabled, c.RESTOptionsGetter)
	if err != nil {
		return err
	}
	info := genericapiserver.NewDefaultAPIGroupInfo(api.Group, scheme, runtime.NewParameterCodec(scheme), factory)
	info.NegotiatedSerializer = newCodecs(info.NegotiatedSerializer.(serializer.CodecFactory), r)
	info.PrioritizedVersions = slices.DeleteFunc(info.PrioritizedVersions, func(gv schema.GroupVersion) bool {
		return !c.MergedResourceConfig.ResourceEnabled(gv.WithResource(api.Resource))
	})
	if len(info.PrioritizedVersions) == 0 {
		return fmt.Errorf("--runtime-config: no version of %s is left to serve", api.Group)
	}
	for _, gv := range info.PrioritizedVersions {
		info.VersionedResourcesStorageMap[gv.Version] = map[string]rest.Storage{
			api.Resource:             frobbers,
			api.Resource + "/status": status,
			api.Resource + "/scale":  newScaleStore(r, frobbers),
		}
	}
	if err := s.InstallAPIGroup(&info); err != nil {
		return err
	}
	if err := frobbers.migrateAtStart(s, r); err != nil {
		return err
	}
	return s.AddPostStartHook("storage-readiness", frobbers.await)
}
