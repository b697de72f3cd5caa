package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
)

func newWorkerInstallCmd() *cobra.Command {
	var c workerConfig
	var to string
	cmd := &cobra.Command{
		Use: "install", Short: tr("Print a systemd unit for this worker, or write it", "このworkerのsystemdユニットを出力または書き込む"), Args: cobra.NoArgs,
		Example: "  nightshift worker install --url https://nightshift.example.org --token-file /etc/nightshift/worker.token --computer gpu-1 --write /etc/systemd/system/nightshift-worker.service",
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := c.unit()
			if err != nil {
				return err
			}
			if to == "" {
				_, err := fmt.Fprint(cmd.OutOrStdout(), text)
				return err
			}
			if err := os.WriteFile(to, []byte(text), 0o644); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), tr("Written. Now:\n  systemctl daemon-reload\n  systemctl enable --now %s\n", "書き込みました。次に実行:\n  systemctl daemon-reload\n  systemctl enable --now %s\n"), filepath.Base(to))
			return nil
		},
	}
	c.flags(cmd)
	cmd.Flags().StringVar(&to, "write", "", tr("write the unit to this file", "ユニットをこのファイルに書く"))
	return cmd
}

// unit is a systemd unit. KillMode=process: stopping the worker must not stop the jobs.
func (c *workerConfig) unit() (string, error) {
	if c.url == "" || c.computer == "" || c.tokenFile == "" {
		return "", usageError{errors.New(tr("--url, --computer and --token-file are needed: a token never stands in a unit itself", "--url、--computer、--token-fileが必要です（tokenをユニットに書くことはありません）"))}
	}
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	token, err := filepath.Abs(c.tokenFile)
	if err != nil {
		return "", err
	}
	state, err := filepath.Abs(c.state)
	if err != nil {
		return "", err
	}
	args := []string{self, "worker", "--url", c.url, "--token-file", token, "--computer", c.computer, "--state", state}
	for _, f := range []struct{ flag, value string }{{"--name", c.name}, {"--work-folder", c.workFolder}, {"--run-as", c.runAs}} {
		if f.value != "" {
			args = append(args, f.flag, f.value)
		}
	}
	if c.concurrency > 0 {
		args = append(args, "--concurrency", strconv.Itoa(c.concurrency))
	}
	for i, a := range args {
		if strings.ContainsAny(a, "\n\r\x00") {
			return "", usageError{fmt.Errorf("%q cannot stand in a unit", a)}
		}
		args[i] = quoteUnit(a)
	}
	return `[Unit]
Description=Nightshift worker
Wants=network-online.target
After=network-online.target

[Service]
ExecStart=` + strings.Join(args, " ") + `
# Running jobs go on when the worker is stopped or replaced; the next one takes them over.
KillMode=process
Restart=on-failure
RestartSec=5
TimeoutStopSec=30
Delegate=yes

[Install]
WantedBy=multi-user.target
`, nil
}

// quoteUnit writes an argument as systemd reads it.
func quoteUnit(s string) string {
	s = strings.NewReplacer("%", "%%", "$", "$$").Replace(s)
	if s != "" && !strings.ContainsAny(s, " \t\"'\\;") {
		return s
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
