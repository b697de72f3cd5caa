package supervise

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const ignoresTerm = `trap '' TERM; echo started; while :; do sleep 1; done`

func TestStopEndsWhatIgnoresItAfterTheGrace(t *testing.T) {
	dir := start(t, shell(t, ignoresTerm))
	says(t, dir, "started")
	began := time.Now()
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	e := await(t, dir, 10*time.Second)
	if d := time.Since(began); d < 900*time.Millisecond || d > 4*time.Second || e.Reason != "stopped" || e.Signal != "SIGKILL" || *e.Code != 137 {
		t.Errorf("after %s: %+v", d, e)
	}
}

func TestKillNeedsNoGrace(t *testing.T) {
	dir := start(t, shell(t, ignoresTerm, func(s *Spec) { s.Grace = time.Minute }))
	says(t, dir, "started")
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if err := Stop(dir, true); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "stopped" || e.Signal != "SIGKILL" {
		t.Errorf("the first cause is the stop: %+v", e)
	}
}

func TestKilledIsItsOwnReason(t *testing.T) {
	dir := start(t, shell(t, "echo started; sleep 60"))
	says(t, dir, "started")
	if err := Stop(dir, true); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "killed" || *e.Code != 137 {
		t.Errorf("got %+v", e)
	}
}

func TestLastWordsAndTheCodeOfAStoppedJob(t *testing.T) {
	dir := start(t, shell(t, `trap 'for i in 1 2 3 4 5; do echo bye $i; sleep 0.2; done; exit 7' TERM; i=0; while :; do i=$((i+1)); echo line $i; sleep 0.2; done`,
		func(s *Spec) { s.Grace = 20 * time.Second }))
	says(t, dir, "line 2")
	for range 3 { // asked again and again, as each heartbeat does: the process hears it once
		if err := Stop(dir, false); err != nil {
			t.Fatal(err)
		}
	}
	e := await(t, dir, 15*time.Second)
	if got := output(t, dir); !strings.HasSuffix(got, "bye 1\nbye 2\nbye 3\nbye 4\nbye 5\n") || *e.Code != 7 || e.Reason != "stopped" {
		t.Errorf("%+v, %q", e, got)
	}
}

// A shell dies of SIGTERM at once, while the program it had started still writes its checkpoint: that has the whole grace and hears
// SIGTERM once, since many programs take a second one for "leave now".
func TestWhatSavesItsWorkHasTheWholeGrace(t *testing.T) {
	dir := start(t, shell(t, `sh -c 'trap "echo saving; trap \"echo twice; exit 1\" TERM; for i in 1 2 3 4 5 6 7; do sleep 0.5 & wait \$!; done; echo saved; exit 0" TERM; echo started; while :; do sleep 0.1; done'
echo the shell goes on; exit 1`, func(s *Spec) { s.Grace = 20 * time.Second }))
	says(t, dir, "started")
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	e := await(t, dir, 15*time.Second)
	if got := output(t, dir); got != "started\nsaving\nsaved\n" || e.Reason != "stopped" || e.Signal != "SIGTERM" {
		t.Errorf("%+v, %q", e, got)
	}
}

// A process that left the group and the session is ended all the same.
func TestWhatEscapesIsEndedToo(t *testing.T) {
	for _, now := range []bool{false, true} {
		dir := start(t, shell(t, `(setsid sh -c 'trap "" TERM; setsid sleep 600 & echo deep $!; echo escaped $$; wait; sleep 600' &) ; sleep 0.1; echo up; sleep 600`))
		says(t, dir, "deep")
		text := says(t, dir, "escaped")
		says(t, dir, "up")
		if err := Stop(dir, now); err != nil {
			t.Fatal(err)
		}
		await(t, dir, 10*time.Second)
		gone(t, number(t, text, "deep"), number(t, text, "escaped"))
	}
}

func TestTimeLimit(t *testing.T) {
	dir, e := run(t, shell(t, `trap 'echo saved; exit 0' TERM; while :; do sleep 0.05; done`, func(s *Spec) { s.TimeLimit = 300 * time.Millisecond }))
	if e.Reason != "timed_out" || *e.Code != 0 || output(t, dir) != "saved\n" {
		t.Errorf("%+v, %q", e, output(t, dir))
	}
}

func TestFirstCauseWins(t *testing.T) {
	dir := start(t, shell(t, ignoresTerm, func(s *Spec) { s.TimeLimit, s.Grace = 500*time.Millisecond, 1500*time.Millisecond }))
	says(t, dir, "started")
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "stopped" {
		t.Errorf("stopped before its limit: %+v", e)
	}
	dir = start(t, shell(t, ignoresTerm, func(s *Spec) { s.TimeLimit, s.Grace = 200*time.Millisecond, 1500*time.Millisecond }))
	time.Sleep(600 * time.Millisecond)
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "timed_out" {
		t.Errorf("stopped after its limit: %+v", e)
	}
}

func TestSignalToTheSupervisorIsAStop(t *testing.T) {
	dir := start(t, shell(t, "echo started; sleep 60"))
	says(t, dir, "started")
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGPIPE, syscall.SIGQUIT, syscall.SIGUSR2} {
		if err := signalled(dir, sig); err != nil {
			t.Fatal(err)
		}
	}
	time.Sleep(200 * time.Millisecond)
	if p := Read(dir).Phase; p != Running {
		t.Fatalf("a signal that means nothing to it: %s", p)
	}
	if err := signalled(dir, syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "stopped" || *e.Code != 143 {
		t.Errorf("got %+v", e)
	}
}

func TestStopBeforeStartKeepsItFromStarting(t *testing.T) {
	dir := t.TempDir()
	if err := Stop(dir, false); err != nil {
		t.Fatal(err)
	}
	if err := Start(context.Background(), self(t), dir, shell(t, "echo ran; sleep 60")); err != nil {
		t.Fatal(err)
	}
	if e := await(t, dir, 5*time.Second); e.Reason != "stopped" || e.Code != nil || output(t, dir) != "" {
		t.Errorf("got %+v", e)
	}
}

// Whenever a stop comes while a job starts, the job does not outlive it.
func TestStopWhileStartingIsNeverLost(t *testing.T) {
	for i := range 30 {
		dir := filepath.Join(t.TempDir(), "job")
		var both sync.WaitGroup
		both.Go(func() {
			if err := Start(context.Background(), self(t), dir, shell(t, "sleep 600")); err != nil {
				t.Error(err)
			}
		})
		time.Sleep(time.Duration(i) * 500 * time.Microsecond)
		var stopped error
		for range 100 { // the folder may not be there yet
			if stopped = Stop(dir, false); stopped == nil {
				break
			}
			time.Sleep(100 * time.Microsecond)
		}
		if stopped != nil {
			t.Fatal(stopped)
		}
		both.Wait()
		if e := await(t, dir, 10*time.Second); e.Reason != "stopped" {
			t.Fatalf("round %d: %+v", i, e)
		}
	}
}

func TestStopOfWhatIsOverIsNoError(t *testing.T) {
	dir, _ := run(t, shell(t, "true"))
	if err := Stop(dir, false); err != nil {
		t.Error(err)
	}
}
