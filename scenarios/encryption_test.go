package scenarios_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios"
)

func TestHolds(t *testing.T) {
	for _, c := range []struct {
		resources               []string
		resource, provider, key string
		want                    bool
	}{
		{[]string{"secrets"}, "secrets", "aescbc", "k1", true},
		{[]string{"secrets"}, "secrets", "aescbc", "k2", false},
		{[]string{"secrets"}, "secrets", "aesgcm", "k1", false}, // it writes with aescbc
		{[]string{"secrets"}, "secrets", "aesgcm", "k0", true},  // reads by whichever provider
		{[]string{"secrets"}, "configmaps", "aescbc", "k1", false},
		{[]string{"secrets"}, "secrets.example.dev", "aescbc", "k1", false},
		{[]string{"widgets.example.dev"}, "widgets.example.dev", "aescbc", "k1", true},
		{[]string{"*.apps"}, "deployments.apps", "aescbc", "k1", true},
		{[]string{"*.apps"}, "secrets", "aescbc", "k1", false},
		{[]string{"*."}, "secrets", "aescbc", "k1", true},
		{[]string{"*."}, "deployments.apps", "aescbc", "k1", false},
		{[]string{"configmaps", "*.*"}, "deployments.apps", "aescbc", "k1", true},
		{[]string{"secrets"}, "", "aescbc", "k1", true}, // of which resource it is is not known
	} {
		e := &scenarios.Encryption{Resources: c.resources, Provider: "aescbc", Key: "k1", Reads: []string{"k0"}}
		if got := e.Holds(c.resource, c.provider, c.key); got != c.want {
			t.Errorf("%v holds %s, %s:%s: %t", c.resources, c.resource, c.provider, c.key, got)
		}
	}
	var none *scenarios.Encryption
	if none.Holds("secrets", "aescbc", "k1") {
		t.Error("none holds one")
	}
}
