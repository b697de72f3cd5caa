package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"nightshift/client"
)

func addClientCommands(root *cobra.Command) {
	job := &cobra.Command{Use: "job", Short: tr("List, read and change jobs", "Jobの一覧、閲覧、操作")}
	job.AddCommand(newJobListCmd(), newJobShowCmd(), newJobLogsCmd(), newJobEventsCmd(), newJobWaitCmd(), newJobRerunCmd(), newJobPriorityCmd(), newJobMoveCmd(),
		action("cancel", tr("Ask jobs to stop; queued ones are canceled at once", "Jobに停止を求める。待機中なら取り消す"), func(ctx context.Context, s *session, in client.JobsInput) (*client.Done, error) {
			r, err := client.RequestStop(ctx, s, in)
			if err != nil {
				return nil, err
			}
			return &r.RequestStop.Done, nil
		}),
		action("kill", tr("Kill jobs at once, without the grace", "Jobを直ちに強制終了する"), func(ctx context.Context, s *session, in client.JobsInput) (*client.Done, error) {
			r, err := client.Kill(ctx, s, in)
			if err != nil {
				return nil, err
			}
			return &r.KillJobs.Done, nil
		}),
		action("hold", tr("Keep queued jobs from starting", "待機中のJobを保留する"), func(ctx context.Context, s *session, in client.JobsInput) (*client.Done, error) {
			r, err := client.Hold(ctx, s, in)
			if err != nil {
				return nil, err
			}
			return &r.HoldJobs.Done, nil
		}),
		action("unhold", tr("Let held jobs start", "保留を解く"), func(ctx context.Context, s *session, in client.JobsInput) (*client.Done, error) {
			r, err := client.Unhold(ctx, s, in)
			if err != nil {
				return nil, err
			}
			return &r.UnholdJobs.Done, nil
		}),
		action("force-end", tr("End jobs whose worker no longer answers", "workerが応答しないJobを強制的に終わらせる"), func(ctx context.Context, s *session, in client.JobsInput) (*client.Done, error) {
			r, err := client.ForceEnd(ctx, s, in)
			if err != nil {
				return nil, err
			}
			return &r.ForceEndJobs.Done, nil
		}),
	)
	machine := &cobra.Command{Use: "machine", Short: tr("Computers", "コンピュータ")}
	machine.AddCommand(newMachineListCmd())
	project := &cobra.Command{Use: "project", Short: tr("Projects", "Project")}
	project.AddCommand(newProjectListCmd())
	root.AddCommand(newLoginCmd(), newLogoutCmd(), newRunCmd(), job, machine, project)
}

// action is a command that does one thing to several jobs and tells of each that was refused.
func action(name, short string, do func(context.Context, *session, client.JobsInput) (*client.Done, error)) *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: name + " JOB...", Short: short, Args: cobra.MinimumNArgs(1), Example: "  nightshift job " + name + " 7f2a91c0",
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			done, err := do(cmd.Context(), s, client.JobsInput{JobIds: ids})
			if err != nil {
				return err
			}
			return s.report(cmd, done)
		},
	}
	r.flags(cmd)
	return cmd
}

func (s *session) report(cmd *cobra.Command, d *client.Done) error {
	if s.json {
		if err := printJSON(cmd.OutOrStdout(), d); err != nil {
			return err
		}
	} else {
		for _, j := range d.Jobs {
			fmt.Fprintf(cmd.OutOrStdout(), "%s  %s\n", j.ShortId, statusWord(&client.JobRow{Status: j.Status}))
		}
		for _, f := range d.Refused {
			fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s\n", safe(f.JobId), safe(f.Message))
		}
	}
	if d.RefusedCount > 0 {
		return exitCode(1)
	}
	return nil
}

func newJobPriorityCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "priority N JOB...", Short: tr("Change the priority of queued jobs", "待機中のJobの優先度を変える"), Args: cobra.MinimumNArgs(2), Example: "  nightshift job priority -- -10 7f2a91c0",
		RunE: func(cmd *cobra.Command, args []string) error {
			var n int
			if _, err := fmt.Sscanf(args[0], "%d", &n); err != nil {
				return usageError{fmt.Errorf("priority %q: a number from -1000 to 1000", safe(args[0]))}
			}
			s, err := r.connect()
			if err != nil {
				return err
			}
			d, err := client.SetPriority(cmd.Context(), s, client.SetPriorityInput{JobIds: args[1:], Priority: n})
			if err != nil {
				return err
			}
			return s.report(cmd, &d.SetPriority.Done)
		},
	}
	r.flags(cmd)
	return cmd
}

func newJobMoveCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "move MACHINE JOB...", Short: tr("Send queued jobs to another computer", "待機中のJobを別のコンピュータへ移す"), Args: cobra.MinimumNArgs(2), Example: "  nightshift job move gpu-2 7f2a91c0",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			d, err := client.Move(cmd.Context(), s, client.MoveJobsInput{JobIds: args[1:], Computer: args[0]})
			if err != nil {
				return err
			}
			return s.report(cmd, &d.MoveJobs.Done)
		},
	}
	r.flags(cmd)
	return cmd
}

func newJobRerunCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "rerun JOB...", Short: tr("Run ended jobs again from the start", "終わったJobを最初から再実行する"), Args: cobra.MinimumNArgs(1), Example: "  nightshift job rerun 7f2a91c0",
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			for _, id := range ids {
				d, err := client.Rerun(cmd.Context(), s, client.RerunJobInput{JobId: id})
				if err != nil {
					return err
				}
				j := &d.RerunJob.Job.JobRow
				switch {
				case s.json:
					err = printJSON(cmd.OutOrStdout(), j)
				case d.RerunJob.Existing:
					fmt.Fprintf(cmd.OutOrStdout(), tr("it was rerun before, as job %s (%s)\n", "すでに job %s（%s）として再実行されています\n"), j.ShortId, safe(j.Run.Name))
				default:
					fmt.Fprintf(cmd.OutOrStdout(), tr("job %s started (%s)\n", "job %s を開始しました（%s）\n"), j.ShortId, safe(j.Run.Name))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	r.flags(cmd)
	return cmd
}

func newJobWaitCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "wait JOB...", Short: tr("Wait until jobs have ended; exit with the first code that is not 0", "Jobが終わるまで待ち、0でない最初の終了コードで終わる"), Args: cobra.MinimumNArgs(1),
		Example: "  nightshift job wait 7f2a91c0 && echo done",
		RunE: func(cmd *cobra.Command, ids []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			code := 0
			var ends []*client.JobRow
			for _, id := range ids {
				d, err := s.detail(cmd.Context(), id)
				if err != nil {
					return err
				}
				end := &d.JobRow
				if end.EndedAt == nil {
					if end, err = s.awaitEnd(cmd.Context(), d.Id, nil); err != nil {
						return err
					}
				}
				ends = append(ends, end)
				if !s.json {
					fmt.Fprintf(cmd.ErrOrStderr(), "%s  %s\n", end.ShortId, endLine(end))
				}
				if code == 0 {
					code = exitOfJob(end)
				}
			}
			if s.json {
				if err := printJSON(cmd.OutOrStdout(), ends); err != nil {
					return err
				}
			}
			if code != 0 {
				return exitCode(code)
			}
			return nil
		},
	}
	r.flags(cmd)
	return cmd
}

func newJobListCmd() *cobra.Command {
	var r remote
	var statuses []string
	var machine string
	var limit int
	var mine, watch bool
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: tr("List jobs, newest first", "Jobを新しい順に並べる"), Args: cobra.NoArgs, Example: "  nightshift job list --status running,failed",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			filter := &client.JobFilter{Computer: given(machine)}
			for _, x := range statuses {
				filter.Status = append(filter.Status, client.JobStatus(strings.ToUpper(x)))
			}
			if limit < 1 || limit > 200 {
				return usageError{errors.New("--limit: 1 to 200")}
			}
			key, err := s.projectKey(cmd.Context())
			if err != nil {
				return err
			}
			if mine {
				me, err := client.Whoami(cmd.Context(), s)
				if err != nil {
					return err
				}
				if me.Viewer != nil && me.Viewer.User != nil {
					filter.CreatedBy = &me.Viewer.User.Id
				}
			}
			for {
				if err := s.list(cmd, key, filter, limit); err != nil || !watch {
					return err
				}
				if !client.Sleep(cmd.Context(), 2*time.Second) {
					return nil
				}
				if isTerminal(cmd.OutOrStdout()) {
					fmt.Fprint(cmd.OutOrStdout(), "\x1b[H\x1b[J")
				}
			}
		},
	}
	r.flags(cmd)
	f := cmd.Flags()
	f.StringSliceVar(&statuses, "status", nil, "queued|assigned|running|completed|failed|canceled")
	f.StringVarP(&machine, "machine", "m", "", tr("only on this computer", "このコンピュータのものだけ"))
	f.IntVar(&limit, "limit", 30, tr("how many, at most 200", "件数（最大200）"))
	f.BoolVar(&mine, "mine", false, tr("only my own", "自分のものだけ"))
	f.BoolVarP(&watch, "watch", "w", false, tr("show again every 2 seconds", "2秒ごとに表示し直す"))
	return cmd
}

func (s *session) list(cmd *cobra.Command, key string, f *client.JobFilter, limit int) error {
	d, err := client.Jobs(cmd.Context(), s, key, f, limit)
	if err != nil {
		return err
	}
	if d.Project == nil {
		return fmt.Errorf(tr("there is no project %q that you may see", "見られるProject %q はありません"), safe(key))
	}
	nodes := d.Project.Jobs.Nodes
	if s.json {
		return printJSON(cmd.OutOrStdout(), nodes)
	}
	return table(cmd.OutOrStdout(), tr("JOB\tSTATUS\tRUN\tCOMPUTER\tGPU\tDURATION\tCREATED", "JOB\t状態\tRUN\tコンピュータ\tGPU\t時間\t作成日時"), func(line func(...any)) {
		for i := range nodes {
			j := &nodes[i].JobRow
			line(j.ShortId, statusWord(j), j.Run.Name, j.Computer.Name, gpusOf(j), durationOf(j), localTime(&j.CreatedAt))
		}
	})
}

func newJobShowCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "show JOB", Short: tr("Show everything about a job", "Jobの詳細を出す"), Args: cobra.ExactArgs(1), Example: "  nightshift job show 7f2a91c0",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			d, err := s.detail(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if s.json {
				return printJSON(cmd.OutOrStdout(), d)
			}
			return showJob(cmd.OutOrStdout(), d)
		},
	}
	r.flags(cmd)
	return cmd
}

func showJob(w io.Writer, d *client.JobDetailJob) error {
	j := &d.JobRow
	field := func(name, value string) { fmt.Fprintf(w, "%-20s %s\n", name, safe(value)) }
	if d.Waiting != nil {
		fmt.Fprintln(w, safe(d.Waiting.Message))
		for _, x := range d.Waiting.PossibleReasons {
			fmt.Fprintln(w, "  - "+string(x.Code))
		}
		if d.Waiting.JobsAhead != nil {
			fmt.Fprintf(w, tr("  %d jobs are ahead of it\n", "  前に%d件あります\n"), *d.Waiting.JobsAhead)
		}
		fmt.Fprintln(w)
	}
	field(tr("Job", "JobのID"), j.Id)
	field(tr("Status", "状態"), statusWord(j))
	field("Run", j.Run.Name+" ("+strings.ToLower(strings.ReplaceAll(string(j.Run.Kind), "_", " "))+")")
	field(tr("Computer", "コンピュータ"), j.Computer.Name)
	field("GPU", gpusOf(j))
	field(tr("Created by", "作成者"), j.CreatedBy.Name)
	field(tr("Attempt", "試行"), fmt.Sprintf("%d / %d", j.Attempt, j.MaxAttempts))
	field(tr("Created", "作成日時"), localTime(&j.CreatedAt))
	field(tr("Started", "開始"), localTime(j.StartedAt))
	field(tr("Ended", "終了"), localTime(j.EndedAt))
	field(tr("Duration", "時間"), durationOf(j))
	field("Heartbeat", localTime(d.HeartbeatAt))
	if j.ExitCode != nil {
		field(tr("Exit code", "終了コード"), strings.TrimSpace(fmt.Sprint(*j.ExitCode)+" "+exitMeaning(*j.ExitCode)))
	}
	if j.Error != nil {
		field(tr("Job error", "ジョブエラー"), *j.Error)
	}
	for _, a := range d.After {
		field(tr("After", "先行Job"), a.ShortId+" "+a.Run.Name)
	}
	field(tr("Log lines", "ログの行数"), fmt.Sprint(d.LogLineCount))
	field(tr("Command", "コマンド"), d.Snapshot.Command)
	if d.Snapshot.WorkingDirectory != nil {
		field(tr("Working folder", "作業フォルダー"), *d.Snapshot.WorkingDirectory)
	}
	field(tr("Parameters", "パラメータ"), string(d.Snapshot.Parameters))
	field("Environment", string(d.Snapshot.Environment))
	if len(d.Snapshot.SecretNames) > 0 {
		field(tr("Secrets", "秘密の変数"), strings.Join(d.Snapshot.SecretNames, ", "))
	}
	return nil
}

func newJobEventsCmd() *cobra.Command {
	var r remote
	var follow bool
	cmd := &cobra.Command{
		Use: "events JOB", Short: tr("Show a job's timeline", "Jobのイベントを出す"), Args: cobra.ExactArgs(1), Example: "  nightshift job events 7f2a91c0 -f",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			d, err := s.detail(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			after := ""
			for {
				page, err := client.JobEvents(cmd.Context(), s, d.Id, given(after))
				if err != nil {
					return err
				}
				for _, e := range page.Job.Events.Nodes {
					if s.json {
						err = printJSON(cmd.OutOrStdout(), e)
					} else {
						who := e.Source
						if e.Actor != nil {
							who = e.Actor.Name
						}
						_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s  %-10s %-24s %s\n", localTime(&e.Time), safe(who), safe(e.Type), safe(string(e.Args)))
					}
					if err != nil {
						return err
					}
					after = e.Cursor
				}
				if page.Job.Events.PageInfo.HasNextPage {
					continue
				}
				if !follow || d.EndedAt != nil {
					return nil
				}
				if !client.Sleep(cmd.Context(), time.Second) {
					return nil
				}
				if d, err = s.detail(cmd.Context(), d.Id); err != nil {
					return err
				}
			}
		},
	}
	r.flags(cmd)
	cmd.Flags().BoolVarP(&follow, "follow", "f", false, tr("go on until the job has ended", "終わるまで続ける"))
	return cmd
}

func newJobLogsCmd() *cobra.Command {
	var r remote
	var follow, raw bool
	var tail int
	var level, grep string
	cmd := &cobra.Command{
		Use: "logs JOB", Short: tr("Print a job's log", "Jobのログを出す"), Args: cobra.ExactArgs(1), Example: "  nightshift job logs 7f2a91c0 -f\n  nightshift job logs 7f2a91c0 --raw > out.bin",
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			d, err := s.detail(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			err = s.logs(cmd, d, follow, raw, tail, strings.ToUpper(level), grep)
			if errors.Is(err, syscall.EPIPE) { // whoever read has enough
				return nil
			}
			return err
		},
	}
	r.flags(cmd)
	f := cmd.Flags()
	f.BoolVarP(&follow, "follow", "f", false, tr("go on until the job has ended", "終わるまで続ける"))
	f.IntVarP(&tail, "tail", "n", 0, tr("only the last n lines", "最後のn行だけ"))
	f.StringVar(&level, "level", "", "info|warning|error")
	f.StringVar(&grep, "grep", "", tr("only lines that contain this, ignoring case", "この語を含む行だけ（大文字小文字は区別しない）"))
	f.BoolVar(&raw, "raw", false, tr("exactly the bytes that were printed", "出力されたバイト列のまま"))
	return cmd
}

func (s *session) logs(cmd *cobra.Command, d *client.JobDetailJob, follow, raw bool, tail int, level, grep string) error {
	ctx := cmd.Context()
	if raw {
		return s.rawLog(ctx, cmd.OutOrStdout(), d.Id)
	}
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 64<<10)
	p := newPrinter(cmd.OutOrStdout(), cmd.ErrOrStderr())
	p.level = level
	if grep != "" {
		low := strings.ToLower(grep)
		p.grep = func(m string) bool { return strings.Contains(strings.ToLower(m), low) }
	}
	from := int64(1)
	if tail > 0 {
		from = max(1, d.LogLineCount-int64(tail)+1)
	}
	if follow {
		err := s.followLog(ctx, d.Id, from, p)
		if errors.Is(err, errEnded) || ctx.Err() != nil {
			return nil
		}
		return err
	}
	if !isTerminal(cmd.OutOrStdout()) {
		p.out = out
	}
	for next := from; next <= d.LogLineCount; {
		to := min(next+4999, d.LogLineCount)
		page, err := client.JobLogTail(ctx, s, d.Id, nil, &next, &to, nil, nil)
		if err != nil {
			return err
		}
		for _, l := range page.Job.Log.Lines {
			if err := p.write(logLine{Number: l.Number, Time: l.Time, Level: string(l.Level), Stream: string(l.Stream), Message: l.Message, Partial: l.Partial, Cut: l.Cut}); err != nil {
				return err
			}
		}
		if page.Job.Log.NextLine <= next {
			break
		}
		next = page.Job.Log.NextLine
		if err := out.Flush(); err != nil {
			return err
		}
	}
	return out.Flush()
}

// rawLog downloads the bytes as they were printed.
func (s *session) rawLog(ctx context.Context, w io.Writer, id string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Client.URL()+"/api/jobs/"+id+"/log?format=raw", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return &client.NetworkError{Err: err}
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		b, _ := io.ReadAll(io.LimitReader(res.Body, 1000))
		return errors.New(safe(strings.TrimSpace(string(b))))
	}
	_, err = io.Copy(w, res.Body)
	return err
}

func newMachineListCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: tr("List computers and their workers", "コンピュータとworkerを並べる"), Args: cobra.NoArgs, Example: "  nightshift machine list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			key, err := s.projectKey(cmd.Context())
			if err != nil {
				return err
			}
			d, err := client.Computers(cmd.Context(), s, key)
			if err != nil {
				return err
			}
			if d.Project == nil {
				return fmt.Errorf(tr("there is no project %q that you may see", "見られるProject %q はありません"), safe(key))
			}
			nodes := d.Project.Computers.Nodes
			if s.json {
				return printJSON(cmd.OutOrStdout(), nodes)
			}
			return table(cmd.OutOrStdout(), tr("COMPUTER\tKIND\tWORKER\tJOBS\tGPUS", "コンピュータ\t種類\tWORKER\tJOB\tGPU"), func(line func(...any)) {
				for _, c := range nodes {
					limit := "∞"
					if c.MaxJobs != nil {
						limit = fmt.Sprint(*c.MaxJobs)
					}
					used := 0
					for _, g := range c.Gpus {
						if g.InUse {
							used++
						}
					}
					line(c.Name, c.Kind, c.WorkerState, fmt.Sprintf("%d / %s", c.ActiveJobs, limit), fmt.Sprintf("%d / %d", used, len(c.Gpus)))
				}
			})
		},
	}
	r.flags(cmd)
	return cmd
}

func newProjectListCmd() *cobra.Command {
	var r remote
	cmd := &cobra.Command{
		Use: "list", Aliases: []string{"ls"}, Short: tr("List your projects", "Projectを並べる"), Args: cobra.NoArgs, Example: "  nightshift project list",
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := r.connect()
			if err != nil {
				return err
			}
			me, err := client.Whoami(cmd.Context(), s)
			if err != nil {
				return err
			}
			if s.json {
				return printJSON(cmd.OutOrStdout(), me.Projects)
			}
			return table(cmd.OutOrStdout(), tr("KEY\tNAME\tROLE", "KEY\t名前\t役割"), func(line func(...any)) {
				for _, p := range me.Projects {
					line(p.Key, p.Name, strings.ToLower(string(p.Role)))
				}
			})
		},
	}
	r.flags(cmd)
	return cmd
}
