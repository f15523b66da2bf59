package objects

import (
	"net/netip"
	"strings"
)

// Naming is how objects of a kind must be named, as an example's name shows.
type Naming struct {
	address bool       // the name is an IP address
	prefix  string     // of every name, up to its last colon
	suffix  string     // of every name, from its first dot on
	label   string     // the beginning of the example's name, before the suffix
	same    []Location // members with the same value as the label
}

// NamingOf derives the naming from an example. Without an example any name is valid.
func NamingOf(example map[string]any) Naming {
	metadata, _ := example["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if _, err := netip.ParseAddr(name); err == nil {
		return Naming{address: true}
	}
	if i := strings.LastIndex(name, ":"); i >= 0 {
		return Naming{prefix: name[:i+1]}
	}
	label, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return Naming{}
	}
	var same []Location
	for _, at := range Locations(example) {
		if v, _ := Get(example, at); v == label {
			same = append(same, at)
		}
	}
	return Naming{suffix: "." + rest, label: label, same: same}
}

// IsFree reports whether the name depends on no other field of the object.
func (n Naming) IsFree() bool { return !n.address && n.prefix == "" && len(n.same) == 0 }

// Name gives a copy of an object a name of its own, made of a label. The object may have been named
// so before.
func (n Naming) Name(object map[string]any, label string) (map[string]any, string) {
	full := n.prefix + label + n.suffix
	if n.address {
		full = addressOf(label)
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	was := strings.TrimSuffix(name, n.suffix)
	object = named(object, full)
	for _, at := range n.same {
		if v, _ := Get(object, at); v == n.label || v == was {
			Put(object, at, label)
		}
	}
	return object, full
}

// named returns a copy of an object under a name.
func named(object map[string]any, name string) map[string]any {
	object = Copy(object)
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
	}
	metadata["name"] = name
	object["metadata"] = metadata
	return object
}

// addressOf returns an address for a label. Two labels share an address only by chance.
func addressOf(label string) string {
	sum := uint32(2166136261)
	for i := range len(label) {
		sum = (sum ^ uint32(label[i])) * 16777619
	}
	return netip.AddrFrom4([4]byte{10, byte(1 + sum>>16%250), byte(1 + sum>>8%250), byte(1 + sum%250)}).String()
}
