package converter

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

const (
	// knativeAPIs has the interface Convertible.
	knativeAPIs = "knative.dev/pkg/apis"
	// knativeConversion has GroupKindConversion.
	knativeConversion = "knative.dev/pkg/webhook/resourcesemantics/conversion"
)

// Kind is a kind that Knative's library converts: every version through the hub, whose methods know all others.
type Kind struct {
	Hub Type
	// Types are all versions, the hub among them, sorted.
	Types []Type
}

// knativeKinds returns the kinds that Knative's library converts. Those that the module's own programs name count, if there are
// some; else they are read off the types, without those that nothing adds to a scheme, since no server serves them.
func knativeKinds(all map[string]Package, named []Kind) (kinds []Kind, err error) {
	if kinds = merged(named); len(kinds) == 0 {
		if kinds, err = kindsOfTypes(all); err != nil {
			return nil, err
		}
	}
	var served []Kind
	var problem error
	for _, k := range kinds {
		if err := k.isAdded(all); err != nil {
			problem = cmp.Or(problem, fmt.Errorf("kind %s: %w", k.Hub, err))
			continue
		}
		served = append(served, k)
	}
	if len(served) == 0 || len(named) > 0 {
		return served, problem
	}
	return served, nil
}

// isAdded returns an error if nothing adds a version of a kind to a scheme.
func (k Kind) isAdded(all map[string]Package) error {
	for _, t := range k.Types {
		if _, err := addOf(all, t.Package); err != nil {
			return err
		}
	}
	return nil
}

// merged returns kinds that several programs name, each once.
func merged(kinds []Kind) (once []Kind) {
	for _, k := range kinds {
		i := slices.IndexFunc(once, func(o Kind) bool { return o.Hub == k.Hub })
		if i < 0 {
			once = append(once, k)
			continue
		}
		once[i].Types = append(once[i].Types, k.Types...)
	}
	for i := range once {
		slices.SortFunc(once[i].Types, compareTypes)
		once[i].Types = slices.Compact(once[i].Types)
	}
	slices.SortFunc(once, func(a, b Kind) int { return compareTypes(a.Hub, b.Hub) })
	return once
}

// knativeTypes returns the types of a package that implement Knative's Convertible, each with the types that
// its methods name.
func knativeTypes(files []source) map[string][]Type {
	to, from := map[string][]Type{}, map[string][]Type{}
	for _, file := range files {
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv == nil || f.Body == nil || !takesConvertible(file, f.Type) {
				continue
			}
			switch name := receiver(f); f.Name.Name {
			case "ConvertTo":
				to[name] = append([]Type{}, namedIn(file, f.Body)...)
			case "ConvertFrom":
				from[name] = append([]Type{}, namedIn(file, f.Body)...)
			}
		}
	}
	both := map[string][]Type{}
	for name := range to {
		if from[name] != nil && ast.IsExported(name) {
			both[name] = append(to[name], from[name]...)
		}
	}
	return both
}

// takesConvertible reports whether a method takes a context and a Convertible, and returns an error.
func takesConvertible(file source, t *ast.FuncType) bool {
	if t.Params.NumFields() != 2 || t.Results.NumFields() != 1 {
		return false
	}
	of, is := file.typeOf(t.Params.List[len(t.Params.List)-1].Type)
	return is && of == Type{knativeAPIs, "Convertible"}
}

// namedIn returns the types whose pointers a method names: those of a switch, and those that it converts by.
func namedIn(file source, body *ast.BlockStmt) (types []Type) {
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CaseClause:
			for _, e := range n.List {
				if pointer, is := e.(*ast.StarExpr); is {
					if of, is := file.typeOf(pointer.X); is {
						types = append(types, of)
					}
				}
			}
		case ast.Expr:
			if of, is := file.pointerTo(n); is {
				types = append(types, of)
			}
		}
		return true
	})
	return types
}

// kindsOfTypes reads the kinds off the types of a module: the hub is the one whose methods lead to all others of its
// name and group. A kind without any such method has one version, and is left out.
func kindsOfTypes(all map[string]Package) (kinds []Kind, err error) {
	versions := map[[2]string][]Type{} // by group and name
	for _, at := range slices.Sorted(maps.Keys(all)) {
		for _, name := range slices.Sorted(maps.Keys(all[at].knative)) {
			key := [2]string{cmp.Or(all[at].Group, path.Dir(at)), name}
			versions[key] = append(versions[key], Type{at, name})
		}
	}
	for key, types := range versions {
		var hubs []Type
		mentions := 0
		for _, t := range types {
			reached := map[Type]bool{t: true}
			reach(all, t, types, reached)
			mentions += len(reached) - 1
			if len(reached) == len(types) {
				hubs = append(hubs, t)
			}
		}
		switch {
		case len(types) < 2 || mentions == 0:
		case len(hubs) != 1:
			return nil, fmt.Errorf("kind %s of %s: nothing says which of its %d versions the others are converted by, since no %s{HubVersion: ...} does, and %d have methods for all others: name a program file",
				key[1], key[0], len(types), path.Base(knativeConversion)+".GroupKindConversion", len(hubs))
		default:
			kinds = append(kinds, Kind{hubs[0], types})
		}
	}
	return merged(kinds), nil
}

// reach notes the versions that the methods of one lead to.
func reach(all map[string]Package, from Type, among []Type, reached map[Type]bool) {
	for _, t := range all[from.Package].knative[from.Name] {
		if slices.Contains(among, t) && !reached[t] {
			reached[t] = true
			reach(all, t, among, reached)
		}
	}
}

// readKinds reads the literals of GroupKindConversion in the files of a package.
func (s *surveyed) readKinds(files []source) error {
	defined := definitions(files)
	for _, file := range files {
		var problem error
		ast.Inspect(file.File, func(n ast.Node) bool {
			literal, is := n.(*ast.CompositeLit)
			if !is {
				return true
			}
			for _, l := range conversionsIn(file, literal) {
				k, err := readKind(file, defined, l)
				if err != nil {
					problem = cmp.Or(problem, err)
				} else {
					s.kinds = append(s.kinds, k)
				}
			}
			return problem == nil
		})
		if problem != nil {
			return problem
		}
	}
	return nil
}

// conversionsIn returns the literals of GroupKindConversion that a literal is, or has as the values of a map.
func conversionsIn(file source, literal *ast.CompositeLit) (all []*ast.CompositeLit) {
	is := func(e ast.Expr) bool {
		if e == nil {
			return false
		}
		of, is := file.typeOf(e)
		return is && of == Type{knativeConversion, "GroupKindConversion"}
	}
	if is(literal.Type) {
		return []*ast.CompositeLit{literal}
	}
	if of, isMap := literal.Type.(*ast.MapType); isMap && is(of.Value) {
		for _, e := range literal.Elts {
			if pair, isPair := e.(*ast.KeyValueExpr); isPair {
				if value, isLiteral := pair.Value.(*ast.CompositeLit); isLiteral && value.Type == nil {
					all = append(all, value)
				}
			}
		}
	}
	return all
}

// readKind reads a literal of GroupKindConversion.
func readKind(file source, defined map[string]ast.Expr, literal *ast.CompositeLit) (k Kind, err error) {
	var hub ast.Expr
	var zygotes *ast.CompositeLit
	for _, e := range literal.Elts {
		pair, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		switch file.text(pair.Key) {
		case "HubVersion":
			hub = pair.Value
		case "Zygotes":
			zygotes, _ = pair.Value.(*ast.CompositeLit)
		}
	}
	unread := func(what string) error {
		return fmt.Errorf("%s: %s of a GroupKindConversion cannot be read off the source: name a program file", file.at(literal), what)
	}
	if zygotes == nil || hub == nil {
		return k, unread("HubVersion or Zygotes")
	}
	version := versionOf(file, defined, hub)
	for _, e := range zygotes.Elts {
		pair, is := e.(*ast.KeyValueExpr)
		if !is {
			return k, unread("a zygote")
		}
		of, is := file.pointerTo(pair.Value)
		if !is {
			return k, unread("the type of zygote " + file.text(pair.Key))
		}
		k.Types = append(k.Types, of)
		if versionOf(file, defined, pair.Key) == version || strings.HasPrefix(version, of.Package+".") || path.Base(of.Package) == version {
			k.Hub = of
		}
	}
	if k.Hub.Name == "" {
		return k, unread("HubVersion " + file.text(hub))
	}
	return k, nil
}

// definitions returns the values of the names that the files of a package define once.
func definitions(files []source) map[string]ast.Expr {
	defined := map[string]ast.Expr{}
	add := func(name, value ast.Expr) {
		if id, is := name.(*ast.Ident); is {
			defined[id.Name] = value
		}
	}
	for _, file := range files {
		ast.Inspect(file.File, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i := range min(len(n.Names), len(n.Values)) {
					add(n.Names[i], n.Values[i])
				}
			case *ast.AssignStmt:
				if n.Tok == token.DEFINE && len(n.Lhs) == len(n.Rhs) {
					for i := range n.Lhs {
						add(n.Lhs[i], n.Rhs[i])
					}
				}
			}
			return true
		})
	}
	return defined
}

// versionOf returns a version as an expression names it: v1, or PACKAGE.SchemeGroupVersion.Version of a package.
func versionOf(file source, defined map[string]ast.Expr, e ast.Expr) string {
	const deepest = 4 // names of names
	for range deepest {
		name, is := e.(*ast.Ident)
		if !is || defined[name.Name] == nil {
			break
		}
		e = defined[name.Name]
	}
	if literal, is := e.(*ast.BasicLit); is && literal.Kind == token.STRING {
		if text, err := strconv.Unquote(literal.Value); err == nil {
			return text
		}
	}
	text := file.text(e)
	if name, rest, is := strings.Cut(text, "."); is && file.imports[name] != "" {
		return file.imports[name] + "." + rest
	}
	return text
}
