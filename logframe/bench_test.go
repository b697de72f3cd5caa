package logframe

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"syscall"
	"testing"
)

// output is what training jobs print, 92 bytes a line on average, in reads of 32 KiB.
func output(lines int) ([]byte, [][]byte) {
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range lines {
		switch i % 10 {
		case 0:
			fmt.Fprintf(&b, "2026-11-30 23:58:%02d,%03d INFO trainer checkpoint saved to outputs/checkpoint-%d in %.2f s, %d files\n", i/10%60, i%1000, i, r.Float64(), r.IntN(90))
		case 1:
			fmt.Fprintf(&b, "2026-11-30 23:58:%02d,%03d - data.loader - WARNING - worker %d is slow: %.3f s for one batch, expected %.3f\n", i/10%60, i%1000, r.IntN(8), r.Float64(), r.Float64())
		default:
			fmt.Fprintf(&b, "epoch %3d step %6d loss=%.6f acc=%.4f lr=%.2e grad_norm=%.3f tokens/s=%d mem=%.1fGB\n", i/500, i, r.Float64(), r.Float64(), r.Float64()/1e3, r.Float64(), r.IntN(90000), r.Float64()*80)
		}
	}
	text := []byte(b.String())
	var reads [][]byte
	for p := text; len(p) > 0; p = p[min(len(p), 32<<10):] {
		reads = append(reads, p[:min(len(p), 32<<10)])
	}
	return text, reads
}

const benchLines = 20_000

// perLine reports processor time, which unlike the clock does not depend on what else the machine does.
func perLine(b *testing.B, lines int) func() {
	start := processorTime()
	return func() {
		b.ReportMetric(float64(processorTime()-start)/float64(b.N)/float64(lines), "cpu-ns/line")
	}
}

func processorTime() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

func BenchmarkAssemble(b *testing.B) {
	text, reads := output(benchLines)
	for _, stream := range []Stream{Stdout, Stderr} {
		b.Run(stream.String(), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			done := perLine(b, benchLines)
			for b.Loop() {
				a := NewAssembler()
				for _, p := range reads {
					a.Feed(noon, stream, p)
					a.Take(noon)
				}
				a.Finish()
			}
			done()
		})
	}
}

// The worker's whole way: mask, assemble with levels, frame.
func BenchmarkWorker(b *testing.B) {
	text, reads := output(benchLines)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	frame, size := []byte(nil), 0
	done := perLine(b, benchLines)
	for b.Loop() {
		a, m := NewAssembler(), NewMasker("abc-def_123/ghi+jkl=", "hunter2hunter2")
		size = 0
		for _, p := range reads {
			a.Feed(noon, Stdout, m.Mask(Stdout, p, false))
			frame = Encode(frame[:0], a.Take(noon))
			size += len(frame)
		}
		a.Finish()
	}
	done()
	b.ReportMetric(float64(size)/benchLines, "B/line")
}

func BenchmarkEncode(b *testing.B) {
	lines := benchBatch()
	b.ReportAllocs()
	var frame []byte
	done := perLine(b, len(lines))
	for b.Loop() {
		frame = Encode(frame[:0], lines)
	}
	done()
	b.ReportMetric(float64(len(frame))/float64(len(lines)), "B/line")
}

func benchBatch() []Line {
	text, _ := output(500)
	a := NewAssembler()
	a.Feed(noon, Stdout, text)
	return a.Finish()
}

func BenchmarkDecode(b *testing.B) {
	frame := Encode(nil, benchBatch())
	b.ReportAllocs()
	var buf []byte
	done := perLine(b, 500)
	for b.Loop() {
		batch, err := DecodeInto(buf, frame, 0)
		if err != nil {
			b.Fatal(err)
		}
		r := batch.Reader(0)
		for l := (Line{}); r.Next(&l); {
		}
		buf = batch.Payload()
	}
	done()
}

func BenchmarkDownload(b *testing.B) {
	lines := benchBatch()
	b.Run("tsv", func(b *testing.B) {
		w := NewTSVWriter(io.Discard)
		done := perLine(b, len(lines))
		for b.Loop() {
			for i := range lines {
				_ = w.Write(&lines[i])
			}
		}
		done()
	})
	b.Run("raw", func(b *testing.B) {
		w := NewRawWriter(io.Discard)
		done := perLine(b, len(lines))
		for b.Loop() {
			for i := range lines {
				_ = w.Write(&lines[i])
			}
		}
		done()
	})
}

func BenchmarkCompact(b *testing.B) {
	text, _ := output(1000)
	a := NewAssembler()
	a.Feed(noon, Stdout, text)
	lines := a.Finish()
	var small []Batch
	for ; len(lines) > 0; lines = lines[5:] {
		batch, _ := Decode(Encode(nil, lines[:5]), 0)
		small = append(small, batch)
	}
	done := perLine(b, 1000)
	for b.Loop() {
		c := Compactor{MaxLines: 1000, MaxBytes: 256 << 10, Emit: func(Chunk) error { return nil }}
		for i := range small {
			_ = c.Add(&small[i])
		}
		_ = c.Close()
	}
	done()
}

func BenchmarkMask(b *testing.B) {
	text, reads := output(benchLines)
	for _, n := range []int{1, 20} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			var secrets []string
			for i := range n {
				secrets = append(secrets, fmt.Sprintf("%c%c-secret-value-%d", 'a'+i, 'z'-i, i))
			}
			m := NewMasker(secrets...)
			b.SetBytes(int64(len(text)))
			done := perLine(b, benchLines)
			for b.Loop() {
				for _, p := range reads {
					m.Mask(Stdout, p, false)
				}
			}
			done()
		})
	}
}

func BenchmarkDisplay(b *testing.B) {
	for name, text := range map[string]string{"plain": "epoch   1 step    123 loss=0.123456 acc=0.1234 lr=1.00e-04 grad_norm=0.123 tokens/s=12345 mem=12.1GB",
		"bar": "\rload:  42%|████▏     | 21/50 [00:02<00:03, 9.99it/s]", "japanese": strings.Repeat("夜勤", 16), "colour": "\x1b[31mERROR\x1b[0m " + strings.Repeat("x", 80)} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			done := perLine(b, 1)
			for b.Loop() {
				Display([]byte(text))
			}
			done()
		})
	}
}

func BenchmarkProgress(b *testing.B) {
	for name, text := range map[string]string{"none": "epoch   1 step    123 loss=0.123456 acc=0.1234 lr=1.00e-04 grad_norm=0.123 tokens/s=12345 mem=12.1GB",
		"bar": "load:  42%|████▏     | 21/50 [00:02<00:03, 9.99it/s]", "counter": "step 12/300 loss=0.1"} {
		b.Run(name, func(b *testing.B) {
			done := perLine(b, 1)
			for b.Loop() {
				ParseProgress(text)
			}
			done()
		})
	}
}

func BenchmarkParseText(b *testing.B) {
	lines := benchBatch()
	var rows []byte
	for i := range lines {
		rows = AppendTSV(rows, &lines[i])
	}
	text := string(rows)
	done := perLine(b, len(lines))
	for b.Loop() {
		if _, err := ParseText(text, noon, 1000); err != nil {
			b.Fatal(err)
		}
	}
	done()
}
