package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/pprof"
	"time"

	"github.com/spf13/cobra"

	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/machine"
)

// profile is the hidden flag --profile of every command: where it says so, the directory gets what a
// question about speed needs. cpu.pprof and heap.pprof are of skewsim's own process, for "go tool pprof";
// usage.txt has the time, and the CPU time by owner: skewsim, and the servers and compilers that it started.
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

func (p *profile) writeUsage() error {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	text := fmt.Sprintf("wall %.1f s\n", time.Since(p.began).Seconds())
	if used, known := machine.Used(); known {
		text += fmt.Sprintf("skewsim %.1f CPU-s\nservers and builds %.1f CPU-s\nmemory of skewsim, at its highest %d MB\n",
			used.CPU.Seconds(), used.Children.Seconds(), used.Memory>>20)
	}
	text += fmt.Sprintf("collector %.1f %% of the CPU that was there, %d collections\n", 100*memory.GCCPUFraction, memory.NumGC)
	return os.WriteFile(filepath.Join(p.dir, "usage.txt"), []byte(text), 0o600)
}
