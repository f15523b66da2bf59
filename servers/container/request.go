package container

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/moby/moby/api/types/container"
	"github.com/moby/moby/api/types/mount"
	"github.com/testcontainers/testcontainers-go"
)

// Spec is a container as it is to be run.
type Spec struct {
	// Image is an ID, sha256:HEX: names move.
	Image string
	// Command is the executable, looked up in the image's PATH where it has no slash,
	// and its arguments.
	Command []string
	// Env are variables besides the image's own, each as NAME=VALUE.
	Env []string
	// Reads are files and directories of this machine that it may read, under the same
	// paths; Writes are directories that it may write.
	Reads, Writes []string
	// Scratch are directories of its own, empty at first and gone with it; /tmp always is.
	Scratch []string
	// Offline keeps it from every network; else it is on this machine's.
	Offline bool
}

// request is the spec in testcontainers' words.
func (e *Engine) request(name string, s Spec) testcontainers.ContainerRequest {
	return testcontainers.ContainerRequest{
		Name: name, Image: s.Image, Entrypoint: s.Command[:1], Cmd: s.Command[1:], Env: variables(s.Env),
		Labels: map[string]string{runLabel: e.run, ownerLabel: e.owner},
		ConfigModifier: func(c *container.Config) {
			// As a process here would run: it reads files that only this user may, and
			// shares a port with a socket of this user.
			c.User = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
			c.AttachStdout, c.AttachStderr = true, true
			c.Healthcheck = &container.HealthConfig{Test: []string{"NONE"}} // an image's own only costs time
		},
		HostConfigModifier: func(h *container.HostConfig) { e.confine(h, s) },
	}
}

// confine takes from a container all that it does not need.
func (e *Engine) confine(h *container.HostConfig, s Spec) {
	h.NetworkMode = "host" // stores and gates listen on loopback
	if s.Offline {
		h.NetworkMode = "none"
	}
	h.UsernsMode = "host" // another one's users cannot read what is this user's
	h.AutoRemove = true
	h.LogConfig = container.LogConfig{Type: "none"} // its output is read as it comes
	h.ReadonlyRootfs = true
	h.CapDrop = []string{"ALL"}
	h.SecurityOpt = []string{"no-new-privileges"}
	if hasOption(e.info, "selinux") {
		h.SecurityOpt = append(h.SecurityOpt, "label=disable") // it could read no file of this user's otherwise
	}
	for _, path := range s.Reads {
		h.Mounts = append(h.Mounts, mount.Mount{Type: mount.TypeBind, Source: path, Target: path, ReadOnly: true})
	}
	for _, path := range s.Writes {
		h.Mounts = append(h.Mounts, mount.Mount{Type: mount.TypeBind, Source: path, Target: path})
	}
	h.Tmpfs = map[string]string{"/tmp": "mode=1777"}
	for _, path := range s.Scratch {
		h.Tmpfs[path] = fmt.Sprintf("mode=0700,uid=%d,gid=%d", os.Getuid(), os.Getgid())
	}
}

func variables(env []string) map[string]string {
	all := map[string]string{}
	for _, v := range env {
		name, value, _ := strings.Cut(v, "=")
		all[name] = value
	}
	return all
}

// named are the files of this machine that flags name, other than those in dir:
// --tls-cert-file=/run/tls.crt. What is not there is not mounted, and the server says
// what it misses.
func named(arguments []string, dir string) (files []string) {
	seen := map[string]bool{}
	for _, flag := range arguments {
		_, path, _ := strings.Cut(flag, "=")
		if !strings.HasPrefix(flag, "--") || !filepath.IsAbs(path) || dir != "" && within(path, dir) {
			continue
		}
		path = filepath.Clean(path)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && !seen[path] {
			seen[path] = true
			files = append(files, path)
		}
	}
	return files
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
