package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightshift/worker"
	"nightshift/worker/supervise"
)

// product is `nightshift up` in processes of its own.
type product struct {
	t      *testing.T
	listen string
	dir    string
	cmd    *exec.Cmd
	ready  struct{ URL, Token, Project, DataDir, SignInURL string }
}

func startProduct(t *testing.T) *product {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &product{t: t, listen: l.Addr().String(), dir: filepath.Join(t.TempDir(), "data")}
	l.Close()
	p.start()
	t.Cleanup(func() {
		if t.Failed() {
			for _, f := range []string{"server.log", "worker.log"} {
				b, _ := os.ReadFile(filepath.Join(p.dir, f))
				t.Logf("%s:\n%s", f, b[max(len(b)-4000, 0):])
			}
		}
		p.stop()
		p.killWorker()
		dirs, _ := filepath.Glob(filepath.Join(p.dir, "worker", "jobs", "*", "process"))
		for _, d := range dirs {
			_ = supervise.Stop(d, true)
		}
		time.Sleep(50 * time.Millisecond)
	})
	return p
}

func productCmd(args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "NIGHTSHIFT_TEST_AS_PRODUCT=1", "NIGHTSHIFT_URL=", "NIGHTSHIFT_TOKEN=")
	return cmd
}

// start starts the product and waits until it says that it is ready.
func (p *product) start() {
	p.t.Helper()
	p.cmd = productCmd("up", "--listen", p.listen, "--data", p.dir, "--json", "--no-examples")
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	var errs bytes.Buffer
	p.cmd.Stderr = &errs
	if err := p.cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadBytes('\n')
	if err != nil {
		_ = p.cmd.Wait()
		p.t.Fatalf("up did not start: %v %s", err, errs.String())
	}
	if err := json.Unmarshal(line, &p.ready); err != nil {
		p.t.Fatalf("up says %q", line)
	}
}

// kill is kill -9 of the server; the worker is left alone.
func (p *product) kill() {
	_ = p.cmd.Process.Kill()
	_ = p.cmd.Wait()
}

// stop is SIGTERM.
func (p *product) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	done := make(chan struct{})
	go func() { _ = p.cmd.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(20 * time.Second):
		p.t.Error("up does not stop")
		_ = p.cmd.Process.Kill()
	}
}

// killWorker is kill -9 of the worker, if one runs.
func (p *product) killWorker() {
	s, err := worker.ReadStatus(filepath.Join(p.dir, "worker"))
	if err == nil && s.Running && s.PID > 0 && s.PID != os.Getpid() {
		_ = syscall.Kill(s.PID, syscall.SIGKILL)
	}
}

// ask carries out one operation and reads its data into out.
func (p *product) ask(query string, vars map[string]any, out any) error {
	body, _ := json.Marshal(map[string]any{"query": query, "variables": vars})
	req, _ := http.NewRequest("POST", p.ready.URL+"/graphql", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+p.ready.Token)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer r.Body.Close()
	var m struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	if err := json.NewDecoder(r.Body).Decode(&m); err != nil {
		return err
	}
	if len(m.Errors) > 0 {
		return fmt.Errorf("%s", m.Errors[0].Message)
	}
	return json.Unmarshal(m.Data, out)
}

// must is ask that has to succeed, though the server may be away for a moment.
func (p *product) must(query string, vars map[string]any, out any) {
	p.t.Helper()
	var err error
	for range 200 {
		if err = p.ask(query, vars, out); err == nil {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	p.t.Fatal(err)
}

func (p *product) launch(command string, change ...func(map[string]any)) string {
	p.t.Helper()
	in := map[string]any{"project": p.ready.Project, "command": command, "computer": hostName(), "maxAttempts": 3, "requestId": newUUID()}
	for _, c := range change {
		c(in)
	}
	var out struct {
		LaunchJob struct{ Job struct{ ID string } }
	}
	p.must(`mutation($i: LaunchJobInput!) { launchJob(input: $i) { job { id } } }`, map[string]any{"i": in}, &out)
	return out.LaunchJob.Job.ID
}

func newUUID() string {
	b, _ := os.ReadFile("/proc/sys/kernel/random/uuid")
	return strings.TrimSpace(string(b))
}

type seenJob struct {
	Status, EndReason, Error, ErrorCode string
	ExitCode                            *int
	LogLineCount                        int64
	NoResponse                          bool
	Events                              struct {
		Nodes []struct{ Type, Source string }
	}
}

func (j seenJob) code() string {
	if j.ExitCode == nil {
		return "none"
	}
	return strconv.Itoa(*j.ExitCode)
}

func (j seenJob) has(event string) int {
	n := 0
	for _, e := range j.Events.Nodes {
		if e.Type == event {
			n++
		}
	}
	return n
}

func (p *product) job(id string) seenJob {
	p.t.Helper()
	var out struct{ Job seenJob }
	p.must(`query($i: ID!) { job(id: $i) { status endReason error errorCode exitCode logLineCount noResponse events(first: 200) { nodes { type source } } } }`, map[string]any{"i": id}, &out)
	return out.Job
}

func (p *product) await(id string, limit time.Duration) seenJob {
	p.t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(50 * time.Millisecond) {
		j := p.job(id)
		if j.Status == "COMPLETED" || j.Status == "FAILED" || j.Status == "CANCELED" {
			return j
		}
		if time.Now().After(end) {
			p.t.Fatalf("job %s is still %s after %s", id, j.Status, limit)
		}
	}
}

func (p *product) until(limit time.Duration, what string, ok func() bool) {
	p.t.Helper()
	for end := time.Now().Add(limit); !ok(); time.Sleep(30 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("waited %s in vain: %s", limit, what)
		}
	}
}

// download is every byte that a job printed, of one stream or of all.
func (p *product) download(id, stream string) []byte {
	p.t.Helper()
	req, _ := http.NewRequest("GET", p.ready.URL+"/api/jobs/"+id+"/log?format=raw&stream="+stream, nil)
	req.Header.Set("Authorization", "Bearer "+p.ready.Token)
	r, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 200 {
		p.t.Fatalf("download: %d %v %.200s", r.StatusCode, err, b)
	}
	return b
}
