package logframe

import (
	"strings"
	"testing"
)

func TestLevels(t *testing.T) {
	const (
		o = Stdout
		e = Stderr
	)
	for _, c := range []struct {
		stream Stream
		want   Level
		text   string
	}{
		{o, Info, "plain"},
		{o, Info, ""},
		{e, Info, ""},
		{e, Error, "plain"},
		{o, Info, "warning in the middle of a sentence is not a level"},
		{o, Info, "an ERROR in the middle"},
		{o, Info, "Error rate 0.3"},
		{o, Info, "error: 0.123"},
		{o, Info, "errors: 3"},
		{o, Info, "information: x"},
		{o, Info, "INFORMAL x"},
		{o, Info, "loss: error"},
		{o, Info, "the warning: x"},
		{o, Info, "0000012 the quick brown fox"},
		// logging
		{e, Info, "2026-11-30 23:58:55,296 INFO root info on stderr is info"},
		{e, Warning, "2026-11-30 23:58:55,296 WARNING root a warning"},
		{e, Error, "2026-11-30 23:58:55,297 ERROR root an error"},
		{e, Info, "2026-11-30 23:58:55,297 DEBUG root x ERROR"},
		{e, Info, "2026-11-30 23:58:55,297 - root - INFO - x"},
		{o, Warning, "2026-11-30 23:58:55,297 - my.module - WARNING - x"},
		{o, Error, "2026-11-30 23:58:55,297 root CRITICAL x"},
		{o, Info, "2026-11-30 23:58:55 job had an ERROR somewhere"},
		{o, Warning, "WARNING:root:text"},
		{o, Error, "ERROR: from stdout"},
		{o, Warning, "WARN [x] from stdout"},
		{o, Warning, "[WARN] x"},
		{o, Error, "[error] x"},
		{o, Error, "[12:00:01][ERROR] x"},
		{e, Info, "[2026-11-30 12:00:00,123][__main__][INFO] - hydra"},
		{e, Info, "[2026-11-30 12:00:00 +0000] [123] [INFO] gunicorn"},
		{e, Info, "[I 2026-11-30 12:00:00,123] Trial 0 finished with value: 1"},
		{e, Warning, "[W 12:00:00.123 NotebookApp] x"},
		{e, Info, "INFO:     127.0.0.1:80 - \"GET /\" 200"},
		{e, Info, "2026-11-30 12:00:00.123 | INFO     | __main__:<module>:1 - loguru"},
		{o, Error, "2026-11-30 12:00:00.123 | ERROR    | __main__:<module>:1 - loguru"},
		{o, Warning, "2026-11-30 12:00:00 [warning  ] structlog  key=1"},
		{e, Info, "[2026-11-30T12:00:00Z INFO  env_logger] x"},
		{o, Warning, "2026-11-30T12:00:00.123Z  WARN tracing: x"},
		{o, Error, "2026-11-30 12:00:00.123 ERROR 12 --- [main] c.e.Spring : x"},
		{e, Info, "26/11/30 12:00:00 INFO SparkContext: x"},
		{e, Warning, "11/30/2026 23:58:55 - WARNING - accelerate - x"},
		{e, Info, "2026/11/30 12:00:00 INFO slog a=1"},
		{o, Error, "2026-11-30T12:00:00.000Z\terror\tzap"},
		{o, Warning, "3:04PM WRN zerolog a=1"},
		{o, Warning, "time=2026-11-30T12:00:00Z level=WARN msg=\"an error\""},
		{e, Info, `time="2026-11-30T12:00:00Z" level=info msg="logrus"`},
		{o, Error, "level=error x"},
		{o, Info, "a=1 level=9"},
		{o, Warning, "WARN[0001] logrus on a terminal"},
		{e, Info, `{"time":1,"level":"info","msg":"x"}`},
		{o, Error, `{"severity": "ERROR", "message": "gcp"}`},
		{o, Warning, `{"level":40,"msg":"pino"}`},
		{o, Error, `{"version":"1.1","level":3}`},
		{o, Info, `{"msg":"say \"level\":\"error\""}`},
		{o, Info, `{"a":1}`},
		{e, Error, "E0102 12:00:00.000000  1 x.go:1] klog"},
		{o, Warning, "W0102 12:00:00.000000  1 x.go:1] klog"},
		{e, Info, "I0000 00:00:1700000000.1 12 x.cc:3] absl"},
		{o, Warning, "[rank0]:[W1130 23:58:55.123 Tensor.cpp:12] Warning: x"},
		{e, Warning, "2026-11-30 12:00:00.123456: W tensorflow/core/x.cc:1] y"},
		{e, Info, "2026-11-30 12:00:00.123456: I tensorflow/core/x.cc:1] y"},
		{o, Error, "<3>syslog"},
		{e, Info, "<30>Nov 30 12:00:00 host x[1]: y"},
		{o, Info, "<html>"},
		{o, Error, "Nov 30 12:00:00 ERROR x"},
		{o, Warning, "x.c:12:3: warning: unused"},
		{o, Error, "x.c:12:3: error: expected"},
		{e, Warning, "/lib/x.py:3: UserWarning: old"},
		{o, Error, "error[E0308]: mismatched types"},
		{e, Warning, "warning: unused variable"},
		{o, Error, "fatal error: x.h: no such file"},
		{o, Error, "fatal: not a git repository"},
		{o, Error, "slurmstepd: error: Exceeded memory"},
		{e, Warning, "wandb: WARNING x"},
		{e, Info, "wandb: Tracking run"},
		{e, Warning, "npm WARN deprecated x"},
		{o, Error, "npm ERR! code 1"},
		{o, Error, "panic: runtime error"},
		{o, Error, "Exception in thread \"main\" java.lang.X"},
		{o, Error, "Caused by: java.io.IOException: x"},
		{o, Error, "ValueError: bad"},
		{o, Error, "torch.cuda.OutOfMemoryError: CUDA out of memory"},
		{o, Error, "AssertionError"},
		{o, Info, "MyError handling is good"},
		{o, Error, "(pid=12) 2026-11-30 12:00:00 ERROR x"},
		{o, Error, "\x1b[31mERROR\x1b[0m: red"},
		{e, Info, "\x1b[2m2026-11-30T12:00:00Z\x1b[0m \x1b[32m INFO\x1b[0m x"},
		{o, Error, "[\x1b[31mERROR\x1b[0m] red"},
		{e, Info, "+ echo traced"},
		{e, Info, "++ cat x"},
		// redraws
		{e, Info, "load:  42%|████      | 21/50 [00:02<00:03, 9.99it/s]"},
		{e, Info, "\rload: 1\rload: 2"},
		{e, Warning, "\rload: 1\r          \r2026-11-30 12:00:00 WARNING over a bar"},
		{e, Error, "\rload:  42%|██  | 21/50 [00:02<00:03, 9.99it/s]Traceback (most recent call last):"},
		{e, Error, "crlf\r"},
		{o, Info, "INFO crlf\r"},
		{e, Error, "[unclosed"},
		{e, Error, "("},
		{e, Info, "\x1b["},
		{o, Info, "夜勤 ERROR"},
	} {
		var v leveler
		if got := v.level(c.stream, []byte(c.text)); got != c.want {
			t.Errorf("%v %q: %v, want %v", c.stream, c.text, got, c.want)
		}
	}
}

func TestLevelsOfFollowingLines(t *testing.T) {
	for _, stream := range []Stream{Stdout, Stderr} {
		var v leveler
		for i, c := range []struct {
			want Level
			text string
		}{
			{Info, "INFO x"},
			{Error, "Traceback (most recent call last):"},
			{Error, `  File "x.py", line 1`},
			{Error, "    info: a line of source"},
			{Error, "my.Failure"},
			{Info, "INFO on"},
			{Info, "  more of it"},
		} {
			if got := v.level(stream, []byte(c.text)); got != c.want {
				t.Errorf("%v line %d: %v, want %v", stream, i+1, got, c.want)
			}
		}
	}
	var v leveler
	for i, c := range []struct {
		want Level
		text string
	}{{Warning, "x.py:1: UserWarning: old"}, {Warning, "  warnings.warn(x)"}, {Error, "goroutine 1 [running]:"}, {Error, "\t/x.go:3"}, {Info, "  0%|          | 0/3"}} {
		if i == 4 {
			v.before = Info
		}
		if got := v.level(Stderr, []byte(c.text)); got != c.want {
			t.Errorf("line %d: %v, want %v", i+1, got, c.want)
		}
	}
}

func FuzzLevel(f *testing.F) {
	f.Add(`[12:00:01][ERROR] {"level":"x"} - a - b`)
	f.Add("W1130 23:58:55.123 <3> x.c:1: error: y level=warn")
	f.Fuzz(func(t *testing.T, text string) {
		var v leveler
		for _, s := range []Stream{Stdout, Stderr} {
			for _, l := range strings.Split(text, "\n") {
				v.level(s, []byte(l))
			}
		}
	})
}
