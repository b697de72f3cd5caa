package worker

import (
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"nightshift/client"
)

func TestSecretsAreHiddenHoweverTheBytesAreCut(t *testing.T) {
	secrets := []string{"hunter2!", "hunter2!longer", "aaaaab", "two\nlines", "short"}
	text := "hunter2! hunter2!longer hunter2!long aaaaaaaaab two\nlines two\nline short hunter hunter2"
	want := "*** *** ***long aaaa*** *** two\nline short hunter hunter2"
	for range 2000 {
		m := newMasker(secrets)
		var out strings.Builder
		for rest := text; rest != ""; {
			n := 1 + rand.IntN(min(len(rest), 9))
			out.Write(m.hide(time.Time{}, []byte(rest[:n])))
			rest = rest[n:]
		}
		_, tail := m.flush()
		out.Write(tail)
		if got := out.String(); !strings.HasPrefix(got, "*** *** ***long") || got != want {
			t.Fatalf("%q\nwant %q", got, want)
		}
	}
}

func TestSecretsNeverLeaveTheWorker(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	secret := func(c *client.ClaimedJob) { c.SecretEnvironment = json.RawMessage(`{"API":"s3cret-value"}`) }
	id := api.add(`printf 's3cr'; sleep 0.2; printf 'et-value and '; echo $API | sed 's/-/- /'; echo "$API" >&2`, secret)
	api.await(id)
	if got := api.output(id, 0); got != "*** and s3cret- value\n" {
		t.Errorf("stdout %q", got)
	}
	if got := api.output(id, 1); got != "***\n" {
		t.Errorf("stderr %q", got)
	}
	j := api.await(api.add("true", secret, func(c *client.ClaimedJob) { c.WorkingDirectory = new("/none/s3cret-value") }))
	if e := deref(j.finish.Error); e != "workdir_missing: /none/***" {
		t.Errorf("error %q", e)
	}
}
