package path

import (
	"math"
	"strconv"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
	"sigs.k8s.io/structured-merge-diff/v6/value"
)

// String prints a path in the package's syntax. Equal paths print the same
// text. The empty path, which means the whole object, prints as "". An element
// that selects nothing, which only a path built by hand can hold, prints as
// [], which Parse refuses.
func String(p fieldpath.Path) string {
	var b strings.Builder
	for _, e := range p {
		writeElement(&b, e)
	}
	return b.String()
}

// Below prints the path of an element below a path that is already printed: code that walks an
// object need not print each path from its root.
func Below(above string, e fieldpath.PathElement) string {
	if e.FieldName != nil && isPlain(*e.FieldName) {
		return above + "." + *e.FieldName
	}
	return above + String(fieldpath.Path{e})
}

func writeElement(b *strings.Builder, e fieldpath.PathElement) {
	switch {
	case e.FieldName != nil:
		writeField(b, *e.FieldName)
	case e.Key != nil:
		writeKey(b, *e.Key)
	case e.Value != nil:
		b.WriteString("[=" + scalarText(*e.Value) + "]")
	case e.Index != nil:
		b.WriteString("[" + strconv.Itoa(*e.Index) + "]")
	default:
		b.WriteString("[]")
	}
}

func writeField(b *strings.Builder, name string) {
	if isPlain(name) {
		b.WriteString("." + name)
		return
	}
	b.WriteString("[" + strconv.Quote(name) + "]")
}

// writeKey sorts a copy: structured-merge-diff compares keys in order, and needs them sorted.
func writeKey(b *strings.Builder, key value.FieldList) {
	key = key.Copy()
	key.Sort()
	b.WriteByte('[')
	for i, f := range key {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(keyName(f.Name) + "=" + scalarText(f.Value))
	}
	b.WriteByte(']')
}

func keyName(name string) string {
	if isPlain(name) && startsKey(name[0]) {
		return name
	}
	return strconv.Quote(name)
}

func scalarText(v value.Value) string {
	switch {
	case v == nil || v.IsNull():
		return "null"
	case v.IsString():
		return strconv.Quote(v.AsString())
	case v.IsFloat():
		return floatText(v.AsFloat())
	}
	return value.ToString(v)
}

// floatText prints a whole number as an integer: structured-merge-diff treats 80.0 and 80 as
// equal, and equal paths must print the same text.
func floatText(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<63 {
		return strconv.FormatInt(int64(f), 10)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

func isPlain(name string) bool {
	for i := range len(name) {
		if !isPlainByte(name[i]) {
			return false
		}
	}
	return name != ""
}

func isPlainByte(c byte) bool {
	return startsKey(c) || c == '-' || '0' <= c && c <= '9'
}

// startsKey reports whether a key's name may start with the byte unquoted. Digits and "-" start
// an index.
func startsKey(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
