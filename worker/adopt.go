package worker

import (
	"context"
	"os"

	"nightshift/client"
	"nightshift/worker/supervise"
)

// adopt takes over the jobs that an earlier worker left on disk.
//
//	not ours any more          kill, forget
//	claimed, nothing started   back to the queue
//	starting, no supervisor    start: its supervisor may be about to come up, and starting twice runs once
//	running or ended           go on with its log from the last acknowledged line
//	supervisor gone            end what it left behind, report lost or rebooted
func (w *Worker) adopt(ctx, hard context.Context, known []*record, kept map[string]bool) {
	for _, r := range known {
		j := w.jobOf(r)
		switch {
		case !kept[r.Job.JobId] && !ended(j):
			w.log.Warn("a job on disk is not this worker's any more", "job", j.id())
			j.up.Store(r.Stage != claimed)
			w.begin(j, hard, func(context.Context) { j.abandon() })
		case r.Stage == claimed:
			w.begin(j, hard, j.release)
		default:
			w.begin(j, hard, j.resume)
		}
	}
}

// ended tells whether the job's process is over and its end on disk: that is offered to the server, even when it has given up on it.
func ended(j *job) bool {
	return supervise.Read(j.process()).Exit != nil
}

// resume goes on with a job that an earlier worker started.
func (j *job) resume(ctx context.Context) {
	if supervise.Read(j.process()).Phase == supervise.New {
		if j.rec.BootID != j.w.host.bootID { // how far it came before the host went down is not known
			j.exited.Store(true)
			j.finish(ctx, j.result(), nil)
			return
		}
		j.run(ctx)
		return
	}
	j.note(client.JobEventInput{
		Key: "adopted-" + j.w.instance, Type: "worker.adopted", Args: args(map[string]any{"worker": j.w.o.Name, "pid": os.Getpid()}),
	})
	j.isUp()
	j.attend(ctx)
}
