package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/cobra"

	"nightshift/client"
)

// config is what the command line remembers between calls.
type config struct {
	URL     string `toml:"url"`
	Token   string `toml:"token"`
	Project string `toml:"project,omitempty"`
}

func configFile() (string, error) {
	if f := os.Getenv("NIGHTSHIFT_CONFIG"); f != "" {
		return f, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(dir, "nightshift", "config.toml"), nil
}

// readConfig takes the file, then what NIGHTSHIFT_* say instead.
func readConfig() (c config, err error) {
	name, err := configFile()
	if err != nil {
		return c, err
	}
	b, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c, err
	}
	if err == nil {
		if st, serr := os.Stat(name); serr == nil && st.Mode().Perm()&0o077 != 0 {
			return c, fmt.Errorf(tr("%s holds your token and can be read by others: run chmod 600 on it", "%s にはtokenが入っていますが、他の人も読めます。chmod 600 を実行してください"), name)
		}
		if err := toml.Unmarshal(b, &c); err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
	}
	c.URL, c.Token, c.Project = env("NIGHTSHIFT_URL", c.URL), env("NIGHTSHIFT_TOKEN", c.Token), env("NIGHTSHIFT_PROJECT", c.Project)
	return c, nil
}

func (c config) write() error {
	name, err := configFile()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	b, err := toml.Marshal(c)
	if err != nil {
		return err
	}
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, b, 0o600); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

// session is a connection with what the flags said.
type session struct {
	*client.Client
	config
	json bool
}

// remote are the flags of every command that talks to a server.
type remote struct{ url, project, output string }

func (r *remote) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&r.url, "url", "", tr("the server's address (NIGHTSHIFT_URL, or what login stored)", "サーバーのアドレス（NIGHTSHIFT_URL、またはloginで保存したもの）"))
	f.StringVarP(&r.project, "project", "p", "", tr("the project's key (NIGHTSHIFT_PROJECT; your first one by default)", "Projectのkey（NIGHTSHIFT_PROJECT。既定は最初のProject）"))
	f.StringVarP(&r.output, "output", "o", "table", "table|json")
}

func (r *remote) connect() (*session, error) {
	if r.output != "table" && r.output != "json" {
		return nil, usageError{fmt.Errorf("-o %s: table or json", r.output)}
	}
	c, err := readConfig()
	if err != nil {
		return nil, err
	}
	if r.url != "" {
		c.URL = r.url
	}
	if r.project != "" {
		c.Project = r.project
	}
	if c.URL == "" || c.Token == "" {
		return nil, errors.New(tr("not signed in: run nightshift login URL first, or set NIGHTSHIFT_URL and NIGHTSHIFT_TOKEN", "サインインしていません。先に nightshift login URL を実行するか、NIGHTSHIFT_URL と NIGHTSHIFT_TOKEN を設定してください"))
	}
	cl, err := client.New(c.URL, c.Token, client.WithUserAgent("nightshift/"+version))
	if err != nil {
		return nil, err
	}
	return &session{Client: cl, config: c, json: r.output == "json"}, nil
}

// projectKey is the project asked for, or the viewer's first.
func (s *session) projectKey(ctx context.Context) (string, error) {
	if s.Project != "" {
		return s.Project, nil
	}
	me, err := client.Whoami(ctx, s)
	if err != nil {
		return "", err
	}
	if len(me.Projects) == 0 {
		return "", errors.New(tr("you are not a member of any project: ask an administrator to add you", "どのProjectのメンバーでもありません。管理者に追加を頼んでください"))
	}
	s.Project = me.Projects[0].Key
	return s.Project, nil
}

// clientExitCode: 124 when the server was not reached, 1 for all else that went wrong.
func clientExitCode(err error) int {
	if client.Unanswered(err) {
		return 124
	}
	return 1
}
