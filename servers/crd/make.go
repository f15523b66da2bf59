package crd

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"

	"github.com/skewsim/skewsim/servers"
)

// Component is the Component of the builds that Make returns.
const Component = "crd"

// Make makes a build from the content of a folder, installed on a server's build. Its version
// is that of the module, or the folder's name. The program converts its objects; nil: rules do,
// if anything does.
func Make(ref servers.Reference, set Set, server servers.Build, program *servers.Program) (servers.Build, error) {
	i := &servers.Installation{Server: server, Program: program}
	var admits []string
	if program != nil {
		admits = program.Admits
	}
	admission, leftOut, err := admitted(set.Admission, admits)
	if err != nil {
		return servers.Build{}, err
	}
	i.LeftOut = leftOut
	if program != nil {
		asked := *program
		asked.Admission = admission
		i.Program = &asked
	}
	for _, d := range set.Definitions {
		i.Objects = append(i.Objects, d.JSON)
		i.Defines = append(i.Defines, d.Name)
	}
	if len(set.Conversion) > 0 {
		var err error
		if i.Conversion, err = json.Marshal(set.Conversion); err != nil {
			return servers.Build{}, err
		}
	}
	return servers.Build{
		Reference: ref.String(), Component: Component, Version: VersionOf(ref), Path: server.Path, Digest: digest(i), Installs: i,
	}, nil
}

// VersionOf returns the version of a release that is a folder: that of its module, or the name of
// the folder, with as much of its path as the run's other releases make necessary.
func VersionOf(ref servers.Reference) string {
	return cmp.Or(ref.Version, ref.Manifests.Name, path.Base(path.Clean(ref.Path)))
}

// Forget returns a build whose manifests were not applied: its servers have the manifests of
// served, and its clients those of b.
func Forget(b, served servers.Build) servers.Build {
	forgotten := *served.Installs
	forgotten.Clients = &b
	return servers.Build{
		Reference: b.Reference, Component: Component, Version: b.Version + " (forgotten)",
		Path: served.Path, Digest: served.Digest, Installs: &forgotten,
	}
}

// digest identifies the server together with all that is installed on it.
func digest(i *servers.Installation) string {
	sum := sha256.New()
	sum.Write([]byte(i.Server.Digest))
	for _, o := range i.Objects {
		part := sha256.Sum256(o)
		sum.Write(part[:])
	}
	sum.Write(i.Conversion)
	if i.Program != nil {
		sum.Write([]byte("program " + i.Program.Digest))
		for _, c := range i.Program.Admission {
			part := sha256.Sum256(c.JSON)
			sum.Write(part[:])
		}
	}
	return hex.EncodeToString(sum.Sum(nil))
}
