package worker

import (
	"encoding/json"
	"testing"

	"nightshift/client"
)

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

// One secret may begin inside another, and a program prints the lines of a key one by one.
func TestOverlappingAndManyLineSecretsAreHidden(t *testing.T) {
	api := newFakeAPI(t)
	begin(t, api)
	id := api.add(`printf 'abcdef'; sleep 0.2; echo ghi; echo "$KEY" | sed -n 2p`, func(c *client.ClaimedJob) {
		c.SecretEnvironment = json.RawMessage(`{"A":"abcdef","B":"defghi","KEY":"-----BEGIN\nc2VjcmV0LWtleQ\n-----END"}`)
	})
	api.await(id)
	if got := api.output(id, 0); got != "***\n***\n" {
		t.Errorf("stdout %q", got)
	}
}
