package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"golang.org/x/term"

	"nightshift/client"
)

// isTerminal tells whether a person reads what is written there.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func colours(w io.Writer) bool {
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// safe makes a name from elsewhere harmless: no control characters, no direction overrides.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '�'
		}
		return r
	}, s)
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

func table(w io.Writer, head string, rows func(line func(cells ...any))) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(t, head)
	rows(func(cells ...any) {
		for i, c := range cells {
			if i > 0 {
				fmt.Fprint(t, "\t")
			}
			fmt.Fprint(t, safe(fmt.Sprint(c)))
		}
		fmt.Fprintln(t)
	})
	return t.Flush()
}

// statusWord is a job's status in the person's language, with what marks it.
func statusWord(j *client.JobRow) string {
	words := map[client.JobStatus]string{
		"QUEUED": tr("Queued", "待機中"), "ASSIGNED": tr("Assigned", "割当済み"), "RUNNING": tr("Running", "実行中"),
		"COMPLETED": tr("Completed", "完了"), "FAILED": tr("Failed", "失敗"), "CANCELED": tr("Canceled", "中止"),
	}
	s := words[j.Status]
	if j.Progress != nil && j.Status == "RUNNING" {
		s += fmt.Sprintf(" %.0f%%", j.Progress.Percent)
	}
	if j.Held && j.Status == "QUEUED" {
		s += tr(" (held)", "（保留）")
	}
	if j.NoResponse {
		s += tr(" (no response)", "（応答なし）")
	}
	if j.StopRequestedAt != nil && j.EndedAt == nil {
		s += tr(" (stop requested)", "（停止要求済み）")
	}
	return s
}

// duration is 0:02, 1:08:30 or 3 d 4 h.
func duration(seconds int) string {
	d := time.Duration(seconds) * time.Second
	switch {
	case d >= 24*time.Hour:
		return fmt.Sprintf("%d d %d h", int(d.Hours())/24, int(d.Hours())%24)
	case d >= time.Hour:
		return fmt.Sprintf("%d:%02d:%02d", int(d.Hours()), int(d.Minutes())%60, seconds%60)
	}
	return fmt.Sprintf("%d:%02d", int(d.Minutes()), seconds%60)
}

func durationOf(j *client.JobRow) string {
	if j.DurationSeconds == nil {
		return "–"
	}
	return duration(*j.DurationSeconds)
}

func gpusOf(j *client.JobRow) string {
	switch {
	case len(j.GpuIds) > 0:
		return strings.Join(j.GpuIds, ",")
	case j.GpuCount > 0:
		return fmt.Sprintf("GPU ×%d", j.GpuCount)
	}
	return tr("CPU only", "CPUのみ")
}

func localTime(t *time.Time) string {
	if t == nil {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04:05")
}

// exitMeaning explains the exit codes people meet most.
func exitMeaning(code int) string {
	switch code {
	case 1:
		return tr("the program reported an error", "プログラムがエラーを報告しました")
	case 2:
		return tr("wrong use of a command, or a missing file", "コマンドの使い方の誤り、またはファイルがありません")
	case 126:
		return tr("the file cannot be executed", "ファイルを実行できません")
	case 127:
		return tr("command not found", "コマンドが見つかりません")
	case 130:
		return tr("interrupted (Ctrl-C)", "割り込み（Ctrl-C）")
	case 134:
		return tr("aborted (SIGABRT)", "異常終了（SIGABRT）")
	case 137:
		return tr("killed (SIGKILL)", "強制終了（SIGKILL）")
	case 139:
		return tr("invalid memory access (SIGSEGV)", "不正なメモリアクセス（SIGSEGV）")
	case 143:
		return tr("asked to stop (SIGTERM)", "停止を求められました（SIGTERM）")
	}
	return ""
}

// endLine is the one line a followed job ends with.
func endLine(j *client.JobRow) string {
	s := fmt.Sprintf("%s · %s · %s", statusWord(j), safe(j.Computer.Name), durationOf(j))
	if j.ExitCode != nil && *j.ExitCode != 0 {
		s += fmt.Sprintf(tr(" · exit %d", " · 終了コード %d"), *j.ExitCode)
		if m := exitMeaning(*j.ExitCode); m != "" {
			s += " (" + m + ")"
		}
	} else if j.ExitCode == nil && j.Error != nil {
		s += " · " + safe(*j.Error)
	}
	if j.Cost != nil {
		s += fmt.Sprintf(" · %s %s", j.Cost.Amount, j.Cost.Currency)
	}
	return s
}

// exitOfJob is what `run` and `job wait` end with.
func exitOfJob(j *client.JobRow) int {
	switch {
	case j.Status == "CANCELED":
		return 130
	case j.ExitCode != nil:
		return *j.ExitCode
	}
	return 125
}
