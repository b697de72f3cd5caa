package main

import "github.com/spf13/cobra"

func newAdminCmd() *cobra.Command { return &cobra.Command{Use: "admin"} }
