package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"nightshift/client"
)

func newLoginCmd() *cobra.Command {
	return &cobra.Command{
		Use: "login URL", Short: tr("Sign in to a server with an API token", "API tokenでサーバーにサインインする"), Args: cobra.ExactArgs(1),
		Example: "  nightshift login http://127.0.0.1:8420\n  nightshift login https://nightshift.example < token.txt",
		RunE: func(cmd *cobra.Command, args []string) error {
			url := strings.TrimRight(args[0], "/")
			secret, err := askToken(cmd, url)
			if err != nil {
				return err
			}
			c, err := client.New(url, secret)
			if err != nil {
				return usageError{err}
			}
			me, err := client.Whoami(cmd.Context(), c)
			if err != nil {
				return err
			}
			if me.Viewer == nil || me.Viewer.User == nil {
				return errors.New(tr("the server does not know this token: make a new one on the Account page", "サーバーはこのtokenを知りません。アカウントの画面で新しく作ってください"))
			}
			if err := (config{URL: url, Token: secret}).write(); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), tr("Signed in to %s as %s.\n", "%s に %s としてサインインしました。\n"), url, safe(me.Viewer.User.Name))
			return nil
		},
	}
}

func askToken(cmd *cobra.Command, url string) (string, error) {
	if f, ok := cmd.InOrStdin().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprintf(cmd.ErrOrStderr(), tr("Make an API token at %s/account and paste it here: ", "%s/account でAPI tokenを作り、ここに貼り付けてください: "), url)
		b, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(cmd.ErrOrStderr())
		return strings.TrimSpace(string(b)), err
	}
	line, err := bufio.NewReader(io.LimitReader(cmd.InOrStdin(), 4096)).ReadString('\n')
	if line = strings.TrimSpace(line); line == "" {
		return "", errors.New(tr("no token on standard input", "標準入力にtokenがありません"))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	return line, nil
}

func newLogoutCmd() *cobra.Command {
	return &cobra.Command{
		Use: "logout", Short: tr("Forget the stored token", "保存したtokenを消す"), Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			name, err := configFile()
			if err != nil {
				return err
			}
			if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
				return err
			}
			fmt.Fprintln(cmd.OutOrStdout(), tr("The token is forgotten here; it still works elsewhere until it is revoked.", "ここのtokenを消しました。失効させるまで、ほかでは使えます。"))
			return nil
		},
	}
}
