package worker

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"nightshift/client"
)

// refusedFor is how long a worker believes that the other one with its name is about to go: a killed worker's connection may take a
// moment to be noticed.
const refusedFor = 15 * time.Second

// register introduces the worker and tells which of the known jobs are still its own. A server that is away is waited for.
func (w *Worker) register(ctx context.Context, known []*record) (kept map[string]bool, err error) {
	ids := make([]string, 0, len(known))
	for _, r := range known {
		ids = append(ids, r.Job.JobId)
	}
	in := w.introduction(ctx, ids)
	var b client.Backoff
	began, told := time.Now(), false
	for {
		out, err := client.RegisterWorker(ctx, w.api, in)
		w.answered(err)
		if err == nil {
			w.registered(ctx, &out.RegisterWorker)
			kept = map[string]bool{}
			for _, id := range out.RegisterWorker.KeptJobIds {
				kept[id] = true
			}
			return kept, nil
		}
		waits := client.Temporary(err) || client.Is(err, client.Conflict) && time.Since(began) < refusedFor
		if ctx.Err() != nil || !waits {
			return nil, fmt.Errorf("register with %s: %w", w.api.URL(), err)
		}
		if !told {
			w.log.Warn("cannot register yet; trying on", "server", w.api.URL(), "error", err)
			told = true
		}
		if !b.Sleep(ctx) {
			return nil, ctx.Err()
		}
	}
}

func (w *Worker) registered(ctx context.Context, p *client.RegisterWorkerRegisterWorkerRegisterWorkerPayload) {
	w.mu.Lock()
	w.id = p.Worker.Id
	if p.HeartbeatSeconds > 0 {
		w.beatEvery = time.Duration(p.HeartbeatSeconds) * time.Second
	}
	w.mu.Unlock()
	w.readComputer(ctx)
}

// readComputer learns the computer's work folder; without it the last known one stays.
func (w *Worker) readComputer(ctx context.Context) {
	out, err := client.WorkerComputer(ctx, w.api, w.o.Computer)
	if err != nil || out.Computer == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.workFolder = ""
	if out.Computer.WorkFolder != nil {
		w.workFolder = *out.Computer.WorkFolder
	}
}

// registerAgain settles with the server after it may have given us jobs that we never heard of, or forgot us.
func (w *Worker) registerAgain(ctx context.Context) error {
	var known []*record
	jobs := w.held()
	for _, j := range jobs {
		known = append(known, &record{Job: j.rec.Job})
	}
	kept, err := w.register(ctx, known)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if !kept[j.id()] {
			j.loseLease()
		}
	}
	return nil
}

func (w *Worker) introduction(ctx context.Context, known []string) client.RegisterWorkerInput {
	cpus := runtime.NumCPU()
	return client.RegisterWorkerInput{
		Name: w.o.Name, Computer: w.o.Computer, Hostname: w.host.hostname, HostId: w.host.hostID, BootId: w.host.bootID,
		InstanceId: w.instance, Version: w.o.Version, Runtimes: runtimes(), Gpus: w.gpus(ctx), CpuCount: &cpus, MemoryMib: memoryMiB(),
		KnownJobIds: known,
	}
}

// runtimes are the ways this host can run a job's code.
func runtimes() []string {
	out := []string{"shell"}
	for _, r := range []struct{ name, program string }{{"python", "python3"}, {"docker", "docker"}, {"podman", "podman"}, {"apptainer", "apptainer"}} {
		if _, err := exec.LookPath(r.program); err == nil {
			out = append(out, r.name)
		}
	}
	return out
}

func memoryMiB() *int {
	b, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, "MemTotal:"); ok {
			if kb, err := strconv.Atoi(strings.Fields(rest)[0]); err == nil {
				mib := kb / 1024
				return &mib
			}
		}
	}
	return nil
}

func (w *Worker) gpus(ctx context.Context) []client.GpuInput {
	if w.o.FakeGPUs > 0 {
		out := make([]client.GpuInput, w.o.FakeGPUs)
		for i := range out {
			out[i] = client.GpuInput{Index: i, Name: "Fake GPU"}
		}
		return out
	}
	if w.o.FakeGPUs < 0 {
		return nil
	}
	gpus, err := DiscoverGPUs(ctx)
	if err != nil && !errors.Is(err, ErrNoGPUs) {
		w.log.Warn("GPUs cannot be read; jobs that need one wait", "error", err)
	}
	return gpus
}
