package main

import (
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"nightshift/server"
)

// serverConfig is what a server is told: flags first, then NIGHTSHIFT_* variables, then defaults.
type serverConfig struct {
	listen, data, database, base, url string
	hosts, origins                    []string
	localExecutor                     bool
	jsonLog                           bool
}

func (c *serverConfig) flags(cmd *cobra.Command, localExecutor bool) {
	f := cmd.Flags()
	f.StringVar(&c.listen, "listen", env("NIGHTSHIFT_LISTEN", "127.0.0.1:8420"), tr("host:port to listen on", "待ち受けるhost:port"))
	f.StringVar(&c.data, "data", env("NIGHTSHIFT_DATA", defaultData()), tr("data folder", "データフォルダー"))
	f.StringVar(&c.database, "database", env("NIGHTSHIFT_DATABASE_URL", ""), tr("postgres://… instead of the embedded database", "組み込みデータベースの代わりに使うpostgres://…"))
	f.StringVar(&c.base, "base-path", env("NIGHTSHIFT_BASE_PATH", ""), tr("path below which everything is served, such as /jobs", "公開するパス（例: /jobs）"))
	f.StringVar(&c.url, "url", env("NIGHTSHIFT_PUBLIC_URL", ""), tr("address under which people reach this server, where a proxy stands before it", "プロキシの前に立つときの、利用者から見たURL"))
	f.StringSliceVar(&c.hosts, "allowed-hosts", list(env("NIGHTSHIFT_ALLOWED_HOSTS", "")), tr("further names this server is called by", "このサーバーの別のホスト名"))
	f.StringSliceVar(&c.origins, "allowed-origins", list(env("NIGHTSHIFT_ALLOWED_ORIGINS", "")), tr("other sites whose pages may call the API with a token", "APIを呼んでよい別サイト"))
	f.BoolVar(&c.localExecutor, "allow-local-executor", env("NIGHTSHIFT_ALLOW_LOCAL_EXECUTOR", fmt.Sprint(localExecutor)) == "true", tr("let workers run jobs of LOCAL computers", "LOCALのコンピュータのJobの実行を許す"))
}

func (c *serverConfig) check() error {
	c.base = server.CleanBase(c.base)
	for _, o := range c.origins {
		if o == "*" {
			return usageError{fmt.Errorf("NIGHTSHIFT_ALLOWED_ORIGINS: name each site, such as https://lab.example; * would let every page on the web in")}
		}
	}
	if _, _, err := net.SplitHostPort(c.listen); err != nil {
		return usageError{fmt.Errorf("--listen %q: give host:port, such as 127.0.0.1:8420", c.listen)}
	}
	return nil
}

func env(name, otherwise string) string {
	if v, ok := os.LookupEnv(name); ok && v != "" {
		return v
	}
	return otherwise
}

func list(s string) []string {
	var out []string
	for _, x := range strings.Split(s, ",") {
		if x = strings.TrimSpace(x); x != "" {
			out = append(out, x)
		}
	}
	return out
}

func defaultData() string {
	if d := os.Getenv("XDG_DATA_HOME"); d != "" {
		return filepath.Join(d, "nightshift")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "nightshift-data"
	}
	return filepath.Join(home, ".local", "share", "nightshift")
}

func newServeCmd() *cobra.Command {
	var c serverConfig
	cmd := &cobra.Command{
		Use: "serve", Short: tr("Run the server alone, for real deployments", "サーバーだけを動かす（本番用）"), Args: cobra.NoArgs,
		Example: "  nightshift serve --listen 0.0.0.0:8420 --url https://nightshift.example\n  nightshift admin user create ada --admin",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(); err != nil {
				return err
			}
			log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
			h, err := open(cmd.Context(), c, log)
			if err != nil {
				return err
			}
			defer h.close()
			log.Info("serving", "url", h.url, "database", h.db.Place)
			return h.serve(cmd.Context())
		},
	}
	c.flags(cmd, false)
	return cmd
}
