package client

import "net/url"

// Resource is where a kind's objects live.
type Resource struct {
	APIVersion string // v1, apps/v1
	Plural     string
	Namespace  string // "" for cluster-scoped kinds
}

// Collection is the path of the resource's collection.
func (r Resource) Collection() string {
	at := root(r.APIVersion)
	if r.Namespace != "" {
		at += "/namespaces/" + url.PathEscape(r.Namespace)
	}
	return at + "/" + r.Plural
}

// Object is the path of one object.
func (r Resource) Object(name string) string {
	return r.Collection() + "/" + url.PathEscape(name)
}
