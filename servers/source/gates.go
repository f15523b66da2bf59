package source

import (
	"errors"
	"fmt"
	"go/ast"
	"os"
	"slices"
	"strings"

	goversion "github.com/hashicorp/go-version"
	"sigs.k8s.io/yaml"
)

// Gate is a feature gate of a release.
type Gate struct {
	GateState
	// History lists its states by version, oldest first.
	History []GateState `json:"history,omitempty"`
	// Needs are the gates that have to be on for this one to be on.
	Needs []string `json:"needs,omitempty"`
	// UsedIn are the packages of kube-apiserver that use the gate, by their paths in the
	// server's module: pkg/registry/core/pod. A gate that only other components use has none.
	UsedIn []string `json:"usedIn,omitempty"`
}

// GateState is what a gate is since a version.
type GateState struct {
	Version string `json:"version"` // 1.37; "": the source states no version
	Stage   string `json:"stage"`   // ALPHA, BETA, GA, DEPRECATED
	Default bool   `json:"default"`
	Locked  bool   `json:"locked,omitempty"` // to the default
}

// The folders in which releases list their gates, those of newer releases first, and the files
// in them. Releases before 1.34 list some gates without versions.
var (
	gateFolders = []string{"test/compatibility_lifecycle/reference/", "test/featuregates_linter/test_data/"}
	gateFiles   = []string{"unversioned_feature_list.yaml", "versioned_feature_list.yaml"}
)

// listedGate is an entry of such a file.
type listedGate struct {
	Name           string `json:"name"`
	VersionedSpecs []struct {
		Default       bool   `json:"default"`
		LockToDefault bool   `json:"lockToDefault"`
		PreRelease    string `json:"preRelease"`
		Version       string `json:"version"`
	} `json:"versionedSpecs"`
}

// readGates reads the gates of all components.
func readGates(t tree, into *Facts) error {
	into.Gates = map[string]Gate{}
	for _, folder := range gateFolders {
		for _, file := range gateFiles {
			text, err := os.ReadFile(t.at(folder + file))
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				return err
			}
			if err := t.listedGates(text, into.Gates); err != nil {
				return fmt.Errorf("%s%s: %w", folder, file, err)
			}
		}
	}
	if len(into.Gates) == 0 {
		return fmt.Errorf("the release has no %s in %s", gateFiles[1], strings.Join(gateFolders, " or "))
	}
	return nil
}

// listedGates adds the gates of one file.
func (t tree) listedGates(text []byte, into map[string]Gate) error {
	var all []listedGate
	if err := yaml.Unmarshal(text, &all); err != nil {
		return err
	}
	for _, l := range all {
		g := Gate{}
		for _, s := range l.VersionedSpecs {
			g.History = append(g.History, GateState{Version: s.Version, Stage: stageOf(s.PreRelease), Default: s.Default, Locked: s.LockToDefault})
		}
		slices.SortStableFunc(g.History, func(a, b GateState) int { return compareVersions(a.Version, b.Version) })
		if now, holds := t.holding(g.History); holds {
			g.GateState = now
			into[l.Name] = g
		}
	}
	return nil
}

// stageOf spells a stage as servers do. A gate that is generally available has none in the
// source.
func stageOf(preRelease string) string {
	if preRelease == "" {
		return "GA"
	}
	return strings.ToUpper(preRelease)
}

// holding returns the state at the version of the release; a checkout is at the newest.
func (t tree) holding(history []GateState) (now GateState, holds bool) {
	for _, s := range history {
		if t.version == "" || compareVersions(s.Version, t.version) <= 0 {
			now, holds = s, true
		}
	}
	return now, holds
}

// compareVersions compares minor versions: 1.9 is before 1.36, and v1.36.3 is of 1.36. "" is
// before all.
func compareVersions(a, b string) int {
	x, errA := goversion.NewVersion(a)
	y, errB := goversion.NewVersion(b)
	if errA != nil || errB != nil {
		return strings.Compare(a, b)
	}
	return slices.Compare(x.Segments()[:2], y.Segments()[:2])
}

// The file and the variable with the gates that each gate needs.
const (
	gateSource       = "pkg/features/kube_features.go"
	gateDependencies = "defaultKubernetesFeatureGateDependencies"
)

// readGateDependencies adds what gates need. It follows readGates.
func readGateDependencies(t tree, into *Facts) error {
	file, err := t.parse(gateSource)
	if err != nil {
		return err
	}
	literal := variable(file, gateDependencies)
	if literal == nil {
		return fmt.Errorf("%s: the release declares no %s", gateSource, gateDependencies)
	}
	names := gateNames{tree: t, imported: imports(file), gates: into.Gates}
	var failed []error
	for _, e := range literal.Elts {
		if pair, is := e.(*ast.KeyValueExpr); is {
			failed = append(failed, names.note(pair))
		}
	}
	return errors.Join(failed...)
}

// gateNames resolves the names of gates in a file.
type gateNames struct {
	tree     tree
	imported map[string]string
	gates    map[string]Gate
}

// note adds what one gate needs: gate: {other, pkg.Another}.
func (n gateNames) note(pair *ast.KeyValueExpr) error {
	gate, err := n.of(pair.Key)
	if err != nil {
		return err
	}
	list, is := pair.Value.(*ast.CompositeLit)
	if !is {
		return fmt.Errorf("%s: what %s needs is no list", gateSource, gate)
	}
	of, known := n.gates[gate]
	for _, e := range list.Elts {
		need, err := n.of(e)
		if err != nil {
			return err
		}
		of.Needs = append(of.Needs, need)
	}
	if known {
		n.gates[gate] = of
	}
	return nil
}

// of returns the gate that an expression names. Most gates are declared in other modules, by
// constants with the name of the gate.
func (n gateNames) of(e ast.Expr) (string, error) {
	if call, is := e.(*ast.CallExpr); is && len(call.Args) == 1 { // a conversion of types
		return n.of(call.Args[0])
	}
	name := ""
	switch e := e.(type) {
	case *ast.Ident:
		name = e.Name
	case *ast.SelectorExpr:
		name = e.Sel.Name
	}
	if _, is := n.gates[name]; is {
		return name, nil
	}
	return n.tree.named(e, serverModule+"/pkg/features", n.imported)
}

// EveryGate returns the switches of --feature-gates that have a server with gates of these
// stages (ALPHA, BETA) switch on all that are not stable. Nil: it has no such gates.
func EveryGate(stages []string) map[string]bool {
	var on map[string]bool
	for _, stage := range stages {
		if all := map[string]string{"ALPHA": "AllAlpha", "BETA": "AllBeta"}[stage]; all != "" {
			if on == nil {
				on = map[string]bool{}
			}
			on[all] = true
		}
	}
	return on
}
