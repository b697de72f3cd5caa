package pubsub_test

import (
	"context"
	"database/sql"
	"fmt"
	"runtime"
	"testing"
	"time"

	"nightshift/server/db/dbtest"
	"nightshift/server/pubsub"
)

func relayed(t *testing.T, url string) *pubsub.Bus {
	t.Helper()
	b := pubsub.New()
	if err := b.StartRelay(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	return b
}

func told(s *pubsub.Sub, within time.Duration) bool {
	select {
	case <-s.C:
		return true
	case <-time.After(within):
		return false
	}
}

func TestRelayTellsOtherServersAndNotItself(t *testing.T) {
	url := dbtest.PostgresURL(t)
	a, b := relayed(t, url), relayed(t, url)
	other, own, unrelated := b.Subscribe("log:1"), a.Subscribe("log:1"), b.Subscribe("log:2")
	a.Publish("log:1")
	if !told(other, 5*time.Second) {
		t.Fatal("the other server was not told")
	}
	if !told(own, time.Second) {
		t.Fatal("its own subscriber was not told")
	}
	if told(own, 300*time.Millisecond) {
		t.Fatal("its own subscriber was told twice")
	}
	if told(unrelated, 100*time.Millisecond) {
		t.Fatal("a subscriber of another topic was told")
	}
}

func TestRelayCarriesMoreTopicsThanOneNotificationHolds(t *testing.T) {
	url := dbtest.PostgresURL(t)
	a, b := relayed(t, url), relayed(t, url)
	for _, n := range []int{1500, 5000} { // several notifications; then one that says everything
		var subs []*pubsub.Sub
		var topics []string
		for i := range n {
			topics = append(topics, fmt.Sprintf("events:%d:%d", n, 1_000_000_000+i))
			subs = append(subs, b.Subscribe(topics[i]))
		}
		a.Publish(topics...)
		for i, s := range subs {
			if !told(s, 5*time.Second) {
				t.Fatalf("%d topics: number %d was not told", n, i)
			}
			s.Close()
		}
	}
}

func TestRelaySendsManyPublishesAsFewNotifications(t *testing.T) {
	url := dbtest.PostgresURL(t)
	a, b := relayed(t, url), relayed(t, url)
	s := b.Subscribe("log:1")
	stop := time.Now().Add(500 * time.Millisecond)
	n := 0
	go func() {
		for time.Now().Before(stop) {
			a.Publish("log:1")
			time.Sleep(100 * time.Microsecond)
		}
	}()
	for time.Now().Before(stop) {
		if told(s, 50*time.Millisecond) {
			n++
		}
	}
	if n == 0 || n > 25 {
		t.Fatalf("%d notifications in half a second", n)
	}
}

func TestRelayThatLosesItsConnectionTellsEveryone(t *testing.T) {
	url := dbtest.PostgresURL(t)
	a, b := relayed(t, url), relayed(t, url)
	s := b.Subscribe("log:1")
	raw, err := sql.Open("postgres", url)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	if _, err := raw.Exec(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`); err != nil {
		t.Fatal(err)
	}
	if !told(s, 10*time.Second) {
		t.Fatal("nobody was told to read again after the connection had been lost")
	}
	for told(s, 300*time.Millisecond) {
	}
	a.Publish("log:1") // its own connection was cut too
	if !told(s, 10*time.Second) {
		t.Fatal("a publish after the cut did not arrive")
	}
}

func TestRelayLeavesNothingBehind(t *testing.T) {
	url := dbtest.PostgresURL(t)
	before := runtime.NumGoroutine()
	ctx, cancel := context.WithCancel(context.Background())
	b := pubsub.New()
	if err := b.StartRelay(ctx, url); err != nil {
		t.Fatal(err)
	}
	b.Publish("log:1")
	cancel()
	deadline := time.Now().Add(5 * time.Second)
	for runtime.NumGoroutine() > before {
		if time.Now().After(deadline) {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestRelayToNowhereIsAnErrorSoon(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if err := pubsub.New().StartRelay(ctx, "postgres://nobody@127.0.0.1:1/x?sslmode=disable&connect_timeout=1"); err == nil {
		t.Fatal("no error")
	}
}
