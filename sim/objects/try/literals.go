package try

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/common"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/parser"
	"k8s.io/apiserver/pkg/cel"

	"github.com/skewsim/skewsim/sim/objects"
)

// Bounds of what a rule in CEL adds: values of each field, and combinations of two fields.
const (
	maxLiterals = 12
	maxPairs    = 16
	maxBound    = 4 // lists whose elements have the same name in a rule
)

// literals are the values that a rule in CEL compares a member of its object with, on both sides.
type literals struct {
	// path is that from the rule's object: .a.b, or .a[].b in a list or map, or .a[key] for the keys of a map;
	// "" for a rule of a value. A variable that is bound alone to .a[] is the key if that is a map.
	path     string
	values   []any
	patterns []string // that the rule matches it with
	sizes    []int    // that the rule compares its size with
	removed  bool     // the rule asks whether the member is there
}

// entry is the step of a path to the elements of a list or the entries of a map, entryKey to their keys.
const entry, entryKey = "[]", "[key]"

// mapOf returns the path of the map whose keys a path may be of; false: it is of no keys.
func mapOf(path string) (string, bool) {
	if of, is := strings.CutSuffix(path, entryKey); is {
		return of, true
	}
	return strings.CutSuffix(path, entry)
}

// add adds values, each once.
func (l *literals) add(values ...any) {
	for _, v := range values {
		if len(l.values) < maxLiterals && !slices.Contains(l.values, v) {
			l.values = append(l.values, v)
		}
	}
}

// valuesFor returns what to try in place of a value: of a list, lists around the sizes.
func (l *literals) valuesFor(is any) (all []any) {
	list, isList := is.([]any)
	if !isList || len(list) == 0 {
		return l.values
	}
	for _, n := range l.sizes {
		all = append(all, ofSizes(list, n-1, n, n+1)...)
	}
	return all
}

// readLiterals returns what a rule in CEL compares; nil: the text is in another language.
func readLiterals(text string) []*literals {
	if !strings.Contains(text, "self") {
		return nil
	}
	p, err := parser.NewParser(parser.EnableOptionalSyntax(true)) // without macros: has and all are calls
	if err != nil {
		return nil
	}
	tree, errs := p.Parse(common.NewTextSource(text))
	if len(errs.GetErrors()) > 0 {
		return nil
	}
	r := reader{bound: map[string][]string{}}
	ast.PreOrderVisit(tree.Expr(), ast.NewExprVisitor(r.bind)) // the variables of an outer macro first
	ast.PostOrderVisit(tree.Expr(), ast.NewExprVisitor(r.visit))
	for _, l := range r.all {
		if len(l.values) == 0 {
			l.add("a", int64(1), true)
		}
	}
	return r.all
}

// reader collects literals from an expression.
type reader struct {
	all   []*literals
	bound map[string][]string // what the variables of macros are: the paths of elements
}

// macros are the functions that bind variables to the elements of a list, or to the entries of a map, with
// how many further arguments they have at most. With two variables the second is the element.
var macros = map[string]int{
	"all": 1, "exists": 1, "exists_one": 1, "existsOne": 1, "filter": 1, "map": 2, "transformList": 2, "transformMap": 2,
}

// bind notes the variables of a macro.
func (r *reader) bind(e ast.Expr) {
	if e.Kind() != ast.CallKind || !e.AsCall().IsMemberFunction() {
		return
	}
	call := e.AsCall()
	further, is := macros[call.FunctionName()]
	args := call.Args()
	if !is || len(args) < 2 || args[0].Kind() != ast.IdentKind {
		return
	}
	steps := map[string]string{args[0].AsIdent(): entry}
	if len(args) > further && args[1].Kind() == ast.IdentKind && call.FunctionName() != "map" {
		steps = map[string]string{args[0].AsIdent(): entryKey, args[1].AsIdent(): entry}
	}
	for _, list := range r.pathsOf(call.Target()) {
		for variable, step := range steps {
			if of := r.bound[variable]; !slices.Contains(of, list+step) && len(of) < maxBound {
				r.bound[variable] = append(of, list+step)
			}
		}
	}
}

func (r *reader) of(path string) *literals {
	for _, l := range r.all {
		if l.path == path {
			return l
		}
	}
	r.all = append(r.all, &literals{path: path})
	return r.all[len(r.all)-1]
}

// visit notes the members that a call is about, with what it compares them with.
func (r *reader) visit(e ast.Expr) {
	if e.Kind() != ast.CallKind {
		return
	}
	call := e.AsCall()
	args := call.Args()
	if call.IsMemberFunction() {
		args = append([]ast.Expr{call.Target()}, args...)
	}
	switch call.FunctionName() {
	case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals, operators.In, operators.OldIn:
		r.compared(args, call.FunctionName())
	case operators.LogicalAnd, operators.LogicalOr, operators.LogicalNot:
		r.flags(args)
	case operators.Conditional:
		r.flags(args[:1])
	case "all", "exists", "exists_one", "existsOne", "filter":
		r.flags(args[max(0, len(args)-1):])
	case "isLessThan", "isGreaterThan", "compareTo":
		r.compared(args, operators.Less)
	case "has", "hasValue", operators.OptSelect:
		if call.FunctionName() == operators.OptSelect { // of self.?a the member is a, and not what it is of
			args = []ast.Expr{e}
		}
		for _, path := range r.pathsIn(args) {
			r.of(path).removed = true
		}
	case "startsWith", "endsWith", "contains", "matches":
		r.texts(args, call.FunctionName())
	}
	if slices.Contains(textFunctions, call.FunctionName()) {
		for _, path := range r.pathsIn(args[:min(1, len(args))]) {
			r.of(path).add("sample", "Sample", " a b ", "a-b", "")
		}
	}
}

// textFunctions return another text for a text: what a rule says of the one it says of the other.
var textFunctions = []string{"lowerAscii", "upperAscii", "trim", "replace", "substring", "charAt", "reverse"}

// flags are members that are true or false.
func (r *reader) flags(args []ast.Expr) {
	for _, path := range r.pathsIn(args) {
		r.of(path).add(true, false)
	}
}

// texts are members that a function of texts is of.
func (r *reader) texts(args []ast.Expr, function string) {
	for _, path := range r.pathsIn(args[:1]) {
		for _, c := range constantsIn(args[1:]) {
			text, _ := c.(string)
			if function != "matches" {
				r.of(path).add(text, "no-such-value", "")
				continue
			}
			fits, misses := objects.Matching(text), objects.Texts{Miss: []string{text}, MinLength: 1}.Find(maxApart)
			for _, one := range slices.Concat(fits[:min(len(fits), maxApart)], misses, fits[min(len(fits), maxApart):]) {
				r.of(path).add(one)
			}
			r.of(path).add("no-such-value", "")
			r.of(path).patterns = append(r.of(path).patterns, text)
		}
	}
}

// compared are members, or their sizes, beside constants or each other.
func (r *reader) compared(args []ast.Expr, operator string) {
	constants, paths := constantsIn(args), r.pathsIn(args)
	for _, path := range paths {
		for _, c := range constants {
			r.of(path).add(constantsAround(c)...)
		}
		switch {
		case len(constants) > 0 || len(paths) < 2:
		case operator == operators.Equals || operator == operators.NotEquals:
			r.of(path).add("a", "b", int64(1), int64(2))
		default:
			r.of(path).add(int64(1), int64(2))
		}
	}
	for _, path := range r.sizesIn(args) {
		for _, c := range constants {
			if n, is := c.(int64); is && n > 0 && n < longest {
				r.of(path).sizes = append(r.of(path).sizes, int(n))
				r.of(path).add(strings.Repeat("a", int(n)-1), strings.Repeat("a", int(n)), strings.Repeat("a", int(n)+1))
			}
		}
	}
}

// constantsAround returns a constant and its neighbours.
func constantsAround(c any) []any {
	switch c := c.(type) {
	case int64:
		return []any{c, c - 1, c + 1}
	case float64:
		return []any{c, c - 1, c + 1}
	case string:
		return append([]any{c, "no-such-value"}, besideNumber(c)...)
	case bool:
		return []any{c, !c}
	}
	return nil
}

// amount is a text that begins with a number, such as a quantity or a duration.
var amount = regexp.MustCompile(`^([0-9]+)([A-Za-z].*)$`)

// besideNumber returns the amounts below and above one.
func besideNumber(text string) []any {
	m := amount.FindStringSubmatch(text)
	if m == nil {
		return nil
	}
	n, err := strconv.ParseInt(m[1], 10, 32)
	if err != nil {
		return nil
	}
	return []any{strconv.FormatInt(max(0, n-1), 10) + m[2], strconv.FormatInt(n+1, 10) + m[2]}
}

// constantsIn returns the constants among expressions, and in lists of them.
func constantsIn(all []ast.Expr) (values []any) {
	for _, e := range all {
		switch e.Kind() {
		case ast.ListKind:
			values = append(values, constantsIn(e.AsList().Elements())...)
		case ast.LiteralKind:
			switch v := e.AsLiteral().(type) {
			case types.Int:
				values = append(values, int64(v))
			case types.Uint:
				values = append(values, int64(v)) //nolint:gosec // constants of rules are small
			case types.Double:
				values = append(values, float64(v))
			case types.String:
				values = append(values, string(v))
			case types.Bool:
				values = append(values, bool(v))
			}
		case ast.CallKind:
			if e.AsCall().FunctionName() == operators.Conditional { // each of the values that it may have
				values = append(values, constantsIn(e.AsCall().Args()[1:])...)
				continue
			}
			if call := e.AsCall(); !call.IsMemberFunction() && len(call.Args()) == 1 && slices.Contains(conversions, call.FunctionName()) {
				values = append(values, constantsIn(call.Args())...)
			}
		}
	}
	return values
}

// pathsIn returns the members of the rule's object among expressions.
func (r *reader) pathsIn(all []ast.Expr) (paths []string) {
	for _, e := range all {
		paths = append(paths, r.pathsOf(e)...)
	}
	return paths
}

// sizesIn returns the members whose size is among expressions.
func (r *reader) sizesIn(all []ast.Expr) (paths []string) {
	for _, e := range all {
		if e.Kind() != ast.CallKind || e.AsCall().FunctionName() != "size" {
			continue
		}
		args := e.AsCall().Args()
		if e.AsCall().IsMemberFunction() {
			args = []ast.Expr{e.AsCall().Target()}
		}
		paths = append(paths, r.pathsIn(args)...)
	}
	return paths
}

// ofOptionals return the value of an optional one. Conversions return another type for a value: what a rule says
// of the one it says of the other.
var (
	ofOptionals = []string{"value", "orValue"}
	conversions = []string{"int", "double", "string", "duration", "timestamp", "quantity", "url", "ip", "cidr", "semver"}
)

// members returns the paths of a member of an object. In a rule, names that are no identifiers are escaped.
func (r *reader) members(object ast.Expr, name string) (paths []string) {
	if plain, is := cel.Unescape(name); is {
		name = plain
	}
	for _, of := range r.pathsOf(object) {
		paths = append(paths, of+"."+name)
	}
	return paths
}

// pathsOf returns the members of the rule's object that an expression selects: several, where elements
// of several lists have the same name.
func (r *reader) pathsOf(e ast.Expr) (paths []string) {
	switch e.Kind() {
	case ast.IdentKind:
		if e.AsIdent() == "self" {
			return []string{""}
		}
		return r.bound[e.AsIdent()]
	case ast.SelectKind:
		s := e.AsSelect()
		return r.members(s.Operand(), s.FieldName())
	case ast.CallKind:
		switch call := e.AsCall(); {
		case call.FunctionName() == operators.Conditional:
			return r.pathsIn(call.Args()[1:])
		case call.IsMemberFunction() && (call.FunctionName() == "filter" || slices.Contains(textFunctions, call.FunctionName())):
			return r.pathsOf(call.Target()) // what a filter leaves of a list, or another text
		case call.IsMemberFunction() && slices.Contains(ofOptionals, call.FunctionName()):
			return r.pathsOf(call.Target())
		case call.FunctionName() == operators.OptSelect && len(call.Args()) == 2:
			name, _ := call.Args()[1].AsLiteral().(types.String)
			return r.members(call.Args()[0], string(name))
		case len(call.Args()) == 1 && !call.IsMemberFunction() && slices.Contains(conversions, call.FunctionName()):
			return r.pathsOf(call.Args()[0])
		case (call.FunctionName() == operators.Index || call.FunctionName() == operators.OptIndex) && len(call.Args()) > 0:
			for _, of := range r.pathsOf(call.Args()[0]) {
				paths = append(paths, of+entry)
			}
		}
	}
	return paths
}
