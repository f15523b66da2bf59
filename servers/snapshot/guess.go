package snapshot

import (
	"context"
	"fmt"
	"regexp"

	"golang.org/x/mod/semver"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"sigs.k8s.io/yaml"
)

// Guess is what the content of a snapshot says about the release of its kube-apiserver.
type Guess struct {
	// Release is v1.36.2, or "" if nothing says it.
	Release string
	// Source says in words where the release is from.
	Source string
}

// Plain returns the content of a value, and false if it is encrypted and cannot be read.
type Plain func(ctx context.Context, key string, value []byte) ([]byte, bool)

// Guess returns the release that kubeadm's configuration names, or else that of the newest
// kubelet, which must not be newer than kube-apiserver, and may be older. It leaves out objects
// that plain cannot read; nil reads those that are not encrypted.
func (s *Snapshot) Guess(ctx context.Context, plain Plain) (guess Guess, err error) {
	if plain == nil {
		plain = func(_ context.Context, _ string, value []byte) ([]byte, bool) { return value, true }
	}
	for _, from := range []func(context.Context, string, Plain) (Guess, error){s.fromKubeadm, s.fromKubelets} {
		for _, prefix := range s.prefixes {
			if guess, err = from(ctx, prefix, plain); err != nil || guess.Release != "" {
				return guess, err
			}
		}
	}
	return Guess{}, nil
}

// decoder reads what a kube-apiserver stores: JSON and protobuf, of the core group.
var decoder = func() runtime.Decoder {
	scheme := runtime.NewScheme()
	if err := corev1.AddToScheme(scheme); err != nil {
		panic(err) // both are of one release
	}
	return serializer.NewCodecFactory(scheme).UniversalDeserializer()
}()

// objects calls each with the objects under a key that can be read.
func (s *Snapshot) objects(ctx context.Context, all []entry, plain Plain, each func(runtime.Object)) error {
	return s.values(ctx, all, func(key string, value []byte, _ int64) error {
		if value, readable := plain(ctx, key, value); readable {
			if object, _, err := decoder.Decode(value, nil, nil); err == nil {
				each(object)
			}
		}
		return nil
	})
}

const kubeadmConfig = "/configmaps/kube-system/kubeadm-config"

func (s *Snapshot) fromKubeadm(ctx context.Context, prefix string, plain Plain) (guess Guess, err error) {
	all := s.under(prefix + kubeadmConfig)
	if len(all) == 0 || all[0].key != prefix+kubeadmConfig {
		return guess, nil
	}
	err = s.objects(ctx, all[:1], plain, func(object runtime.Object) {
		config, ok := object.(*corev1.ConfigMap)
		var cluster struct {
			KubernetesVersion string `json:"kubernetesVersion"`
		}
		if !ok || yaml.Unmarshal([]byte(config.Data["ClusterConfiguration"]), &cluster) != nil {
			return
		}
		if release := release(cluster.KubernetesVersion); release != "" {
			guess = Guess{release, fmt.Sprintf("kubernetesVersion %s in the ConfigMap kubeadm-config of kube-system", cluster.KubernetesVersion)}
		}
	})
	return guess, err
}

func (s *Snapshot) fromKubelets(ctx context.Context, prefix string, plain Plain) (guess Guess, err error) {
	nodes := 0
	newest, of := "", ""
	err = s.objects(ctx, s.under(prefix+"/minions/"), plain, func(object runtime.Object) {
		node, ok := object.(*corev1.Node)
		if !ok {
			return
		}
		nodes++
		said := node.Status.NodeInfo.KubeletVersion
		if release := release(said); release != "" && semver.Compare(release, guess.Release) > 0 {
			guess.Release, newest, of = release, said, node.Name
		}
	})
	if guess.Release != "" {
		guess.Source = fmt.Sprintf("kubeletVersion %s of Node %s, the newest of %d; kube-apiserver may be newer", newest, of, nodes)
	}
	return guess, err
}

var releasePattern = regexp.MustCompile(`^v\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?`)

// release returns the release of Kubernetes in a version such as v1.36.2-eks-1a2b3c or
// v1.36.2+k3s1.
func release(version string) string { return releasePattern.FindString(version) }
