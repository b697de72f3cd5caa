package main

import "github.com/spf13/cobra"

func addClientCommands(*cobra.Command) {}
func clientExitCode(error) int         { return 1 }
func newAdminCmd() *cobra.Command      { return &cobra.Command{Use: "admin"} }
