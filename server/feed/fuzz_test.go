package feed

import "testing"

func FuzzCursor(f *testing.F) {
	f.Add("f0.1")
	f.Add("f-1.zz")
	f.Fuzz(func(t *testing.T, s string) {
		p, ok := parse(s)
		if !ok {
			return
		}
		if again, ok := parse(p.String()); !ok || again != p {
			t.Fatalf("%q is read as %v, and written as %q", s, p, p)
		}
	})
}
