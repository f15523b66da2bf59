package objects

// formats are texts of each format that servers check in custom resources, beside those that have values of their own.
var formats = map[string][]string{
	"bsonobjectid": {"507f1f77bcf86cd799439011"},
	"cidr":         {"10.0.0.0/24", "2001:db8::/64"},
	"creditcard":   {"4111111111111111"},
	"datetime":     {"2017-01-02T03:04:05Z"},
	"email":        {"sample@example.com"},
	"hexcolor":     {"#0a141e"},
	"hostname":     {"sample.example.com", "sample"},
	"ipv6":         {"2001:db8::1"},
	"isbn":         {"0321751043", "978-0321751041"},
	"isbn10":       {"0321751043"},
	"isbn13":       {"978-0321751041", "9780321751041"},
	"mac":          {"02:00:00:00:00:01"},
	"rgbcolor":     {"rgb(10,20,30)"},
	"ssn":          {"111-11-1111"},
	"uri":          {"https://example.com/sample"},
	"uuid3":        {"00000000-0000-3000-8000-000000000001"},
	"uuid4":        {"00000000-0000-4000-8000-000000000001"},
	"uuid5":        {"00000000-0000-5000-8000-000000000001"},

	"k8s-long-name":  {"sample.example.com", "sample"},
	"k8s-short-name": {"sample"},
}

// OfFormat returns texts of a format; none of one that servers do not check, or that has values of its own.
func OfFormat(format string) []string { return formats[format] }
