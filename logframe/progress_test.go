package logframe

import (
	"math"
	"testing"
)

func TestParseProgress(t *testing.T) {
	const no = -1
	for _, c := range []struct {
		text                string
		percent             float64
		current, total, eta int64
		label, rate         string
	}{
		{"load:  42%|████▏     | 21/50 [00:02<00:03, 9.99it/s]", 42, 21, 50, 3, "load", "9.99it/s"},
		{"  0%|          | 0/50 [00:00<?, ?it/s]", 0, 0, 50, no, "", ""},
		{"100%|##########| 3/3 [00:00<00:00, 12.1it/s, loss=0.3]", 100, 3, 3, 0, "", "12.1it/s"},
		{"Epoch 3:  50%|█████     | 50/100 [1:00:00<1:02:03,  1.20s/it, v_num=0]", 50, 50, 100, 3723, "Epoch 3", "1.20s/it"},
		{"x: 27%|██▋       | 1.23G/4.56G [00:10<00:27, 120MB/s]", 27, 1_230_000_000, 4_560_000_000, 27, "x", "120MB/s"},
		{"  3%|▎| 1/30 [00:01<1d 02:03:04, 1.0s/it]", 3, 1, 30, 93784, "", "1.0s/it"},
		{"   ━━━━━━━╸━━━━━━━ 12.3/45.6 MB 3.0 MB/s eta 0:00:10", 100 * 12.3 / 45.6, 12_300_000, 45_600_000, 10, "", "3.0 MB/s"},
		{"Working... ━━━━━━━╸━━━━━━━  42% 0:01:10", 42, no, no, 70, "Working", ""},
		{"Working... ━━━━━━━╸━━━━━━━  42% -:--:--", 42, no, no, no, "Working", ""},
		{"12/100 [==>...........................] - ETA: 3s - loss: 0.3", 12, 12, 100, 3, "", ""},
		{"\x1b[1m12/100\x1b[0m \x1b[32m━━\x1b[0m\x1b[37m━━━━━━\x1b[0m \x1b[1m3s\x1b[0m 10ms/step - loss: 0.3", 12, 12, 100, no, "", "10ms/step"},
		{"step 12/300 loss=0.0833", 4, 12, 300, no, "step", ""},
		{"Epoch 3/10", 30, 3, 10, no, "Epoch", ""},
		{"Epoch [3/10] loss 0.1", 30, 3, 10, no, "Epoch", ""},
		{"Epoch: [0][ 10/5000]\tTime 0.1", 0.2, 10, 5000, no, "Epoch", ""},
		{"Epoch [2/10], Step [50/100], Loss: 0.3", 15, 2, 10, no, "Epoch", ""},
		{"epoch 3 of 10", 30, 3, 10, no, "epoch", ""},
		{"2026-11-30 12:00:00 INFO train step 12/300", 4, 12, 300, no, "train step", ""},
		{"batches: 3 / 4", 75, 3, 4, no, "batches", ""},
		{"epoch 1/3", 100. / 3, 1, 3, no, "epoch", ""},
		{"[ 45%] Building CXX object x.o", 45, no, no, no, "Building CXX object x.o", ""},
		{"[12/100] Linking x", 12, 12, 100, no, "Linking x", ""},
		{"45% |███       |", 45, no, no, no, "", ""},
		{"files: [=====>    ] 45%", 45, no, no, no, "files", ""},
		{"file.zip   45%[====>     ]  12.30M  1.2MB/s  eta 3s", 45, no, no, 3, "file.zip", "1.2MB/s"},
		{"######                    24.6%", 24.6, no, no, no, "", ""},
		{"Receiving objects:  45% (12/26), 1.20 MiB | 2.00 MiB/s", 45, 12, 26, no, "Receiving objects", "2.00 MiB/s"},
		{"      1,234,567  45%    1.23MB/s    0:00:10", 45, no, no, 10, "", "1.23MB/s"},
		{"model.bin    45%  123MB  10.1MB/s   00:12 ETA", 45, no, no, 12, "model.bin", "10.1MB/s"},
		{"Downloading data: 45.5%", 45.5, no, no, no, "Downloading data", ""},
		{"Progress: 45 %", 45, no, no, no, "Progress", ""},
		{"45% complete", 45, no, no, no, "", ""},
		{"|████████▌           | 45/100 [45%] in 2s (~3s, 22.5/s)", 45, 45, 100, 3, "", "22.5/s"},
		{"training: step 9/10 eta 1m 3s", 90, 9, 10, 63, "training: step", ""},
	} {
		p, ok := ParseProgress(c.text)
		if !ok {
			t.Errorf("%q is no progress", c.text)
			continue
		}
		value := func(v *int64) int64 {
			if v == nil {
				return no
			}
			return *v
		}
		if math.Abs(p.Percent-c.percent) > 0.001 || value(p.Current) != c.current || value(p.Total) != c.total || value(p.ETASeconds) != c.eta ||
			p.Label != c.label || p.Rate != c.rate {
			t.Errorf("%q: %v%% %d/%d eta %d label %q rate %q", c.text, p.Percent, value(p.Current), value(p.Total), value(p.ETASeconds), p.Label, p.Rate)
		}
	}
	for _, text := range []string{
		"", "plain", "loss 3/4", "accuracy 45%", "accuracy: 45% (3/4 classes)", "date 11/30/2026", "step 5/3", "step 1/0", "/usr/lib/3/4", "GPU 3% used",
		"a 3/4 b", "1/2", "http://x/1/2", "step 12", "of 3", "5 of 10 people", "100%", "100% sure", "-5% |███|", "120%|███| 1/2", "footstep1/2",
		"n=10%3", "val_acc=45% loss=3/4", "see 12/100 of it", "commit 3/4abc", "21it [00:02, 9.99it/s]", "% |", "50%", "step /3", "ratio: 3/4 [x]", "in a century 3/4",
	} {
		if p, ok := ParseProgress(text); ok {
			t.Errorf("%q is taken for progress: %+v", text, p)
		}
	}
}

func FuzzProgress(f *testing.F) {
	f.Add("load:  42%|████▏     | 21/50 [00:02<00:03, 9.99it/s]")
	f.Add("Epoch [2/10], Step [50/100] 3 of 4 eta 1d 02:03 45% (~3s")
	f.Add("file.zip   45%[====>     ]  12.30M  1.2MB/s  eta 3s")
	f.Fuzz(func(t *testing.T, text string) {
		p, ok := ParseProgress(text)
		if !ok {
			return
		}
		if !(p.Percent >= 0 && p.Percent <= 100) || (p.Current == nil) != (p.Total == nil) || len(p.Label) > maxLabel ||
			p.Current != nil && (*p.Current < 0 || *p.Current > *p.Total) || p.ETASeconds != nil && *p.ETASeconds < 0 {
			t.Fatalf("%q: %+v", text, p)
		}
	})
}
