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

// goneWithin bounds the time that a guard takes to end when nothing is left to do.
const goneWithin = 10 * time.Second

// guard is the process that removes a run's containers when its owner has ended. The owner
// holds the other end of its standard input, which the kernel closes with the owner, and writes
// the name of each container there before it requests it, because no list contains a container
// whose request is in flight.
type guard struct {
	process *exec.Cmd
	mu      sync.Mutex
	orders  io.WriteCloser
}

// The prefixes of the lines that a guard reads.
const (
	beginning = "+" // a container of that name may be created
	settled   = "-" // it exists, or never will
)

// startGuard starts the guard of a run.
func startGuard(command []string, run, host string) (*guard, error) {
	if len(command) == 0 {
		return nil, errors.New("no command is configured")
	}
	// Not package process, whose children end with their parent.
	c := exec.Command(command[0], append(command[1:len(command):len(command)], run)...)
	c.Args[0] = "skewsim"
	c.Dir = "/"                                       // so that other directories can be removed
	c.Env = append(os.Environ(), "DOCKER_HOST="+host) // the same engine and credentials
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

// tell writes one line. It ignores errors: if the guard has ended, the next run's sweep does
// its work.
func (g *guard) tell(what, container string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, _ = fmt.Fprintln(g.orders, what+container)
}

// close waits until the guard has ended.
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

// leave lets the guard finish what its owner could not, without waiting.
func (g *guard) leave() {
	g.mu.Lock()
	_ = g.orders.Close()
	g.mu.Unlock()
	go func() { _ = g.process.Wait() }()
}

// Guard implements the command of Config.Guard: it waits until its standard input, orders,
// ends, and then removes every container of the run, and retries while the engine does not
// answer. It ignores signals that ask it to end, because these reach the owner too, and the
// owner may need time.
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
	return retry(ctx, func() error { return removeAll(ctx, api, ownedBy(run), unsettled) })
}

// await reads until the owner has ended, and returns the names of the containers that may still
// be created.
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
