package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"nightshift/server/access"
	"nightshift/server/demo"
	"nightshift/worker"
)

// What `up` makes at its first start.
const (
	firstProject = "first"
	linkLasts    = 10 * time.Minute
)

func newUpCmd() *cobra.Command {
	var c serverConfig
	var asJSON, noExamples bool
	cmd := &cobra.Command{
		Use: "up", Short: tr("Run the whole product on this machine: server, worker, first project", "このマシンで全部を動かす: サーバー、worker、最初のProject"), Args: cobra.NoArgs,
		Example: "  nightshift up\n  nightshift up --listen 127.0.0.1:0 --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.check(); err != nil {
				return err
			}
			if c.data == "" {
				return usageError{errors.New("--data: name a folder")}
			}
			abs, err := filepath.Abs(c.data)
			if err != nil {
				return err
			}
			c.data = abs
			return up(cmd.Context(), c, asJSON, !noExamples, cmd.OutOrStdout())
		},
	}
	c.flags(cmd, true)
	cmd.Flags().BoolVar(&asJSON, "json", false, tr("print one line of JSON when ready, with a token for scripts", "準備ができたらスクリプト用のtokenを含むJSONを1行出力"))
	cmd.Flags().BoolVar(&noExamples, "no-examples", false, tr("make no example jobs at the first start", "最初の起動で例のJobを作らない"))
	return cmd
}

// upState is what a second `up` on the same folder says of the first.
type upState struct {
	URL string `json:"url"`
	PID int    `json:"pid"`
}

func up(ctx context.Context, c serverConfig, asJSON, examples bool, out io.Writer) error {
	lock, err := lockFolder(c.data)
	if err != nil {
		return err
	}
	defer lock.Close()
	logFile, err := os.OpenFile(filepath.Join(c.data, "server.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	defer logFile.Close()
	log := slog.New(slog.NewTextHandler(logFile, nil))
	h, err := open(ctx, c, log)
	if err != nil {
		return err
	}
	defer h.close()
	first, err := firstStart(access.AsSystem(ctx), h, c)
	if err != nil {
		return err
	}
	state, _ := json.Marshal(upState{URL: h.url, PID: os.Getpid()})
	if err := os.WriteFile(filepath.Join(c.data, "up.json"), state, 0o600); err != nil {
		return err
	}
	defer os.Remove(filepath.Join(c.data, "up.json"))

	serving := make(chan error, 1)
	serveCtx, stopServing := context.WithCancel(context.WithoutCancel(ctx))
	defer stopServing()
	go func() { serving <- h.serve(serveCtx) }()
	stopLeftover(filepath.Join(c.data, "worker"), log)
	child, err := startWorker(h, c, first)
	if err != nil {
		return err
	}
	if examples && first.fresh {
		if err := demo.Launch(first.asAdmin(ctx), h.queue, firstProject, first.computer); err != nil {
			log.Error("the example jobs were not made", "error", err)
		}
	}
	if asJSON {
		line, _ := json.Marshal(map[string]string{"url": h.url, "signInUrl": first.link, "token": first.token, "project": firstProject, "dataDir": c.data})
		fmt.Fprintln(out, string(line))
	} else {
		greet(out, h, c, first)
	}
	err = wait(ctx, serving, child, func() (*exec.Cmd, error) { return startWorker(h, c, first) }, log)
	if !asJSON {
		farewell(out, h)
	}
	stopWorker(child)
	stopServing()
	return errors.Join(err, <-serving)
}

// lockFolder makes sure that only one `up` uses a data folder.
func lockFolder(dir string) (*os.File, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("cannot make the data folder: %w", err)
	}
	f, err := os.OpenFile(filepath.Join(dir, "up.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("the data folder %s cannot be written: make it writable for this user, or choose another with --data: %w", dir, err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		var s upState
		if b, rerr := os.ReadFile(filepath.Join(dir, "up.json")); rerr == nil && json.Unmarshal(b, &s) == nil {
			return nil, fmt.Errorf("it is already running at %s (process %d, data in %s)", s.URL, s.PID, dir)
		}
		return nil, fmt.Errorf("another nightshift uses the data folder %s", dir)
	}
	return f, nil
}

// begun is what the first start made, or what later ones found.
type begun struct {
	fresh        bool
	viewer       *access.Viewer
	computer     string
	link, token  string
	workerSecret string
}

func (b begun) asAdmin(ctx context.Context) context.Context { return access.With(ctx, b.viewer) }

var notAName = regexp.MustCompile(`[^a-z0-9._-]+`)

func firstStart(ctx context.Context, h *house, c serverConfig) (b begun, err error) {
	name := "admin"
	if u, err := user.Current(); err == nil && u.Username != "" {
		name = strings.Trim(notAName.ReplaceAllString(strings.ToLower(u.Username), "-"), "-")
	}
	admin, fresh, err := h.auth.EnsureAdministrator(ctx, name)
	if err != nil {
		return b, err
	}
	p, err := h.auth.EnsureProject(ctx, firstProject, tr("First project", "最初のProject"), admin.ID)
	if err != nil {
		return b, err
	}
	b.fresh = fresh
	b.computer = hostName()
	comp, err := h.auth.EnsureComputer(ctx, b.computer, admin.ID, runtime.NumCPU())
	if err != nil {
		return b, err
	}
	secretFile := filepath.Join(c.data, "worker.token")
	old, _ := os.ReadFile(secretFile)
	if b.workerSecret, err = h.auth.EnsureWorkerToken(ctx, strings.TrimSpace(string(old)), admin.ID, p.ID, comp.ID); err != nil {
		return b, err
	}
	if err := os.WriteFile(secretFile, []byte(b.workerSecret+"\n"), 0o600); err != nil {
		return b, err
	}
	link, err := h.auth.NewSignInLink(ctx, admin.ID, linkLasts)
	if err != nil {
		return b, err
	}
	b.link = h.url + "/sign-in?link=" + link
	if b.token, err = h.auth.ReplaceAPIToken(ctx, admin.ID, "up"); err != nil {
		return b, err
	}
	b.viewer, err = h.auth.Identify(ctx, "", b.token)
	if err == nil {
		b.viewer.Kind = access.Session // the examples are launched by the person who starts the server
	}
	return b, err
}

func hostName() string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return "this-computer"
	}
	name, _, _ = strings.Cut(name, ".")
	return name[:min(len(name), 64)]
}

// startWorker runs the worker as a child process of its own, so that what happens to one does not happen to the other.
func startWorker(h *house, c serverConfig, b begun) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	logFile, err := os.OpenFile(filepath.Join(c.data, "worker.log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	defer logFile.Close()
	cmd := exec.Command(self, "worker", "--url", localURL(h, c), "--token-file", filepath.Join(c.data, "worker.token"),
		"--computer", b.computer, "--name", b.computer, "--state", filepath.Join(c.data, "worker"))
	cmd.Stdout, cmd.Stderr = logFile, logFile
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C goes to us; we stop it in order
	return cmd, cmd.Start()
}

// stopLeftover ends the worker of an earlier `up` that was killed: it holds the state folder, and ours takes over its jobs.
func stopLeftover(state string, log *slog.Logger) {
	for range 150 {
		old, err := worker.ReadStatus(state)
		if err != nil || !old.Running || old.PID <= 1 {
			return
		}
		if err := syscall.Kill(old.PID, syscall.SIGTERM); err != nil {
			log.Warn("the worker of an earlier start cannot be stopped", "pid", old.PID, "error", err)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// localURL is the server as seen from this machine, whatever stands before it.
func localURL(h *house, c serverConfig) string {
	c.url = ""
	return publicURL(c, h.listen.Addr())
}

// wait lasts until somebody stops us or the server fails. A worker that dies is started again: its jobs went on without it.
func wait(ctx context.Context, serving chan error, child *exec.Cmd, again func() (*exec.Cmd, error), log *slog.Logger) error {
	died := make(chan error, 1)
	watch := func(w *exec.Cmd) { go func() { died <- w.Wait() }() }
	watch(child)
	pause := time.Second
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-serving:
			serving <- nil
			return err
		case err := <-died:
			log.Error("the worker ended; it is started again", "error", err, "in", pause)
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(pause):
			}
			pause = min(2*pause, 30*time.Second)
			next, err := again()
			if err != nil {
				return err
			}
			*child = *next //nolint:govet // the caller stops whichever runs
			watch(next)
		}
	}
}

func stopWorker(w *exec.Cmd) {
	if w.Process == nil {
		return
	}
	w.Process.Signal(syscall.SIGTERM)
	for range 120 { // it flushes what is spooled for at most 10 s
		if w.Process.Signal(syscall.Signal(0)) != nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.Process.Kill()
}

func greet(out io.Writer, h *house, c serverConfig, b begun) {
	fmt.Fprintln(out)
	fmt.Fprintln(out, tr("  Nightshift is running.", "  Nightshiftが動いています。"))
	fmt.Fprintln(out)
	fmt.Fprintln(out, tr("  Sign in (once, within 10 minutes):", "  サインイン（1回だけ、10分以内）:"))
	fmt.Fprintln(out, "    "+b.link)
	fmt.Fprintln(out)
	fmt.Fprintln(out, tr("  Address    ", "  アドレス   ")+h.url)
	fmt.Fprintln(out, tr("  Data       ", "  データ     ")+c.data)
	fmt.Fprintln(out, tr("  Stop       Ctrl-C; running jobs go on and are picked up at the next start", "  停止       Ctrl-C。実行中のJobは続き、次の起動で引き継がれます"))
	fmt.Fprintln(out)
}

func farewell(out io.Writer, h *house) {
	rows, err := h.db.Query(context.Background(), `SELECT count(*) FROM slots`)
	if err != nil {
		return
	}
	defer rows.Close()
	n := 0
	if rows.Next() {
		rows.Scan(&n)
	}
	if n > 0 {
		fmt.Fprintf(out, tr("\n  %d running jobs go on without the server. Start it again to see them; to stop one: nightshift job cancel JOB.\n", "\n  実行中のJob %d件はサーバーなしで続きます。もう一度起動すると見えます。止めるには nightshift job cancel JOB。\n"), n)
	}
}
