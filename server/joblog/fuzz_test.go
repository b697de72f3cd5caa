package joblog

import (
	"encoding/base64"
	"mime"
	"strings"
	"testing"

	"nightshift/logframe"
	"nightshift/server/fault"
)

// Whatever is sent is either a batch that can be stored and read again, or INVALID_INPUT.
func FuzzDecode(f *testing.F) {
	f.Add("2026-11-30T01:02:03Z\tINFO\thello\n\tERROR\ta\\tb", []byte("nl\x01\x00\x00\x00"))
	f.Add("\t\t", logframe.Encode(nil, []logframe.Line{{Text: []byte("x")}, {Text: []byte("y"), Partial: true}}))
	f.Fuzz(func(t *testing.T, text string, frame []byte) {
		a, errA := DecodeText(1, text)
		b, errB := DecodeFrame(1, base64.StdEncoding.EncodeToString(frame))
		for _, x := range []struct {
			b   Batch
			err error
		}{{a, errA}, {b, errB}} {
			if x.err != nil {
				if fault.CodeOf(x.err) != fault.InvalidInput {
					t.Fatal(x.err)
				}
				continue
			}
			for from := range min(x.b.Lines.Finals(), 3) {
				again, err := logframe.Decode(suffix(&x.b.Lines, from), maxChunk)
				if err != nil || again.Len() != x.b.Lines.Finals()-from {
					t.Fatalf("%d lines from %d: %d, %v", x.b.Lines.Len(), from, again.Len(), err)
				}
			}
		}
	})
}

func FuzzDisposition(f *testing.F) {
	f.Add("a\r\nb: \"c\";学習")
	f.Fuzz(func(t *testing.T, run string) {
		d := disposition(run)
		kind, params, err := mime.ParseMediaType(d)
		name := params["filename"]
		if err != nil || kind != "attachment" || !strings.HasSuffix(name, ".log") || strings.ContainsAny(name, "/\\\r\n\x00\"") || strings.HasPrefix(name, ".") {
			t.Fatalf("%q: %q: %v", run, d, err)
		}
	})
}

func FuzzSearch(f *testing.F) {
	f.Add([]byte("lo\x1b[1mss 10%\r20%"), "LOSS")
	f.Fuzz(func(t *testing.T, text []byte, search string) {
		m := newMatcher(0, search)
		for range 2 {
			m.match(&logframe.Line{Text: text})
		}
		if search != "" && !strings.ContainsFunc(search, func(r rune) bool { return r < ' ' || r > '~' }) && !m.contains([]byte("x"+search+"y")) {
			t.Fatalf("%q is not found in itself", search)
		}
	})
}
