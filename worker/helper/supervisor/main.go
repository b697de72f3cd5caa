// Command supervisor is the verb `nightshift supervise` alone; see package helper.
package main

import (
	"os"

	"nightshift/worker/supervise"
)

func main() {
	if len(os.Args) == 3 && os.Args[1] == "supervise" {
		os.Exit(supervise.Run(os.Args[2]))
	}
	if len(os.Args) != 2 || os.Args[1] != "probe" {
		os.Exit(2)
	}
}
