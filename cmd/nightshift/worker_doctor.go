package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"nightshift/client"
	"nightshift/worker"
)

// finding is one thing the doctor looked at: fine, or what is wrong and what to do.
type finding struct {
	what string
	err  error // nil: fine
	note string
}

func newWorkerDoctorCmd() *cobra.Command {
	var c workerConfig
	cmd := &cobra.Command{
		Use: "doctor", Short: tr("Say what keeps this host's worker from working, and what to do", "workerが動かない原因と対処を示す"), Args: cobra.NoArgs,
		Example: "  nightshift worker doctor --url https://nightshift.example.org --token-file worker.token --computer gpu-1",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), time.Minute)
			defer cancel()
			if report(cmd.OutOrStdout(), examine(ctx, &c)) > 0 {
				return exitCode(1)
			}
			return nil
		},
	}
	c.flags(cmd)
	return cmd
}

func report(out io.Writer, fs []finding) (bad int) {
	for _, f := range fs {
		if f.err != nil {
			bad++
			fmt.Fprintf(out, "✗ %s: %v\n", f.what, f.err)
			continue
		}
		line := "✓ " + f.what
		if f.note != "" {
			line += ": " + f.note
		}
		fmt.Fprintln(out, line)
	}
	return bad
}

func examine(ctx context.Context, c *workerConfig) []finding {
	o, err := c.options()
	out := []finding{{what: tr("settings", "設定"), err: err}}
	if err == nil {
		out = append(out, examineServer(ctx, o)...)
	}
	return append(out, examineState(c.state), examineRunAs(c.runAs), examineWorkFolder(c), examineGPUs(ctx))
}

func examineServer(ctx context.Context, o worker.Options) []finding {
	f := finding{what: tr("server", "サーバー")}
	api, err := client.New(o.URL, o.Token, client.WithUserAgent("nightshift-worker/"+o.Version))
	if err != nil {
		f.err = err
		return []finding{f}
	}
	defer api.Close()
	began := time.Now()
	s, err := client.WorkerServer(ctx, api)
	if err != nil {
		f.err = err
		if client.Unanswered(err) {
			f.err = fmt.Errorf(tr("%w. Check the address, the network and a proxy (HTTPS_PROXY)", "%w。アドレス、ネットワーク、プロキシ (HTTPS_PROXY) を確かめてください"), err)
		}
		return []finding{f}
	}
	f.note = fmt.Sprintf("%s, %s, %d ms", api.URL(), s.Server.Version, time.Since(began).Milliseconds())
	t := finding{what: "token"}
	switch {
	case s.Viewer == nil:
		t.err = errors.New(tr("the server does not know it: it is wrong, expired or revoked. Make a new one on the computer's page", "サーバーがこのtokenを知りません（誤り、期限切れ、取り消し）。コンピュータのページで作り直してください"))
	case s.Viewer.Kind != client.ViewerKindWorker:
		t.err = fmt.Errorf(tr("this is a token of the kind %s; a worker needs a worker token, from the computer's page", "種類が%sのtokenです。コンピュータのページで作るworkerのtokenが必要です"), s.Viewer.Kind)
	}
	cf := finding{what: tr("computer", "コンピュータ") + " " + o.Computer}
	found, err := client.WorkerComputer(ctx, api, o.Computer)
	switch {
	case err != nil:
		cf.err = err
	case found.Computer == nil:
		cf.err = errors.New(tr("the token is not for a computer of this name. Check --computer", "このtokenはこの名前のコンピュータ用ではありません。--computerを確かめてください"))
	case !found.Computer.Enabled:
		cf.err = errors.New(tr("it is disabled: its owner or an administrator can enable it", "無効になっています。所有者か管理者が有効にできます"))
	}
	return []finding{f, t, cf}
}

const lowPercent = 5 // below it output of jobs is dropped

func examineState(dir string) finding {
	f := finding{what: tr("state folder", "状態フォルダー") + " " + dir}
	if s, err := worker.ReadStatus(dir); err == nil && s.Running {
		f.note = fmt.Sprintf(tr("in use by the worker with process id %d", "プロセス%dのworkerが使用中"), s.PID)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		f.err = fmt.Errorf(tr("%w. Choose another with --state, or make it writable", "%w。--stateで別のフォルダーを選ぶか、書き込めるようにしてください"), err)
		return f
	}
	probe := filepath.Join(dir, "probe")
	if err := os.WriteFile(probe, nil, 0o600); err != nil {
		f.err = fmt.Errorf(tr("it cannot be written: %w", "書き込めません: %w"), err)
		return f
	}
	os.Remove(probe)
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) == nil && st.Blocks > 0 {
		if percent := 100 * st.Bavail / st.Blocks; percent < lowPercent {
			f.err = fmt.Errorf(tr("only %d%% of its disk is free; below %d%% the output of jobs is dropped. Free some, or choose another with --state", "ディスクの空きが%d%%です。%d%%を下回るとJobの出力が捨てられます。空きを増やすか、--stateで別のフォルダーを選んでください"), percent, lowPercent)
		}
	}
	return f
}

func examineRunAs(name string) finding {
	f := finding{what: tr("user of the jobs", "Jobのユーザー")}
	if name != "" {
		if _, err := user.Lookup(name); err != nil {
			f.err = fmt.Errorf(tr("there is no user %q on this host", "このホストにユーザー%qがいません"), name)
		} else if os.Getuid() != 0 {
			f.err = errors.New(tr("--run-as needs a worker run by root", "--run-asにはrootで動くworkerが必要です"))
		}
		f.note = name
		return f
	}
	if u, err := user.Current(); err == nil {
		f.note = u.Username
	}
	if os.Getuid() == 0 {
		f.note += tr(" (whoever may launch on this computer is root on it: consider --run-as)", "（このコンピュータでJobを投入できる人は全員rootになります。--run-asを検討してください）")
	}
	return f
}

func examineWorkFolder(c *workerConfig) finding {
	f := finding{what: tr("work folder", "作業フォルダー")}
	if c.workFolder == "" {
		f.note = tr("the computer's setting, else the user's home", "コンピュータの設定、なければホーム")
		return f
	}
	f.note = c.workFolder
	if strings.HasPrefix(c.workFolder, "~") {
		return f
	}
	if fi, err := os.Stat(c.workFolder); err != nil || !fi.IsDir() {
		f.err = fmt.Errorf(tr("%s is no folder: make it, or choose another with --work-folder", "%sはフォルダーではありません。作るか、--work-folderで別のものを選んでください"), c.workFolder)
	}
	return f
}

func examineGPUs(ctx context.Context) finding {
	f := finding{what: "GPU"}
	gpus, err := worker.DiscoverGPUs(ctx)
	switch {
	case errors.Is(err, worker.ErrNoGPUs):
		f.note = tr("none", "なし")
	case err != nil:
		f.err = err
	default:
		var names []string
		for _, g := range gpus {
			names = append(names, fmt.Sprintf("%d %s", g.Index, g.Name))
		}
		f.note = strings.Join(names, ", ")
	}
	return f
}
