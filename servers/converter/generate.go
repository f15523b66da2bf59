package converter

import (
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
)

// needsFile says the way out where a program cannot be generated.
const needsFile = "name a program file"

// program collects the parts of main.go.
type program struct {
	found   Found
	imports []string // paths of packages, each named by its index
	adds    []string // of them, the functions that add types to the scheme
}

// name returns the name by which main.go imports a package.
func (p *program) name(importPath string) string {
	i := slices.Index(p.imports, importPath)
	if i < 0 {
		i = len(p.imports)
		p.imports = append(p.imports, importPath)
	}
	return fmt.Sprintf("api%d", i)
}

// add adds the types of a package to the scheme.
func (p *program) add(importPath string) error {
	function, err := addOf(p.found.all, importPath)
	if call := p.name(importPath) + "." + function; err == nil && !slices.Contains(p.adds, call) {
		p.adds = append(p.adds, call)
	}
	return err
}

// addOf returns the function that adds the types of a package to a scheme. That of another module has the usual one.
func addOf(all map[string]Package, importPath string) (string, error) {
	of, is := all[importPath]
	switch {
	case !is:
		return "AddToScheme", nil
	case of.Add == "":
		return "", fmt.Errorf("package %s has neither AddToScheme nor SchemeBuilder, which add its types to a scheme", importPath)
	}
	return of.Add, nil
}

// text returns main.go: a template with its parts.
func (p *program) text(template string, more ...string) (string, error) {
	var imports, adds strings.Builder
	for i, of := range p.imports {
		fmt.Fprintf(&imports, "\tapi%d %q\n", i, of)
	}
	for _, call := range p.adds {
		fmt.Fprintf(&adds, "\t\t%s,\n", call)
	}
	parts := append([]string{"{{imports}}", imports.String(), "{{adds}}", adds.String(), "{{serve}}", serveText}, more...)
	text, err := format.Source([]byte(strings.NewReplacer(parts...).Replace(template)))
	return string(text), err
}

// generate returns the text of main.go.
func generate(found Found, setup *Setup) (string, error) {
	p := &program{found: found}
	call := ""
	if setup != nil {
		call = "if err := setup(); err != nil {\n\t\tlog.Fatal(\"set-up: \", err)\n\t}\n"
	}
	if len(found.Knative) > 0 {
		return p.knative(call)
	}
	if setup == nil {
		if err := found.unmade(); err != nil {
			return "", err
		}
	}
	return p.controllerRuntime(call)
}

// knative returns main.go for kinds of Knative's library.
func (p *program) knative(setup string) (string, error) {
	var kinds strings.Builder
	for _, k := range p.found.Knative {
		fmt.Fprintf(&kinds, "\t\t{&%s.%s{}", p.name(k.Hub.Package), k.Hub.Name)
		for _, t := range k.Types {
			if err := p.add(t.Package); err != nil {
				return "", err
			}
			if t != k.Hub {
				fmt.Fprintf(&kinds, ", &%s.%s{}", p.name(t.Package), t.Name)
			}
		}
		kinds.WriteString("},\n")
	}
	return p.text(knativeText, "{{kinds}}", kinds.String(), "{{setup}}", setup)
}

// controllerRuntime returns main.go for types and converters of controller-runtime.
func (p *program) controllerRuntime(setup string) (string, error) {
	handler, registry, err := handlerOf(p.found.ControllerRuntime)
	if err != nil {
		return "", err
	}
	for _, of := range p.found.Packages {
		if err := p.add(of.Path); err != nil {
			return "", err
		}
	}
	registers, requires, err := p.converters()
	if err != nil {
		return "", err
	}
	sets, std, ofSchema := p.getters(), "", ""
	if registry != "" {
		std = "\t\"errors\"\n"
	}
	if registry != "" || strings.Contains(sets, "context.Context") {
		std = "\t\"context\"\n" + std
	}
	if sets != "" || registry != "" {
		ofSchema = "\t\"k8s.io/apimachinery/pkg/runtime/schema\"\n"
	}
	return p.text(runtimeText, "{{std}}", std, "{{schema}}", ofSchema, "{{sets}}", sets, "{{registry}}", registry,
		"{{registers}}", registers, "{{setup}}", setup, "{{requires}}", requires, "{{handler}}", handler)
}

// converters returns the statements that register converters, and those for converters that a
// set-up may register.
func (p *program) converters() (registers, requires string, err error) {
	var made, unmade strings.Builder
	for _, c := range p.found.Converters {
		if c.Hub.Name == "" {
			continue // it is the set-up's
		}
		for _, t := range c.Types {
			if err := p.add(t.Package); err != nil {
				return "", "", err
			}
		}
		hub := fmt.Sprintf("&%s.%s{}", p.name(c.Hub.Package), c.Hub.Name)
		if c.Value == "" {
			fmt.Fprintf(&unmade, "\trequire(%s, %q)\n", hub, c.missing())
			continue
		}
		fmt.Fprintf(&made, "\tregister(%s, %s.%s)\n", hub, p.name(c.Package), c.Value)
	}
	return made.String(), unmade.String(), nil
}

// getters returns the statements that set cluster-api's conversions up. No definitions of other projects are in a
// run: of their kinds the version is assumed that a contract began with.
func (p *program) getters() string {
	var sets strings.Builder
	for _, importPath := range p.getterPackages() {
		fmt.Fprintf(&sets, "\t%s.%s(func(%s) (string, error) { return gk.Group + \"/v1beta1\", nil })\n", p.name(importPath), versionGetter, p.found.all[importPath].Getter)
	}
	return sets.String()
}

// getterPackages returns the packages with conversions that ask for a version, sorted.
func (p *program) getterPackages() (paths []string) {
	for _, of := range p.found.Packages {
		paths = append(paths, of.Path)
	}
	for _, c := range p.found.Converters {
		paths = append(paths, c.Package)
	}
	slices.Sort(paths)
	return slices.DeleteFunc(slices.Compact(paths), func(at string) bool { return p.found.all[at].Getter == "" })
}

// handlerOf returns the expression that makes the handler of a release of controller-runtime, and the text of its registry;
// "" for releases without one.
func handlerOf(version string) (handler, registry string, err error) {
	minor, _, _ := strings.Cut(strings.TrimPrefix(version, "v0."), ".")
	n, err := strconv.Atoi(minor)
	switch {
	case version == "":
		return "", "", fmt.Errorf("its go.mod requires no %s, whose handler serves conversions: %s", runtimeModule, needsFile)
	case err != nil || n < oldestMinor:
		return "", "", fmt.Errorf("it requires %s %s: conversions are served with v0.%d and later: %s", runtimeModule, version, oldestMinor, needsFile)
	case n >= registryMinor:
		return "conversion.NewWebhookHandler(scheme, registry)", registryText, nil
	}
	return "conversion.NewWebhookHandler(scheme)", "", nil
}
