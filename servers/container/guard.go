package container

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/moby/moby/client"
)

// goneWithin bounds how long a guard takes to end when nothing is left to do.
const goneWithin = 10 * time.Second

// guard is the process that removes a run's containers when its owner has ended. The
// owner holds the other end of its standard input, which the kernel closes with it,
// and tells there which containers it is about to have created: one whose request is
// under way is in no list yet.
type guard struct {
	process *exec.Cmd
	mu      sync.Mutex
	orders  io.WriteCloser
}

// The first letters of what a guard is told.
const (
	beginning = "+" // a container of that name may come into being
	settled   = "-" // it has, or never will
)

// startGuard starts the guard of a run.
func startGuard(command []string, run, host string) (*guard, error) {
	if len(command) == 0 {
		return nil, errors.New("no command for it is given")
	}
	// Not of package process, whose children end with their parent.
	c := exec.Command(command[0], append(command[1:len(command):len(command)], run)...)
	c.Args[0] = "skewsim"
	c.Dir = "/"                                       // it keeps no other directory from being removed
	c.Env = append(os.Environ(), "DOCKER_HOST="+host) // the very engine, and how it lets one in
	c.SysProcAttr = session()
	orders, err := c.StdinPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, err
	}
	return &guard{process: c, orders: orders}, nil
}

// tell writes one line. A guard that is gone cannot be told; the next run's sweep
// stands in for it.
func (g *guard) tell(what, container string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = fmt.Fprintln(g.orders, what+container)
}

// close lets the guard end, and waits for that.
func (g *guard) close() error {
	g.mu.Lock()
	err := g.orders.Close()
	g.mu.Unlock()
	limit := time.AfterFunc(goneWithin, func() { _ = g.process.Process.Kill() })
	defer limit.Stop()
	if waitErr := g.process.Wait(); waitErr != nil {
		err = errors.Join(err, fmt.Errorf("containers: the guard that removes them: %w", waitErr))
	}
	return err
}

// leave lets the guard do what its owner could not, and waits for nothing.
func (g *guard) leave() {
	g.mu.Lock()
	_ = g.orders.Close()
	g.mu.Unlock()
	go func() { _ = g.process.Wait() }()
}

// Guard is what the command of Config.Guard does: it waits until its standard input,
// orders, ends, and then removes every container of the run, for which it asks the engine
// again and again where that does not answer. It heeds no signal that
// asks it to end, for these reach the owner too, who may have to be waited for.
func Guard(run string, orders io.Reader) error {
	ignoreSignals()
	unsettled := await(orders)
	ctx, cancel := context.WithTimeout(context.Background(), removedWithin)
	defer cancel()
	api, err := client.New(client.FromEnv)
	if err != nil {
		return err
	}
	defer api.Close()
	return insist(ctx, func() error { return removeAll(ctx, api, ownedBy(run), unsettled) })
}

// await reads until the owner has ended, and gives the names of the containers that
// may still come into being.
func await(orders io.Reader) map[string]bool {
	unsettled := map[string]bool{}
	for lines := bufio.NewScanner(orders); lines.Scan(); {
		if container, is := strings.CutPrefix(lines.Text(), beginning); is {
			unsettled[container] = true
		} else if container, is := strings.CutPrefix(lines.Text(), settled); is {
			delete(unsettled, container)
		}
	}
	return unsettled
}
