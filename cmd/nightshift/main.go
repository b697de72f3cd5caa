// Command nightshift is the whole product in one binary: server, worker, command line and web app. This package only wires; it knows no rule.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"nightshift/worker/supervise"
)

// version is set by the linker.
var version = "dev"

func main() {
	// The supervisor of a job starts with every job: it must not wait for anything else to be set up.
	if len(os.Args) == 3 && os.Args[1] == "supervise" {
		os.Exit(supervise.Run(os.Args[2]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := newRoot().ExecuteContext(ctx)
	var code exitCode
	switch {
	case err == nil:
	case errors.As(err, &code):
		os.Exit(int(code))
	default:
		fmt.Fprintln(os.Stderr, "nightshift: "+err.Error())
		os.Exit(exitOf(err))
	}
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "nightshift", Short: tr("Runs jobs on your machines while you sleep, and tells you exactly what happened", "眠っている間に手元のマシンでジョブを動かし、何が起きたかを正確に伝えます"),
		Version: version, SilenceUsage: true, SilenceErrors: true,
	}
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		return usageError{fmt.Errorf("%w\n%s", err, tr("See nightshift "+c.Name()+" --help.", "nightshift "+c.Name()+" --help を参照してください。"))}
	})
	root.AddCommand(newUpCmd(), newServeCmd(), newWorkerCmd(), newAdminCmd())
	addClientCommands(root)
	return root
}

// exitCode ends the program with a code and no further words.
type exitCode int

func (e exitCode) Error() string { return fmt.Sprintf("exit %d", int(e)) }

// usageError is a wrong call: exit code 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func exitOf(err error) int {
	var u usageError
	if errors.As(err, &u) {
		return 2
	}
	return clientExitCode(err)
}
