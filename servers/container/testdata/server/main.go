// Command server stands in for an API server in tests of containers: it does what its
// first flag says.
package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	verb, value, _ := strings.Cut(os.Args[len(os.Args)-1], "=")
	switch verb {
	case "--version":
		fmt.Println("Kubernetes v1.36.1")
	case "--dial":
		dial(value)
	case "--look":
		look(value)
	case "--complain":
		fmt.Println("to say")
		fmt.Fprintln(os.Stderr, "to complain of")
		os.Exit(3)
	case "--deaf":
		signal.Ignore(syscall.SIGTERM)
		fallthrough
	case "--serve":
		stop := make(chan os.Signal, 1)
		signal.Notify(stop, syscall.SIGTERM)
		fmt.Println("serving")
		if verb == "--deaf" {
			signal.Reset(syscall.SIGTERM)
			signal.Ignore(syscall.SIGTERM)
		}
		<-stop
		fmt.Println("stopped")
	}
}

// dial tells whether an address of this network answers.
func dial(address string) {
	c, err := net.Dial("tcp", address)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	_ = c.Close()
	fmt.Println("answered")
}

// look tells who this is, what it may do, and what of a directory it can read and
// write.
func look(dir string) {
	status, _ := os.ReadFile("/proc/self/status")
	for _, line := range strings.Split(string(status), "\n") {
		if strings.HasPrefix(line, "CapEff:") || strings.HasPrefix(line, "CapBnd:") || strings.HasPrefix(line, "NoNewPrivs:") {
			fmt.Println(strings.Join(strings.Fields(line), " "))
		}
	}
	fmt.Println("user", os.Getuid(), os.Getgid())
	text, err := os.ReadFile(dir + "/secret")
	fmt.Printf("secret %s %v\n", text, err)
	for _, path := range []string{dir + "/mine", "/mine", "/tmp/mine"} {
		fmt.Println("write", os.WriteFile(path, nil, 0o600))
	}
}
