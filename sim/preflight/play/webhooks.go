package play

import (
	"slices"

	v1 "k8s.io/api/admissionregistration/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/kubernetes/scheme"
)

// Webhooks are the admission webhooks of one configuration that refuse what they do not answer.
type Webhooks struct {
	Kind, Name string
	all        []hook
}

// hook is one webhook.
type hook struct {
	rules             []v1.RuleWithOperations
	namespace, object *metav1.LabelSelector
}

// WebhooksOf reads a stored configuration. It has no webhook if none refuses what it does not
// answer, or which ones do cannot be read. What has matchConditions is left out: only a server
// evaluates them.
func WebhooksOf(value []byte) (w Webhooks) {
	decoded, _, err := scheme.Codecs.UniversalDeserializer().Decode(value, nil, nil)
	if err != nil {
		return w
	}
	add := func(policy *v1.FailurePolicyType, conditions []v1.MatchCondition, h hook) {
		if (policy == nil || *policy == v1.Fail) && len(conditions) == 0 {
			w.all = append(w.all, h)
		}
	}
	switch c := decoded.(type) {
	case *v1.ValidatingWebhookConfiguration:
		w.Kind, w.Name = "ValidatingWebhookConfiguration", c.Name
		for _, x := range c.Webhooks {
			add(x.FailurePolicy, x.MatchConditions, hook{x.Rules, x.NamespaceSelector, x.ObjectSelector})
		}
	case *v1.MutatingWebhookConfiguration:
		w.Kind, w.Name = "MutatingWebhookConfiguration", c.Name
		for _, x := range c.Webhooks {
			add(x.FailurePolicy, x.MatchConditions, hook{x.Rules, x.NamespaceSelector, x.ObjectSelector})
		}
	}
	return w
}

// Write is a write that a server sends by itself.
type Write struct {
	Group, Resource     string
	Namespaced, Creates bool
	Labels              map[string]string
	NamespaceLabels     map[string]string // nil for an object of the cluster
}

// Meet reports whether a write is sent to one of the webhooks.
func (w Webhooks) Meet(write Write) bool {
	return slices.ContainsFunc(w.all, func(h hook) bool {
		if !selects(h.object, write.Labels) || write.Namespaced && !selects(h.namespace, write.NamespaceLabels) {
			return false
		}
		return slices.ContainsFunc(h.rules, func(r v1.RuleWithOperations) bool { return matches(r, write) })
	})
}

func matches(r v1.RuleWithOperations, w Write) bool {
	operation := v1.Update
	if w.Creates {
		operation = v1.Create
	}
	scoped := r.Scope == nil || *r.Scope == v1.AllScopes || (*r.Scope == v1.NamespacedScope) == w.Namespaced
	return scoped && (slices.Contains(r.Operations, operation) || slices.Contains(r.Operations, v1.OperationAll)) &&
		(slices.Contains(r.APIGroups, w.Group) || slices.Contains(r.APIGroups, "*")) &&
		slices.ContainsFunc(r.Resources, func(name string) bool { return name == w.Resource || name == "*" || name == "*/*" })
}

// selects reports whether a selector selects labels. None selects everything.
func selects(s *metav1.LabelSelector, of map[string]string) bool {
	if s == nil {
		return true
	}
	selector, err := metav1.LabelSelectorAsSelector(s)
	return err == nil && selector.Matches(labels.Set(of))
}
