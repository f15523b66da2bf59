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

// Spec describes a container to run.
type Spec struct {
	// Image is an ID, sha256:HEX, because names can change their image.
	Image string
	// Command is the executable, looked up in the image's PATH if it has no slash, and its
	// arguments.
	Command []string
	// Env are variables beside those of the image, each as NAME=VALUE.
	Env []string
	// Reads are files and directories of this machine that the container can read under the
	// same paths; Writes are directories that it can write.
	Reads, Writes []string
	// Scratch are directories of the container, empty at first and removed with it; /tmp is
	// always one.
	Scratch []string
	// Offline disables all networks; otherwise the container uses this machine's network.
	Offline bool
}

// request converts the spec for testcontainers.
func (e *Engine) request(name string, s Spec) testcontainers.ContainerRequest {
	return testcontainers.ContainerRequest{
		Name: name, Image: s.Image, Entrypoint: s.Command[:1], Cmd: s.Command[1:],
		Labels: map[string]string{runLabel: e.run, ownerLabel: e.owner},
		ConfigModifier: func(c *container.Config) {
			// The user of this process, so that the container can read this user's files and
			// share a port with a socket of this user.
			c.User = fmt.Sprintf("%d:%d", os.Getuid(), os.Getgid())
			c.Env = append(c.Env, s.Env...)
			c.AttachStdout, c.AttachStderr = true, true
			c.Healthcheck = &container.HealthConfig{Test: []string{"NONE"}} // the image's health check is not used
		},
		HostConfigModifier: func(h *container.HostConfig) { e.confine(h, s) },
	}
}

// confine removes all privileges that the container does not need.
func (e *Engine) confine(h *container.HostConfig, s Spec) {
	h.NetworkMode = "host" // stores and gates listen on loopback
	if s.Offline {
		h.NetworkMode = "none"
	}
	h.UsernsMode = "host" // users of another namespace cannot read this user's files
	h.AutoRemove = true
	h.LogConfig = container.LogConfig{Type: "none"} // the output is streamed
	h.ReadonlyRootfs = true
	h.CapDrop = []string{"ALL"}
	h.SecurityOpt = []string{"no-new-privileges"}
	if hasOption(e.info, "selinux") {
		h.SecurityOpt = append(h.SecurityOpt, "label=disable") // otherwise it could not read this user's files
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

// named returns the files of this machine that flags name, except those in dir:
// --tls-cert-file=/run/tls.crt. Missing files are not mounted, and the server reports them.
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

// timeZones returns this machine's time zones. Servers in images see them instead of the
// image's own, so that the old and the new server use the same zones.
func timeZones() []string {
	const dir = "/usr/share/zoneinfo"
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	return []string{dir}
}

func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}
