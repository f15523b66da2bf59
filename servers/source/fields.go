package source

import (
	"go/ast"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// reader collects the fields of one type.
type reader struct {
	of   string // the type's name in OpenAPI
	into map[string]Field
	seen map[*ast.StructType]bool
}

// fields adds the fields of a struct of which the source says something. Those of what is
// embedded are published as its own; number is that of the embedded message.
func (p *goPackage) fields(s *ast.StructType, r reader, number string) {
	if r.seen[s] {
		return
	}
	r.seen[s] = true
	for _, f := range s.Fields.List {
		name, inline := jsonName(f)
		encoded, typ := protobufOf(f, number), typeName(f.Type)
		if embedded := p.structs[typ]; inline && embedded != nil {
			p.fields(embedded, r, encoded.Number)
			continue
		}
		if other := p.others[typ]; inline && other != "" {
			p.borrowed = append(p.borrowed, borrowing{to: r.of, from: other, number: encoded.Number})
		}
		of := Field{Tag: Tag{Gates: gatesIn(f.Doc.Text()), Values: p.values[typ]}, Rules: p.rulesOfField(f), Protobuf: encoded}
		if name != "" && !reflect.ValueOf(of).IsZero() {
			r.into[name] = of
		}
	}
}

// borrowing is a type with the fields of a type of another package: it is that type under
// another name, or it embeds it.
type borrowing struct {
	to, from string // their names in OpenAPI
	number   string // of the embedded message; "": the type is not embedded, or not in protobuf
}

// add adds the fields, where the module has the other type.
func (b borrowing) add(all map[string]map[string]Field) {
	for name, f := range all[b.from] {
		if b.number != "" && f.Protobuf.Number != "" {
			f.Protobuf.Number = b.number + "." + f.Protobuf.Number
		}
		if all[b.to] == nil {
			all[b.to] = map[string]Field{}
		}
		all[b.to][name] = f
	}
}

// rulesOfField returns a field's own rules, and those of its type.
func (p *goPackage) rulesOfField(f *ast.Field) []Rule {
	rules := p.rulesOf(f.Doc)
	return append(rules, p.rulesOfType(f.Type, nil)...)
}

// rulesOfType returns the rules of a type that is no struct: OpenAPI publishes a struct under
// its own name, and puts other types in the place of the field.
func (p *goPackage) rulesOfType(e ast.Expr, within []Wrapper) []Rule {
	switch t := e.(type) {
	case *ast.StarExpr:
		return p.rulesOfType(t.X, within)
	case *ast.ArrayType:
		return p.rulesOfType(t.Elt, append(within, Wrapper{Name: "eachVal"}))
	case *ast.MapType:
		keys := p.rulesOfType(t.Key, append(slices.Clone(within), Wrapper{Name: "eachKey"}))
		return append(keys, p.rulesOfType(t.Value, append(slices.Clone(within), Wrapper{Name: "eachVal"}))...)
	case *ast.Ident:
		if p.structs[t.Name] != nil {
			return nil
		}
		var all []Rule
		for _, r := range p.rules[t.Name] {
			r.Type, r.Within = t.Name, slices.Concat(within, r.Within)
			all = append(all, r)
		}
		return all
	}
	return nil
}

// jsonName is a field's name in JSON, and whether its members stand in its place; "": it
// has none.
func jsonName(f *ast.Field) (name string, inline bool) {
	if f.Tag == nil {
		return "", len(f.Names) == 0
	}
	name, options, _ := strings.Cut(structTag(f, "json"), ",")
	if name == "-" {
		return "", false
	}
	return name, name == "" && (len(f.Names) == 0 || strings.Contains(options, "inline"))
}

// protobufKey begins the part of a struct tag that describes the encoding.
const protobufKey = `protobuf:"`

// protobufOf returns the encoding that a struct tag describes: bytes,3,rep,name=items.
func protobufOf(f *ast.Field, embeddedIn string) Protobuf {
	parts := strings.Split(structTag(f, "protobuf"), ",")
	if len(parts) < 3 {
		return Protobuf{}
	}
	of := Protobuf{Number: parts[1], Wire: parts[0]}
	if embeddedIn != "" {
		of.Number = embeddedIn + "." + of.Number
	}
	if parts[2] == "rep" {
		of.Wire += ",rep"
	}
	return of
}

func structTag(f *ast.Field, key string) string {
	if f.Tag == nil {
		return ""
	}
	text, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return ""
	}
	return reflect.StructTag(text).Get(key)
}

// typeName is the name of a type of the same package, or that of its elements; "": it is
// of another package, or has no name.
func typeName(e ast.Expr) string {
	switch t := e.(type) {
	case *ast.Ident:
		return t.Name
	case *ast.StarExpr:
		return typeName(t.X)
	case *ast.ArrayType:
		return typeName(t.Elt)
	}
	return ""
}
