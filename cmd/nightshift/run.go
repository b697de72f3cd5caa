package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"nightshift/client"
)

type runFlags struct {
	remote
	machine, time, name, kind, workdir string
	detach, hold                       bool
	after, afterAny, gpus              []string
	params, envs, secrets              []string
	gpuCount, priority                 int
	timeout                            time.Duration
}

func newRunCmd() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use: `run [flags] "COMMAND"`, Short: tr("Run a command as a job and follow it", "コマンドをJobとして実行し、見守る"), Args: cobra.MinimumNArgs(1),
		Example: "  nightshift run \"python3 train.py\"\n  nightshift run --machine gpu-1 --gpus 0,1 -d \"python3 train.py\"\n  nightshift run --after 7f2a91c0 \"python3 eval.py\"",
		RunE:    func(cmd *cobra.Command, args []string) error { return f.run(cmd, strings.Join(args, " ")) },
	}
	f.remote.flags(cmd)
	fl := cmd.Flags()
	fl.StringVarP(&f.machine, "machine", "m", "", tr("the computer to run on (the only one with a worker by default)", "実行するコンピュータ（既定はworkerのいる唯一のもの）"))
	fl.BoolVarP(&f.detach, "detach", "d", false, tr("hand it over and print its id", "渡してidだけを出す"))
	fl.StringSliceVar(&f.after, "after", nil, tr("start when this job has succeeded (repeatable)", "このJobが成功したら始める（複数可）"))
	fl.StringSliceVar(&f.afterAny, "after-any", nil, tr("start when this job has ended, however (repeatable)", "このJobがどう終わっても始める（複数可）"))
	fl.StringSliceVar(&f.gpus, "gpus", nil, tr("GPU ids, such as 0,1", "GPUのid（例: 0,1）"))
	fl.IntVar(&f.gpuCount, "gpu-count", 0, tr("any n free GPUs", "空いているGPUをn個"))
	fl.StringVar(&f.time, "time", "", tr("time limit, HH:MM:SS or D-HH:MM:SS", "制限時間 HH:MM:SS または D-HH:MM:SS"))
	fl.IntVar(&f.priority, "priority", 0, tr("higher runs first, -1000..1000", "大きいほど先に実行 -1000..1000"))
	fl.BoolVar(&f.hold, "hold", false, tr("hold it until unhold", "unholdまで保留する"))
	fl.StringVar(&f.name, "name", "", tr("the run's name", "Run名"))
	fl.StringVar(&f.kind, "kind", "training", "training|fine-tuning|inference|evaluation|data-processing")
	fl.StringArrayVar(&f.params, "param", nil, tr("parameter k=v; v may be JSON (repeatable)", "パラメータ k=v。vはJSONも可（複数可）"))
	fl.StringArrayVar(&f.envs, "env", nil, tr("environment variable k=v (repeatable)", "環境変数 k=v（複数可）"))
	fl.StringArrayVar(&f.secrets, "secret-env", nil, tr("name of a variable of this shell, given to the job and masked in its output (repeatable)", "このシェルの変数名。Jobに渡し、出力では伏せる（複数可）"))
	fl.StringVar(&f.workdir, "workdir", "", tr("working folder on the computer", "コンピュータ上の作業フォルダー"))
	fl.DurationVar(&f.timeout, "timeout", 0, tr("give up when it has not started after this long", "この時間で始まらなければやめる"))
	return cmd
}

func (f *runFlags) run(cmd *cobra.Command, command string) error {
	ctx := cmd.Context()
	s, err := f.connect()
	if err != nil {
		return err
	}
	in, err := f.input(ctx, s, command)
	if err != nil {
		return err
	}
	var made *client.LaunchResponse
	err = client.Retry(ctx, func(ctx context.Context) (err error) { // the request id makes it safe to send again
		made, err = client.Launch(ctx, s, *in)
		return err
	})
	if err != nil {
		return err
	}
	j := &made.LaunchJob.Job.JobRow
	if f.detach {
		switch {
		case s.json:
			return printJSON(cmd.OutOrStdout(), j)
		case isTerminal(cmd.OutOrStdout()):
			fmt.Fprintf(cmd.OutOrStdout(), tr("job %s started\n", "job %s を開始しました\n"), j.ShortId)
		default:
			fmt.Fprintln(cmd.OutOrStdout(), j.Id)
		}
		return nil
	}
	return s.watch(ctx, cmd, j, f.timeout)
}

func (f *runFlags) input(ctx context.Context, s *session, command string) (*client.LaunchJobInput, error) {
	project, err := s.projectKey(ctx)
	if err != nil {
		return nil, err
	}
	id := uuid.NewString()
	in := &client.LaunchJobInput{
		Project: project, RequestId: &id, Kind: client.RunKind(strings.ToUpper(strings.ReplaceAll(f.kind, "-", "_"))), Command: command, MaxAttempts: 3,
		Priority: f.priority, Held: f.hold, After: f.after, AfterAny: f.afterAny, GpuIds: f.gpus, Name: given(f.name), TimeLimit: given(f.time),
	}
	if f.gpuCount > 0 {
		in.GpuCount = &f.gpuCount
	}
	if in.Computer, err = s.machine(ctx, project, f.machine); err != nil {
		return nil, err
	}
	if in.Parameters, err = pairs(f.params, true); err != nil {
		return nil, err
	}
	if in.Environment, err = pairs(f.envs, false); err != nil {
		return nil, err
	}
	var secrets []string
	for _, name := range f.secrets {
		v, ok := os.LookupEnv(name)
		if !ok {
			return nil, usageError{fmt.Errorf("--secret-env %s: this shell has no such variable", safe(name))}
		}
		secrets = append(secrets, name+"="+v)
	}
	if in.SecretEnvironment, err = pairs(secrets, false); err != nil {
		return nil, err
	}
	in.WorkingDirectory = given(f.workdir)
	if f.workdir == "" && sameHost(s.config.URL) {
		if dir, err := os.Getwd(); err == nil {
			in.WorkingDirectory = &dir
		}
	} else if f.workdir == "" && isTerminal(os.Stderr) {
		fmt.Fprintln(os.Stderr, tr("It runs in the computer's work folder; --workdir names another.", "コンピュータの作業フォルダーで動きます。変えるには --workdir。"))
	}
	return in, nil
}

func given(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// sameHost: a server on loopback runs where we are, and so does its worker.
func sameHost(server string) bool {
	u, err := url.Parse(server)
	if err != nil {
		return false
	}
	ip := net.ParseIP(u.Hostname())
	return u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
}

// pairs reads k=v; with JSON values where they are asked for and are some.
func pairs(list []string, asJSON bool) (*json.RawMessage, error) {
	if len(list) == 0 {
		return nil, nil
	}
	m := map[string]any{}
	for _, kv := range list {
		k, v, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return nil, usageError{fmt.Errorf("%q: write name=value", safe(kv))}
		}
		m[k] = v
		var parsed any
		if asJSON && json.Unmarshal([]byte(v), &parsed) == nil {
			m[k] = parsed
		}
	}
	b, err := json.Marshal(m)
	raw := json.RawMessage(b)
	return &raw, err
}

// machine is the computer asked for, or the only one with a worker.
func (s *session) machine(ctx context.Context, project, name string) (string, error) {
	if name != "" {
		return name, nil
	}
	c, err := client.Computers(ctx, s, project)
	if err != nil {
		return "", err
	}
	if c.Project == nil {
		return "", fmt.Errorf(tr("there is no project %q that you may see", "見られるProject %q はありません"), safe(project))
	}
	var online, all []string
	for _, n := range c.Project.Computers.Nodes {
		all = append(all, safe(n.Name))
		if n.Usable && n.Enabled && n.WorkerState == "ONLINE" {
			online = append(online, n.Name)
		}
	}
	if len(online) == 1 {
		return online[0], nil
	}
	return "", usageError{fmt.Errorf(tr("name the computer with --machine; there are: %s", "--machine でコンピュータを選んでください: %s"), strings.Join(all, ", "))}
}

// watch follows a job to its end and ends with its exit code.
func (s *session) watch(ctx context.Context, cmd *cobra.Command, j *client.JobRow, timeout time.Duration) error {
	following, stop := context.WithCancel(ctx)
	defer stop()
	go s.sayWhyWaiting(following, j.Id)
	if timeout > 0 {
		go s.giveUp(following, j, timeout)
	}
	err := s.followLog(ctx, j.Id, 1, newPrinter(cmd.OutOrStdout(), cmd.ErrOrStderr()))
	if ctx.Err() != nil {
		fmt.Fprintf(cmd.ErrOrStderr(), tr("\njob %s keeps running; nightshift job cancel %s stops it\n", "\njob %s は続いています。止めるには nightshift job cancel %s\n"), j.ShortId, j.ShortId)
		return exitCode(130)
	}
	if err != nil && !errors.Is(err, errEnded) {
		return err
	}
	d, err := s.detail(ctx, j.Id)
	if err != nil {
		return err
	}
	end := &d.JobRow
	if end.EndedAt == nil {
		if end, err = s.awaitEnd(ctx, j.Id, nil); err != nil {
			return err
		}
	}
	fmt.Fprintln(cmd.ErrOrStderr(), endLine(end))
	if code := exitOfJob(end); code != 0 {
		return exitCode(code)
	}
	return nil
}

// sayWhyWaiting tells, once, why a job has not started after three seconds.
func (s *session) sayWhyWaiting(ctx context.Context, id string) {
	if !client.Sleep(ctx, 3*time.Second) {
		return
	}
	if d, err := s.detail(ctx, id); err == nil && d.Waiting != nil {
		fmt.Fprintln(os.Stderr, tr("waiting: ", "待機中: ")+safe(d.Waiting.Message))
	}
}

func (s *session) giveUp(ctx context.Context, j *client.JobRow, after time.Duration) {
	if !client.Sleep(ctx, after) {
		return
	}
	if d, err := s.detail(ctx, j.Id); err == nil && d.StartedAt == nil && d.EndedAt == nil {
		fmt.Fprintf(os.Stderr, tr("job %s has not started within %s: canceling it\n", "job %s は %s 以内に始まらなかったので取り消します\n"), j.ShortId, after)
		client.RequestStop(ctx, s, client.JobsInput{JobIds: []string{j.Id}})
	}
}
