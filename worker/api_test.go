package worker

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"nightshift/client"
	"nightshift/logframe"
)

// fakeAPI is a small server with the contract's behaviour and faults on demand.
type fakeAPI struct {
	*httptest.Server
	t testing.TB

	mu       sync.Mutex
	jobs     map[string]*fakeJob
	order    []string
	workers  map[string]string // instance → name
	nudges   map[chan client.Work]bool
	calls    map[string]int
	fault    func(op string, n int) faultKind // may be nil
	known    []string                         // of the last registration
	seq      int
	maxBatch int
	conflict bool // another process has registered
}

type faultKind int

const (
	noFault    faultKind = iota
	errorIn200           // not carried out, error inside 200
	down                 // not carried out, 503
	lostReply            // carried out, and the answer is lost
	twice                // carried out twice
	refused              // not carried out, the token is not known
)

type fakeJob struct {
	client.ClaimedJob
	status   string // QUEUED ASSIGNED RUNNING ENDED
	runs     int    // how often it was claimed
	assigned time.Time
	lines    []logframe.Line
	partial  string
	events   map[string]string
	eventSeq []string
	finish   *client.FinishJobInput
	finishes int
	answer   client.HeartbeatAnswer
	progress *client.ProgressInput
}

func newFakeAPI(t testing.TB) *fakeAPI {
	f := &fakeAPI{t: t, jobs: map[string]*fakeJob{}, workers: map[string]string{}, nudges: map[chan client.Work]bool{}, calls: map[string]int{}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(func() { f.CloseClientConnections(); f.Close() })
	return f
}

// add queues a job.
func (f *fakeAPI) add(command string, change ...func(*client.ClaimedJob)) string {
	f.mu.Lock()
	f.seq++
	id := fmt.Sprintf("%08d-0000-4000-8000-000000000000", f.seq)
	c := client.ClaimedJob{
		JobId: id, RunId: "run-" + id, Project: "first", JobToken: "nsj_" + id, RunName: "r", Kind: client.RunKindTraining, Attempt: 1, Command: command,
		Parameters: json.RawMessage(`{"lr":0.1}`), Environment: json.RawMessage(`{}`), SecretEnvironment: json.RawMessage(`{}`), GpuIndices: []int{}, GraceSeconds: 10,
	}
	for _, ch := range change {
		ch(&c)
	}
	f.jobs[id] = &fakeJob{ClaimedJob: c, status: "QUEUED", events: map[string]string{}, answer: client.HeartbeatAnswerKeep}
	f.order = append(f.order, id)
	f.mu.Unlock()
	f.nudge(client.Work{Claim: true})
	return id
}

func (f *fakeAPI) nudge(w client.Work) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for c := range f.nudges {
		select {
		case c <- w:
		default:
		}
	}
}

// tell sets what the worker hears about a job, and nudges it.
func (f *fakeAPI) tell(id string, a client.HeartbeatAnswer) {
	f.with(id, func(j *fakeJob) { j.answer = a })
	f.nudge(client.Work{Heartbeat: true})
}

func (f *fakeAPI) with(id string, do func(*fakeJob)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	do(f.jobs[id])
}

// output is every byte of one job's log, of the streams given.
func (f *fakeAPI) output(id string, streams ...logframe.Stream) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	for _, l := range f.jobs[id].lines {
		if len(streams) > 0 && !slices.Contains(streams, l.Stream) || len(streams) == 0 && l.Stream == logframe.System {
			continue
		}
		b.Write(l.Text)
		if l.EndsInNewline() {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// await waits until a job has ended.
func (f *fakeAPI) await(id string) fakeJob {
	f.t.Helper()
	var out fakeJob
	eventually(f.t, 30*time.Second, "job "+id+" ends", func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		out = *f.jobs[id]
		return out.finish != nil
	})
	return out
}

func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(limit); ; time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("waited %s in vain: %s", limit, what)
		}
	}
}

type coded struct {
	code string
	ext  map[string]any
}

func (e coded) Error() string { return e.code }

func (f *fakeAPI) serve(w http.ResponseWriter, r *http.Request) {
	var req struct {
		Query, OperationName string
		Variables            map[string]json.RawMessage
	}
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, "bad", 400)
		return
	}
	if strings.HasPrefix(req.Query, "subscription") {
		f.subscribe(w, r)
		return
	}
	f.mu.Lock()
	f.calls[req.OperationName]++
	kind := noFault
	if f.fault != nil {
		kind = f.fault(req.OperationName, f.calls[req.OperationName])
	}
	f.mu.Unlock()
	switch kind {
	case errorIn200:
		answer(w, nil, []map[string]any{{"message": "database is busy", "extensions": map[string]any{"code": "BUSY"}}})
		return
	case refused:
		answer(w, nil, []map[string]any{{"message": "Who are you?", "extensions": map[string]any{"code": "UNAUTHENTICATED"}}})
		return
	case down:
		http.Error(w, "gone", 503)
		return
	case twice:
		f.do(req.OperationName, req.Variables)
	}
	data, errs := f.do(req.OperationName, req.Variables)
	if kind == lostReply {
		panic(http.ErrAbortHandler)
	}
	answer(w, data, errs)
}

func answer(w http.ResponseWriter, data any, errs []map[string]any) {
	w.Header().Set("Content-Type", "application/json")
	m := map[string]any{"data": data}
	if len(errs) > 0 {
		m["data"], m["errors"] = nil, errs
	}
	json.NewEncoder(w).Encode(m)
}

func (f *fakeAPI) subscribe(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	c := make(chan client.Work, 16)
	f.mu.Lock()
	f.nudges[c] = true
	f.mu.Unlock()
	defer func() { f.mu.Lock(); delete(f.nudges, c); f.mu.Unlock() }()
	for {
		select {
		case <-r.Context().Done():
			return
		case n := <-c:
			b, _ := json.Marshal(map[string]any{"data": map[string]any{"workAvailable": n}})
			fmt.Fprintf(w, ": ping\n\nevent: next\ndata: %s\n\n", b)
			w.(http.Flusher).Flush()
		}
	}
}

// complete tells whether every list that must not be null is there.
func complete(vars map[string]json.RawMessage) bool {
	for _, v := range vars {
		if strings.Contains(string(v), `"events":null`) || strings.Contains(string(v), `"jobs":null`) || strings.Contains(string(v), `"knownJobIds":null`) {
			return false
		}
	}
	return true
}

func (f *fakeAPI) do(op string, vars map[string]json.RawMessage) (map[string]any, []map[string]any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := map[string]any{}
	var errs []map[string]any
	if !complete(vars) {
		return nil, []map[string]any{{"message": "must be defined", "path": []any{"variable"}, "extensions": map[string]any{"code": "GRAPHQL_VALIDATION_FAILED"}}}
	}
	run := func(field, variable string, do func(raw json.RawMessage) (any, error)) {
		v, err := do(vars[variable])
		if err != nil {
			e := map[string]any{"message": err.Error(), "path": []any{field}}
			if c, ok := err.(coded); ok {
				ext := map[string]any{"code": c.code}
				for k, v := range c.ext {
					ext[k] = v
				}
				e["extensions"] = ext
			}
			errs = append(errs, e)
		}
		out[field] = v
	}
	flag := func(name string) bool { return string(vars[name]) == "true" }
	switch op {
	case "RegisterWorker":
		run("registerWorker", "input", f.register)
	case "ClaimJobs":
		run("claimJobs", "input", f.claim)
	case "ReleaseJobs":
		run("releaseJobs", "input", f.release)
	case "Heartbeat":
		run("heartbeat", "input", f.heartbeat)
	case "StartJob":
		run("startJob", "input", f.start)
	case "AppendLog":
		run("appendLog", "input", f.append)
	case "RecordJobEvents":
		run("recordJobEvents", "input", f.record)
	case "EndJob":
		if flag("withLog") {
			run("appendLog", "log", f.append)
		}
		if flag("withEvents") {
			run("recordJobEvents", "events", f.record)
		}
		run("finishJob", "finish", f.finish)
	case "WorkerComputer":
		out["computer"] = map[string]any{"id": "1", "name": "c", "enabled": true, "workFolder": f.t.TempDir()}
	default:
		f.t.Errorf("unknown operation %q", op)
	}
	return out, errs
}

func read[T any](raw json.RawMessage) (v T) {
	if err := json.Unmarshal(raw, &v); err != nil {
		panic(err)
	}
	return v
}

func (f *fakeAPI) register(raw json.RawMessage) (any, error) {
	in := read[client.RegisterWorkerInput](raw)
	f.known = in.KnownJobIds
	f.workers[in.InstanceId] = in.Name
	kept, lost := []string{}, []string{}
	for _, id := range f.order {
		j := f.jobs[id]
		mine := j.status == "ASSIGNED" || j.status == "RUNNING"
		switch known := slices.Contains(in.KnownJobIds, id); {
		case known && mine:
			kept = append(kept, id)
		case known:
			lost = append(lost, id)
		case j.status == "ASSIGNED":
			j.status = "QUEUED"
		case j.status == "RUNNING":
			j.status, j.finish = "ENDED", &client.FinishJobInput{Reason: "unknown to its worker"}
		}
	}
	return map[string]any{
		"worker": map[string]any{"id": "7", "name": in.Name, "project": map[string]any{"key": "first"}}, "heartbeatSeconds": 1, "lostJobIds": lost, "keptJobIds": kept,
	}, nil
}

func (f *fakeAPI) claim(raw json.RawMessage) (any, error) {
	in := read[client.ClaimJobsInput](raw)
	out := []client.ClaimedJob{}
	f.maxBatch = max(f.maxBatch, in.Max)
	for _, id := range f.order {
		if j := f.jobs[id]; j.status == "QUEUED" && len(out) < in.Max {
			j.runs++
			j.assigned = time.Now()
			j.status, j.Lease = "ASSIGNED", fmt.Sprintf("lease-%s-%d", id, j.runs)
			out = append(out, j.ClaimedJob)
		}
	}
	return map[string]any{"jobs": out}, nil
}

func (f *fakeAPI) release(raw json.RawMessage) (any, error) {
	released := []string{}
	for _, l := range read[client.ReleaseJobsInput](raw).Jobs {
		if j := f.jobs[l.JobId]; j.Lease == l.Lease && j.status == "ASSIGNED" {
			j.status = "QUEUED"
			released = append(released, l.JobId)
		}
	}
	return map[string]any{"released": released}, nil
}

func (f *fakeAPI) heartbeat(raw json.RawMessage) (any, error) {
	if f.conflict {
		return nil, coded{code: "CONFLICT"}
	}
	out := []any{}
	in := read[client.HeartbeatInput](raw)
	for _, id := range f.order { // given, as far as the server knows, but the worker never heard of it
		j := f.jobs[id]
		if j.status == "ASSIGNED" && time.Since(j.assigned) > 2*time.Second && !slices.ContainsFunc(in.Jobs, func(l client.LeasedJob) bool { return l.JobId == id }) {
			j.status = "QUEUED"
		}
	}
	for _, l := range in.Jobs {
		j := f.jobs[l.JobId]
		a := j.answer
		if j.Lease != l.Lease || j.status != "ASSIGNED" && j.status != "RUNNING" {
			a = client.HeartbeatAnswerLost
		}
		out = append(out, map[string]any{"jobId": l.JobId, "answer": a})
	}
	return map[string]any{"jobs": out, "serverTime": time.Now()}, nil
}

func (f *fakeAPI) leased(id, lease string) (*fakeJob, error) {
	j := f.jobs[id]
	if j == nil {
		return nil, coded{code: "NOT_FOUND"}
	}
	if j.Lease != lease {
		return nil, coded{code: "LEASE_LOST"}
	}
	return j, nil
}

func (f *fakeAPI) start(raw json.RawMessage) (any, error) {
	in := read[client.StartJobInput](raw)
	j, err := f.leased(in.JobId, in.Lease)
	if err != nil {
		return nil, err
	}
	a := j.answer
	if j.status == "ASSIGNED" {
		j.status = "RUNNING"
	}
	return map[string]any{"answer": a}, nil
}

func (f *fakeAPI) append(raw json.RawMessage) (any, error) {
	in := read[client.AppendLogInput](raw)
	j, err := f.leased(in.JobId, in.Lease)
	if err != nil {
		return nil, err
	}
	frame, err := base64.StdEncoding.DecodeString(in.Data)
	if err != nil {
		return nil, coded{code: "INVALID_INPUT"}
	}
	b, err := logframe.Decode(frame, 0)
	if err != nil {
		return nil, coded{code: "INVALID_INPUT"}
	}
	next := int64(len(j.lines)) + 1
	if in.FirstLine > next {
		return nil, coded{"CONFLICT", map[string]any{"nextLine": next}}
	}
	if in.Progress != nil {
		j.progress = in.Progress
	}
	for i, l := range b.All() {
		if l.Partial {
			j.partial = string(l.Text)
			break
		}
		if number := in.FirstLine + int64(i); number == int64(len(j.lines))+1 {
			l.Text = slices.Clone(l.Text)
			j.lines = append(j.lines, l)
		} else if old := j.lines[number-1]; string(old.Text) != string(l.Text) || old.Stream != l.Stream || !old.Time.Equal(l.Time) || old.Cut != l.Cut || old.NoNewline != l.NoNewline {
			f.t.Errorf("line %d of %s came again as another one: %q, was %q", number, in.JobId, l.Text, old.Text)
		}
	}
	return map[string]any{"nextLine": len(j.lines) + 1}, nil
}

func (f *fakeAPI) record(raw json.RawMessage) (any, error) {
	in := read[client.RecordJobEventsInput](raw)
	j, err := f.leased(in.JobId, in.Lease)
	if err != nil {
		return nil, err
	}
	stored := 0
	for _, e := range in.Events {
		if _, known := j.events[e.Key]; !known {
			stored++
			j.events[e.Key] = e.Type
			j.eventSeq = append(j.eventSeq, e.Type)
		}
	}
	return map[string]any{"stored": stored}, nil
}

func (f *fakeAPI) finish(raw json.RawMessage) (any, error) {
	in := read[client.FinishJobInput](raw)
	j, err := f.leased(in.JobId, in.Lease)
	if err != nil {
		return nil, err
	}
	if in.LogLines != nil && *in.LogLines > int64(len(j.lines)) {
		return nil, coded{"CONFLICT", map[string]any{"nextLine": len(j.lines) + 1}}
	}
	j.finishes++
	if j.status != "ENDED" {
		j.status, j.finish = "ENDED", &in
	}
	return map[string]any{"job": map[string]any{"id": in.JobId, "status": "COMPLETED"}}, nil
}
