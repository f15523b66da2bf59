package term

// Placeholder is text in an object file, or in the body of a patch, that each copy replaces
// with a value of its own.
type Placeholder string

// The placeholders.
const (
	CopyName      Placeholder = "$(copy.name)"
	CopyNamespace Placeholder = "$(copy.namespace)"
	CopyIP        Placeholder = "$(copy.ip)"
)

// Placeholders lists every Placeholder.
func Placeholders() List[Placeholder] {
	return List[Placeholder]{
		{CopyName, "the name that the copy is given where its file says nothing else: it names nothing else in the run"},
		{CopyNamespace, "the namespace of the run's objects"},
		{CopyIP, "an IPv6 address that no other copy has, out of 2001:db8::/32, which is kept for documentation (RFC 3849)"},
	}
}
