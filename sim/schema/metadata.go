package schema

// ServerMetadata returns the members of an object's metadata that servers write, and no client: what a client sends
// there is ignored or refused, and no value of it is ever acknowledged. The name and the namespace, which a
// client chooses, are not among them.
func ServerMetadata() []string {
	return []string{"resourceVersion", "generation", "uid", "creationTimestamp", "managedFields", "selfLink"}
}
