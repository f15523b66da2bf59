package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// serverFolders are the folders of the server's module, and the other modules, that
// kube-apiserver consists of. Other components, such as kubelet, use the rest.
func serverFolders() []string {
	all := []string{"k8s.io/apiserver/pkg", "k8s.io/apiextensions-apiserver/pkg", "k8s.io/kube-aggregator/pkg"}
	for _, folder := range []string{
		"pkg/api", "pkg/apis", "pkg/registry", "pkg/kubeapiserver", "pkg/controlplane", "pkg/serviceaccount", "pkg/auth", "pkg/quota",
		"plugin/pkg/admission", "plugin/pkg/auth", "cmd/kube-apiserver",
	} {
		all = append(all, serverModule+"/"+folder)
	}
	return all
}

// gateUse matches the name of a gate where source uses it: features.Name,
// genericfeatures.Name.
var gateUse = regexp.MustCompile(`\b\w*[fF]eatures\.([A-Z]\w+)`)

// readGateUses adds which packages of the server use each gate. It follows readGates.
func readGateUses(t tree, into *Facts) error {
	if len(into.Gates) == 0 {
		return fmt.Errorf("the names of the gates are not known")
	}
	uses := map[string]map[string]bool{}
	for _, at := range serverFolders() {
		folder, err := t.folder(at)
		if err != nil {
			return err
		}
		if err := usesBelow(folder, at, uses); err != nil {
			return err
		}
	}
	for name, in := range uses {
		if gate, is := into.Gates[name]; is {
			gate.UsedIn = slices.Sorted(maps.Keys(in))
			into.Gates[name] = gate
		}
	}
	return nil
}

// usesBelow notes the packages in a folder that use gates.
func usesBelow(folder, importPath string, uses map[string]map[string]bool) error {
	return filepath.WalkDir(folder, func(at string, d fs.DirEntry, err error) error {
		switch {
		case os.IsNotExist(err):
			return nil // not every release has each of the folders
		case err != nil:
			return err
		case d.IsDir() && isNoPackage(d.Name()):
			return filepath.SkipDir
		case d.IsDir() || !isSource(d):
			return nil
		}
		text, err := os.ReadFile(at)
		if err != nil {
			return err
		}
		below, err := filepath.Rel(folder, filepath.Dir(at))
		if err != nil {
			return err
		}
		noteUses(text, strings.TrimPrefix(path.Join(importPath, filepath.ToSlash(below)), serverModule+"/"), uses)
		return nil
	})
}

// noteUses notes the gates that the text of a file uses.
func noteUses(text []byte, pkg string, uses map[string]map[string]bool) {
	if !bytes.Contains(text, []byte("eatures.")) {
		return
	}
	for _, found := range gateUse.FindAllSubmatch(text, -1) {
		name := string(found[1])
		if uses[name] == nil {
			uses[name] = map[string]bool{}
		}
		uses[name][pkg] = true
	}
}
