package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"nightshift/worker"
	"nightshift/worker/supervise"
)

func TestEveryEnd(t *testing.T) {
	p := startProduct(t)
	for _, c := range []struct{ command, status, code, says string }{
		{"true", "COMPLETED", "0", ""},
		{"exit 3", "FAILED", "3", "exit code 3"},
		{"kill -9 $$", "FAILED", "137", "signal 9"},
		{"kill -SEGV $$", "FAILED", "139", "signal 11"},
		{"no-such-command", "FAILED", "127", "not found"},
		{"/etc/passwd", "FAILED", "126", "not be executed"},
		{"-x", "FAILED", "127", "not found"},
	} {
		t.Run(c.command, func(t *testing.T) {
			j := p.await(p.launch(c.command), 20*time.Second)
			if j.Status != c.status || j.code() != c.code || !strings.Contains(j.Error, c.says) {
				t.Errorf("%s with %s: %s", j.Status, j.code(), j.Error)
			}
		})
	}
	j := p.await(p.launch("true", func(in map[string]any) { in["workingDirectory"] = "/no/such/folder" }), 20*time.Second)
	if j.Status != "FAILED" || j.EndReason != "PREPARATION_FAILED" || j.ExitCode != nil || !strings.Contains(j.Error, "/no/such/folder") {
		t.Errorf("%+v", j)
	}
	j = p.await(p.launch("sleep 30", func(in map[string]any) { in["timeLimit"] = "00:00:01" }), 20*time.Second)
	if j.Status != "FAILED" || j.EndReason != "TIMED_OUT" || j.code() != "143" {
		t.Errorf("%+v", j)
	}
}

func TestKillingWorkerAndServerInAnyOrderRunsEachJobOnceAndLosesNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	p := startProduct(t)
	marks := t.TempDir()
	const jobs = 16
	var ids []string
	for i := range jobs {
		ids = append(ids, p.launch(fmt.Sprintf(`echo x >> %s/%d; i=0; while [ $i -lt 80 ]; do i=$((i+1)); printf "a$i"; echo "b$i" >&2; printf " c$i\n"; [ $((i%%10)) = 0 ] && sleep 0.1; done; printf end; exit %d`, marks, i, i%5)))
	}
	for round := range 10 {
		time.Sleep(time.Duration(100+rand.IntN(600)) * time.Millisecond)
		if round%2 == 0 {
			p.killWorker() // up starts another
		} else {
			p.kill()
			time.Sleep(time.Duration(rand.IntN(500)) * time.Millisecond)
			p.start()
		}
	}
	var out, errs strings.Builder
	for i := 1; i <= 80; i++ {
		fmt.Fprintf(&out, "a%d c%d\n", i, i)
		fmt.Fprintf(&errs, "b%d\n", i)
	}
	out.WriteString("end")
	for i, id := range ids {
		j := p.await(id, 90*time.Second)
		if b, _ := os.ReadFile(fmt.Sprintf("%s/%d", marks, i)); string(b) != "x\n" {
			t.Errorf("job %d ran %d times", i, len(b)/2)
		}
		if j.code() != fmt.Sprint(i%5) {
			t.Errorf("job %d ended %s with %s: %s", i, j.Status, j.code(), j.Error)
		}
		if got := p.download(id, "stdout"); string(got) != out.String() {
			t.Errorf("job %d: standard output differs: %d bytes, want %d", i, len(got), out.Len())
		}
		if got := p.download(id, "stderr"); string(got) != errs.String() {
			t.Errorf("job %d: standard error differs: %d bytes, want %d", i, len(got), errs.Len())
		}
		if n := j.has("worker.process_exited"); n != 1 {
			t.Errorf("job %d: the event of its exit is there %d times", i, n)
		}
	}
}

func TestR49_ServerAwayWhileJobsRunAndEnd(t *testing.T) {
	p := startProduct(t)
	id := p.launch(`i=0; while [ $i -lt 2000 ]; do i=$((i+1)); echo line $i; done; sleep 1; echo last; exit 4`)
	p.until(10*time.Second, "it prints", func() bool { return p.job(id).LogLineCount > 0 })
	p.kill()
	time.Sleep(2500 * time.Millisecond) // it ends meanwhile
	p.start()
	j := p.await(id, 30*time.Second)
	if j.LogLineCount != 2001 || j.code() != "4" {
		t.Errorf("%d lines, exit %s", j.LogLineCount, j.code())
	}
}

func TestFloodIsWhole(t *testing.T) {
	p := startProduct(t)
	const lines = 400_000
	began := time.Now()
	id := p.launch(fmt.Sprintf(`awk 'BEGIN { for (i = 0; i < %d; i++) printf "%%d some words of a log line, %%d\n", i, i*7 }'`, lines))
	time.Sleep(400 * time.Millisecond)
	p.killWorker() // in the middle
	j := p.await(id, 60*time.Second)
	t.Logf("%d lines in %s", j.LogLineCount, time.Since(began))
	want := sha256.New()
	for i := range lines {
		fmt.Fprintf(want, "%d some words of a log line, %d\n", i, i*7)
	}
	if got := sha256.Sum256(p.download(id, "all")); !bytes.Equal(got[:], want.Sum(nil)) || j.LogLineCount != lines {
		t.Errorf("the download differs from what was printed; %d lines", j.LogLineCount)
	}
}

func TestHardOutputArrivesByteForByte(t *testing.T) {
	p := startProduct(t)
	file := filepath.Join(t.TempDir(), "bytes")
	random := rand.New(rand.NewPCG(7, 7))
	b := make([]byte, 3<<20)
	for i := range b {
		b[i] = byte(random.Uint32())
	}
	copy(b[1<<20:], bytes.Repeat([]byte("x"), 1<<20)) // a line of a megabyte
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, stream := range []string{"stdout", "stderr"} {
		command := "cat " + file
		if stream == "stderr" {
			command += " >&2"
		}
		id := p.launch(command)
		p.await(id, 30*time.Second)
		if got := p.download(id, stream); !bytes.Equal(got, b) {
			t.Errorf("%s: %d bytes arrived of %d", stream, len(got), len(b))
		}
	}
}

func (p *product) stopJob(id, mutation string) {
	p.t.Helper()
	var out any
	p.must(`mutation($i: JobsInput!) { `+mutation+`(input: $i) { done } }`, map[string]any{"i": map[string]any{"jobIds": []string{id}}}, &out)
}

func script(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile("../../worker/testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestR82_LastWordsAreInTheLog(t *testing.T) {
	p := startProduct(t)
	id := p.launch(script(t, "last_words.sh"))
	p.until(10*time.Second, "it prints", func() bool { return p.job(id).LogLineCount > 2 })
	asked := time.Now()
	p.stopJob(id, "requestStop")
	p.until(5*time.Second, "it hears", func() bool { return bytes.Contains(p.download(id, "stdout"), []byte("bye 1")) })
	t.Logf("heard after %s", time.Since(asked))
	j := p.await(id, 20*time.Second)
	if j.Status != "CANCELED" || j.code() != "7" {
		t.Errorf("%s with %s", j.Status, j.code())
	}
	if got := p.download(id, "stdout"); !bytes.HasSuffix(got, []byte("bye 5\n")) {
		t.Errorf("it ends in %q", got[max(len(got)-40, 0):])
	}
}

func TestR32_IgnoredTermEndsWithinTheGrace(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the grace")
	}
	p := startProduct(t)
	id := p.launch(script(t, "ignores_term.sh"))
	p.until(10*time.Second, "it prints", func() bool { return p.job(id).LogLineCount > 0 })
	p.stopJob(id, "requestStop")
	p.stopJob(id, "requestStop")
	began := time.Now()
	j := p.await(id, 30*time.Second)
	if d := time.Since(began); j.Status != "CANCELED" || j.code() != "137" || d < 8*time.Second || d > 13*time.Second {
		t.Errorf("%s with %s after %s", j.Status, j.code(), d)
	}
}

func TestR61_OrphanDoesNotKeepItsJobOrAnythingElse(t *testing.T) {
	p := startProduct(t)
	id := p.launch(script(t, "orphan.sh"))
	j := p.await(id, 20*time.Second)
	if j.Status != "COMPLETED" || j.has("worker.stragglers") != 1 {
		t.Errorf("%+v", j)
	}
	p.until(5*time.Second, "nothing of it is alive", func() bool { return !alive(id) })
}

func TestKillLeavesNothingBehind(t *testing.T) {
	p := startProduct(t)
	id := p.launch(`trap '' TERM; (setsid sh -c "trap '' TERM; sleep 300" &); echo up; sleep 300`)
	p.until(10*time.Second, "it prints", func() bool { return p.job(id).LogLineCount > 0 })
	p.stopJob(id, "killJobs")
	if j := p.await(id, 10*time.Second); j.Status != "CANCELED" || j.code() != "137" {
		t.Errorf("%s with %s", j.Status, j.code())
	}
	p.until(5*time.Second, "nothing of it is alive", func() bool { return !alive(id) })
}

// alive tells whether a process of the job lives.
func alive(id string) bool {
	environs, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, f := range environs {
		if b, _ := os.ReadFile(f); bytes.Contains(b, []byte("NIGHTSHIFT_JOB_ID="+id)) {
			return true
		}
	}
	return false
}

func TestSupervisorKilledEndsWorkerLost(t *testing.T) {
	p := startProduct(t)
	id := p.launch(`echo up; sleep 300`)
	p.until(10*time.Second, "it prints", func() bool { return p.job(id).LogLineCount > 0 })
	s := supervise.Read(filepath.Join(p.dir, "worker", "jobs", id, "process"))
	if s.State == nil || syscall.Kill(s.State.PID, syscall.SIGKILL) != nil {
		t.Fatal("no supervisor")
	}
	if j := p.await(id, 10*time.Second); j.Status != "FAILED" || j.EndReason != "WORKER_LOST" || j.ExitCode != nil {
		t.Errorf("%+v", j)
	}
	p.until(5*time.Second, "nothing of it is alive", func() bool { return !alive(id) })
}

func TestSecretsAreMaskedEverywhere(t *testing.T) {
	p := startProduct(t)
	id := p.launch(`echo "$API_VALUE"; printf 's3cr'; sleep 0.3; echo et-value; sleep 0.1`, func(in map[string]any) {
		in["secretEnvironment"] = map[string]string{"API_VALUE": "s3cret-value"}
	})
	p.await(id, 20*time.Second)
	if got := p.download(id, "all"); string(got) != "***\n***\n" {
		t.Errorf("%q", got)
	}
}

func TestR07_Drain(t *testing.T) {
	p := startProduct(t)
	id := p.launch("sleep 2; echo done")
	p.until(10*time.Second, "it runs", func() bool { return p.job(id).Status == "RUNNING" })
	out, err := productCmd("worker", "drain", "--state", filepath.Join(p.dir, "worker")).CombinedOutput()
	if err != nil {
		t.Errorf("%v: %s", err, out)
	}
	if j := p.job(id); j.Status != "COMPLETED" {
		t.Errorf("drained, and the job is %s", j.Status)
	}
}

func TestStatusOnTheHost(t *testing.T) {
	p := startProduct(t)
	p.until(5*time.Second, "the worker runs", func() bool {
		s, err := worker.ReadStatus(filepath.Join(p.dir, "worker"))
		return err == nil && s.Running && !s.LastAnswer.IsZero()
	})
	out, err := productCmd("worker", "status", "--state", filepath.Join(p.dir, "worker")).CombinedOutput()
	if err != nil || !strings.Contains(string(out), p.ready.URL) {
		t.Errorf("%v: %s", err, out)
	}
	out, err = productCmd("worker", "doctor", "--url", p.ready.URL, "--token-file", filepath.Join(p.dir, "worker.token"), "--computer", hostName(), "--state", t.TempDir()).CombinedOutput()
	if err != nil {
		t.Errorf("the doctor finds fault with a healthy worker: %s", out)
	}
	out, err = productCmd("worker", "doctor", "--url", p.ready.URL, "--token-file", filepath.Join(p.dir, "worker.token"), "--computer", "another", "--state", t.TempDir()).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "✗") {
		t.Errorf("the doctor finds nothing wrong: %s", out)
	}
}
