package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"nightshift/worker"
)

// workerConfig is what a worker is told: flags first, then NIGHTSHIFT_* variables, then defaults.
type workerConfig struct {
	url, tokenFile, computer, name, state, workFolder, runAs string
	concurrency, gpus                                        int
	jsonLog                                                  bool
}

func (c *workerConfig) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&c.url, "url", env("NIGHTSHIFT_URL", ""), tr("the server's address", "サーバーのアドレス"))
	f.StringVar(&c.tokenFile, "token-file", env("NIGHTSHIFT_TOKEN_FILE", ""), tr("file with the worker token; or set NIGHTSHIFT_TOKEN", "workerのtokenのファイル。またはNIGHTSHIFT_TOKEN"))
	f.StringVar(&c.computer, "computer", env("NIGHTSHIFT_COMPUTER", ""), tr("the computer this worker is for", "このworkerが担当するコンピュータ"))
	f.StringVar(&c.name, "name", env("NIGHTSHIFT_WORKER_NAME", ""), tr("this worker's name; the host's name when left out", "workerの名前（省略時はホスト名）"))
	f.StringVar(&c.workFolder, "work-folder", env("NIGHTSHIFT_WORK_FOLDER", ""), tr("where commands run; the computer's setting, else the user's home", "コマンドを実行するフォルダー（省略時はコンピュータの設定、なければホーム）"))
	f.StringVar(&c.runAs, "run-as", env("NIGHTSHIFT_RUN_AS", ""), tr("user that jobs run as, for a worker run by root", "Jobを実行するユーザー（workerがrootのとき）"))
	f.IntVar(&c.concurrency, "concurrency", atoi(env("NIGHTSHIFT_CONCURRENCY", "0")), tr("jobs at once; 0: as many as the computer's setting allows", "同時に実行するJobの数（0: コンピュータの設定に従う）"))
	f.IntVar(&c.gpus, "gpus", 0, tr("register this many GPUs that are not there, for trying things out; -1: none", "試験用に存在しないGPUを登録する数（-1: なし）"))
	f.BoolVar(&c.jsonLog, "json-log", false, tr("write the worker's own log as JSON", "worker自身のログをJSONで書く"))
	c.stateFlag(cmd)
}

func (c *workerConfig) stateFlag(cmd *cobra.Command) {
	cmd.Flags().StringVar(&c.state, "state", env("NIGHTSHIFT_WORKER_STATE", filepath.Join(defaultData(), "worker")), tr("folder for jobs and their output on disk", "Jobと出力を置くフォルダー"))
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// options reads the token and makes what the worker needs. The token leaves the environment, so that nothing started here has it.
func (c *workerConfig) options() (worker.Options, error) {
	o := worker.Options{
		URL: c.url, Computer: c.computer, Name: c.name, StateDir: c.state, WorkFolder: c.workFolder, RunAs: c.runAs,
		Concurrency: c.concurrency, FakeGPUs: c.gpus, Version: version,
	}
	if c.url == "" {
		return o, usageError{errors.New(tr("--url: the server's address is needed, such as https://nightshift.example.org", "--url: サーバーのアドレスを指定してください（例: https://nightshift.example.org）"))}
	}
	if c.computer == "" {
		return o, usageError{errors.New(tr("--computer: name the computer this worker is for", "--computer: 担当するコンピュータの名前を指定してください"))}
	}
	if c.concurrency < 0 {
		return o, usageError{errors.New("--concurrency: 0 or more")}
	}
	o.Token = os.Getenv("NIGHTSHIFT_TOKEN")
	os.Unsetenv("NIGHTSHIFT_TOKEN")
	if c.tokenFile != "" {
		b, err := os.ReadFile(c.tokenFile)
		if err != nil {
			return o, fmt.Errorf("--token-file: %w", err)
		}
		o.Token = strings.TrimSpace(string(b))
	}
	if o.Token == "" {
		return o, usageError{errors.New(tr("a worker token is needed: --token-file FILE or NIGHTSHIFT_TOKEN. The computer's page makes one", "workerのtokenが必要です: --token-file または NIGHTSHIFT_TOKEN。コンピュータのページで作れます"))}
	}
	return o, nil
}

func newWorkerCmd() *cobra.Command {
	var c workerConfig
	cmd := &cobra.Command{
		Use: "worker", Short: tr("Run jobs on this computer", "このコンピュータでJobを実行する"), Args: cobra.NoArgs,
		Long: tr("Takes jobs of one project for one computer and runs them. A worker that is stopped leaves its running jobs running; the next one takes them over.",
			"1つのProjectのJobを1台のコンピュータで実行します。workerを止めても実行中のJobは続き、次のworkerが引き継ぎます。"),
		Example: "  nightshift worker --url https://nightshift.example.org --token-file worker.token --computer gpu-1\n  nightshift worker drain",
		RunE: func(cmd *cobra.Command, _ []string) error {
			o, err := c.options()
			if err != nil {
				return err
			}
			o.Log = workerLog(os.Stderr, c.jsonLog)
			return worker.Run(cmd.Context(), o)
		},
	}
	c.flags(cmd)
	cmd.AddCommand(newWorkerStatusCmd(), newWorkerDrainCmd(), newWorkerDoctorCmd(), newWorkerInstallCmd())
	return cmd
}

func workerLog(w io.Writer, asJSON bool) *slog.Logger {
	if asJSON {
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return slog.New(slog.NewTextHandler(w, nil))
}

func newWorkerStatusCmd() *cobra.Command {
	var c workerConfig
	var asJSON bool
	cmd := &cobra.Command{
		Use: "status", Short: tr("Tell how the worker on this host is", "このホストのworkerの状態を表示する"), Args: cobra.NoArgs, Example: "  nightshift worker status",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := worker.ReadStatus(c.state)
			if err != nil {
				return err
			}
			out := cmd.OutOrStdout()
			if asJSON {
				return json.NewEncoder(out).Encode(s)
			}
			printWorkerStatus(out, s)
			if !s.Running {
				return exitCode(1)
			}
			return nil
		},
	}
	c.stateFlag(cmd)
	cmd.Flags().BoolVar(&asJSON, "json", false, tr("as one line of JSON", "JSON1行で"))
	return cmd
}

func printWorkerStatus(out io.Writer, s worker.Status) {
	state := tr("not running", "停止中")
	switch {
	case s.Running && s.Draining:
		state = tr("draining: takes no new jobs", "ドレイン中（新しいJobを取りません）")
	case s.Running:
		state = tr("running", "動作中")
	}
	fmt.Fprintln(out, tr("Worker     ", "worker      ")+s.Name+" ("+state+")")
	if s.Running {
		fmt.Fprintln(out, tr("Process    ", "プロセス    ")+strconv.Itoa(s.PID))
	}
	fmt.Fprintln(out, tr("Computer   ", "コンピュータ ")+s.Computer)
	fmt.Fprintln(out, tr("Server     ", "サーバー    ")+s.URL)
	if !s.LastAnswer.IsZero() {
		fmt.Fprintln(out, tr("Answered   ", "最終応答    ")+s.LastAnswer.Local().Format(time.DateTime))
	}
	if s.LastError != "" {
		fmt.Fprintln(out, tr("Trouble    ", "問題        ")+s.LastError)
	}
	fmt.Fprintln(out, tr("Jobs       ", "Job         ")+strconv.Itoa(len(s.Jobs)))
	for _, j := range s.Jobs {
		fmt.Fprintln(out, "  "+j)
	}
}

func newWorkerDrainCmd() *cobra.Command {
	var c workerConfig
	cmd := &cobra.Command{
		Use: "drain", Short: tr("Let the worker take no new jobs and end when its jobs have ended", "新しいJobを取らせず、実行中のJobが終わったらworkerを終了させる"), Args: cobra.NoArgs,
		Example: "  nightshift worker drain && systemctl stop nightshift-worker",
		RunE: func(cmd *cobra.Command, _ []string) error {
			err := worker.Drain(cmd.Context(), c.state, func(jobs int) {
				fmt.Fprintf(cmd.ErrOrStderr(), tr("draining: %d jobs left\n", "ドレイン中: 残りのJob %d件\n"), jobs)
			})
			if cmd.Context().Err() != nil {
				return errors.New(tr("the worker goes on draining without being waited for", "workerのドレインは続きます（待つのをやめました）"))
			}
			return err
		},
	}
	c.stateFlag(cmd)
	return cmd
}
