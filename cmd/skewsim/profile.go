package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/sim/client"
)

// profile is the hidden flag --profile of every command: where it says so, the directory gets what a
// question about speed needs. cpu.pprof and heap.pprof are of skewsim's own process, for "go tool pprof";
// usage.json has the time, the CPU time by owner (skewsim, and the servers and compilers that it started), and how many
// servers were started and requests sent.
type profile struct {
	dir   string
	began time.Time
	cpu   *os.File
}

func (p *profile) bind(root *cobra.Command) {
	root.PersistentFlags().StringVar(&p.dir, "profile", "", "write profiles of skewsim itself into this `directory`")
	if err := root.PersistentFlags().MarkHidden("profile"); err != nil {
		panic(err) // it was added above
	}
}

// start begins to sample, if the flag is set.
func (p *profile) start() error {
	if p.dir == "" {
		return nil
	}
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fault.ByUser(fmt.Errorf("--profile: %w", err))
	}
	f, err := os.Create(filepath.Join(p.dir, "cpu.pprof"))
	if err != nil {
		return fault.ByUser(fmt.Errorf("--profile: %w", err))
	}
	p.cpu, p.began = f, time.Now()
	return pprof.StartCPUProfile(f)
}

// stop writes what start began, once the command has ended, however it did.
func (p *profile) stop() error {
	if p.cpu == nil {
		return nil
	}
	pprof.StopCPUProfile()
	return errors.Join(p.cpu.Close(), p.writeHeap(), p.writeUsage())
}

func (p *profile) writeHeap() error {
	f, err := os.Create(filepath.Join(p.dir, "heap.pprof"))
	if err != nil {
		return err
	}
	return errors.Join(pprof.Lookup("heap").WriteTo(f, 0), f.Close())
}

// usageFile is the file of a profile that has what the command used.
const usageFile = "usage.json"

// usage is what a command used: CPU time in seconds, by owner.
type usage struct {
	Wall float64 `json:"wall"` // seconds
	CPU  struct {
		Skewsim float64 `json:"skewsim"`
		Servers float64 `json:"servers"` // that skewsim started, and compilers
	} `json:"cpu"`
	Memory    int64   `json:"memory"`    // bytes that skewsim held, at its highest
	Collector float64 `json:"collector"` // its share of the CPU time that was there for skewsim
	Starts    int     `json:"starts"`    // of API servers
	Calls     int64   `json:"calls"`     // requests to API servers by skewsim itself, without those of typed clients
}

func (p *profile) writeUsage() error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	u := usage{Wall: time.Since(p.began).Seconds(), Collector: memory.GCCPUFraction, Starts: apiserver.Started(), Calls: client.Sent()}
	if used, known := machine.Used(); known {
		u.CPU.Skewsim, u.CPU.Servers, u.Memory = used.CPU.Seconds(), used.Children.Seconds(), used.Memory
	}
	text, err := json.MarshalIndent(u, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(p.dir, usageFile), append(text, '\n'), 0o600)
}
