package main

import (
	"os"

	"github.com/skewsim/skewsim/servers/frobber/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
