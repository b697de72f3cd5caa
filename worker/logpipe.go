package worker

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"nightshift/client"
	"nightshift/logframe"
	"nightshift/worker/supervise"
)

// The log pipe carries what a job prints to the server:
//
//	spool ─► mask ─► assemble ─► number ─► batch ─► appendLog ─► nextLine
//	(disk)                                            ▲              │ lines before it are stored: not sent again
//	                                                  └── resend ────┘ a gap: read the spool again
//
// The spool is the truth and lines depend only on its bytes, so that reading it again gives the same lines under the same numbers.
// Therefore nothing but a place in the spool is kept on disk, at moments when no line is open.
const (
	batchLines = 5000
	batchBytes = 1 << 20
	readAhead  = 1 << 20                // bytes of the spool taken in before lines are sent
	batchEvery = 70 * time.Millisecond  // lines that come in quick succession travel together
	firstAfter = 20 * time.Millisecond  // most jobs that end within this need no request for their log alone
	openEvery  = 260 * time.Millisecond // how soon an unfinished line is shown again
	keepEvery  = time.Second            // how often the place in the spool is kept on disk
)

// cursor is a place in the spool at which no line is open: reading from Offset makes line number Line next.
type cursor struct{ Offset, Line int64 }

// pipeEnd is why a log pipe stopped.
type pipeEnd int

const (
	pipeEnded pipeEnd = iota // the process is over and all but the last batch is stored
	pipeLeft                 // the worker stops; what was printed until now is stored, or time is up
	pipeLost                 // the server wants nothing more of the job
)

type pipe struct {
	j      *job
	spool  *supervise.Spool // nil until there is one
	asm    *logframe.Assembler
	masker *logframe.Masker              // nil without secrets
	heard  map[logframe.Stream]time.Time // when a stream last said something: the time of what the masker holds back
	over   bool                          // the process has ended: the end of the spool is the end
	next   int64
	stored int64           // the server has all lines before this one
	tail   []logframe.Line // the last batch, which travels with the job's end
	safe   cursor          // where a later reader may begin
	kept   time.Time
	sent   time.Time // when lines were last sent
	fed    time.Time // when something was last printed
	frame  []byte

	progress   *client.ProgressInput // not sent yet
	progressAt time.Time
	most       int // lines a batch; fewer after the server refused one
}

func (j *job) openPipe() *pipe {
	p := &pipe{j: j, most: batchLines, sent: time.Now().Add(firstAfter - batchEvery), kept: time.Now()}
	p.begin(j.rec.Cursor)
	p.stored = p.next
	return p
}

// begin reads the spool from a place where no line is open.
func (p *pipe) begin(at cursor) {
	p.close()
	p.safe = cursor{at.Offset, max(at.Line, 1)}
	p.next = p.safe.Line
	p.asm = logframe.NewAssembler()
	p.masker = logframe.NewMasker(p.j.secrets()...)
	p.heard = map[logframe.Stream]time.Time{}
	p.tail = nil
}

func (p *pipe) close() {
	if p.spool != nil {
		p.spool.Close()
		p.spool = nil
	}
}

// run sends lines as they are printed, until the process is over or the worker stops.
func (p *pipe) run(ctx context.Context) pipeEnd {
	for {
		more, err := p.read()
		if err != nil {
			p.damaged(err)
		}
		if !more {
			if p.over {
				return p.last(ctx)
			}
			if p.isOver() {
				p.over = true
				continue // once more, for what was printed before the end
			}
			if p.batching(ctx) {
				continue
			}
		}
		lines := p.asm.Take(time.Now())
		if how, ok := p.send(ctx, lines); !ok {
			return how
		}
		p.mark()
		if more {
			continue
		}
		if p.j.staying.Err() != nil {
			return pipeLeft
		}
		p.wait(len(lines) > 0)
	}
}

// read takes in what is in the spool, up to a limit; more says that the limit was reached.
func (p *pipe) read() (more bool, err error) {
	if p.spool == nil {
		if fi, err := os.Stat(filepath.Join(p.j.process(), "spool")); err == nil && fi.Size() <= p.safe.Offset {
			return false, nil // most jobs print nothing for long, and some never
		}
		p.spool, err = supervise.OpenSpool(p.j.process(), p.safe.Offset)
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	for n := 0; n < readAhead; {
		r, err := p.spool.Next()
		if errors.Is(err, io.EOF) {
			if n > 0 {
				p.fed = time.Now()
			}
			return false, nil
		} else if err != nil {
			return false, err
		}
		n += len(r.Data) + 64
		p.feed(r)
	}
	p.fed = time.Now()
	return true, nil
}

func (p *pipe) feed(r supervise.Record) {
	switch r.Stream {
	case supervise.Note:
		p.asm.Say(r.Time, logframe.Warning, strings.TrimRight(string(r.Data), "\n"))
	default:
		stream := streamOf(r.Stream)
		p.heard[stream] = r.Time
		p.asm.Feed(r.Time, stream, p.masker.Mask(stream, r.Data, false))
	}
}

func streamOf(s supervise.Stream) logframe.Stream {
	if s == supervise.Stderr {
		return logframe.Stderr
	}
	return logframe.Stdout
}

// damaged ends the log where the spool cannot be read any further: the job's end must still arrive.
func (p *pipe) damaged(err error) {
	p.j.w.log.Error("the output of a job on disk cannot be read any further", "job", p.j.id(), "error", err)
	if p.isOver() && !p.over {
		p.over = true
		p.asm.Say(time.Now(), logframe.Error, "[nightshift: the rest of the output cannot be read: "+shorten(err.Error())+"]")
	}
}

// isOver tells whether the process has ended. What a dead supervisor left behind ends too, so that the spool is final.
func (p *pipe) isOver() bool {
	s := supervise.Read(p.j.process())
	if s.Phase == supervise.Lost {
		if n := supervise.Reap(p.j.process()); n > 0 {
			p.j.w.log.Warn("ended what a dead supervisor left behind", "job", p.j.id(), "processes", n)
		}
	}
	return s.Phase == supervise.Lost || s.Phase == supervise.Exited
}

// batching waits when lines were sent a moment ago, so that the next ones travel together; true: look again. The first lines after
// a pause go at once, and the end of the process ends the wait.
func (p *pipe) batching(ctx context.Context) bool {
	left := batchEvery - time.Since(p.sent)
	if left <= 0 || p.asm.Buffered() == 0 && p.asm.Idle() || p.j.staying.Err() != nil {
		return false
	}
	short, cancel := context.WithTimeout(ctx, left)
	defer cancel()
	_ = supervise.Changed(short, p.j.process(), math.MaxInt64)
	return ctx.Err() == nil && p.j.staying.Err() == nil
}

// wait lasts until more was printed, the process is over or the worker stops. An unfinished line is looked at again soon.
func (p *pipe) wait(sentSome bool) {
	ctx := p.j.staying
	if sentSome || time.Since(p.fed) < 3*openEvery {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, openEvery)
		defer cancel()
	}
	at := p.safe.Offset
	if p.spool != nil {
		at = p.spool.Offset()
	}
	_ = supervise.Changed(ctx, p.j.process(), at)
}

// last sends all that is left but the last batch, which travels with the end of the job.
func (p *pipe) last(ctx context.Context) pipeEnd {
	for _, stream := range []logframe.Stream{logframe.Stdout, logframe.Stderr} {
		if rest := p.masker.Mask(stream, nil, true); len(rest) > 0 {
			p.asm.Feed(p.heard[stream], stream, rest)
		}
	}
	lines := p.skip(p.asm.Finish())
	for len(lines) > 0 {
		n := logframe.Fit(lines, p.most, batchBytes)
		if n == len(lines) {
			break
		}
		if how, ok := p.send(ctx, lines[:n]); !ok {
			return how
		}
		lines = p.skip(lines[n:])
	}
	p.tail = lines
	return pipeEnded
}

// total is the number of lines of the whole log, once the process is over.
func (p *pipe) total() int64 { return p.next - 1 + int64(len(p.tail)) }

// rest is the last batch, for the request that ends the job.
func (p *pipe) rest() (in client.AppendLogInput, any bool) {
	in.Encoding = client.LogEncodingText
	if p == nil || len(p.tail) == 0 {
		return in, false
	}
	return p.batch(p.next, p.tail), true
}

// again sends lines from number on once more, after the server said that it lacks them.
func (p *pipe) again(ctx context.Context, number int64) pipeEnd {
	p.j.w.log.Warn("the server lacks lines of a job; they are sent again", "job", p.j.id(), "from", number)
	if number < p.next {
		p.begin(cursor{})
	} else {
		p.begin(p.safe)
	}
	p.stored = number
	return p.run(ctx)
}

// send stores lines on the server, in as many batches as it takes.
func (p *pipe) send(ctx context.Context, lines []logframe.Line) (pipeEnd, bool) {
	shown := false // the unfinished line at the end
	for {
		lines = p.skip(lines)
		if open := logframe.Finals(lines) == 0; len(lines) == 0 || open && (shown || p.stored > p.next) {
			return 0, true
		}
		n := logframe.Fit(lines, p.most, batchBytes)
		next, err := p.append(ctx, lines[:n])
		switch {
		case err == nil:
		case p.j.lost.Load() || gone(err):
			return pipeLost, false
		case ctx.Err() != nil:
			return pipeLeft, false
		case client.Is(err, client.InvalidInput):
			p.refused(lines[:n], err)
			continue
		default:
			number, ok := nextLine(err)
			if !ok {
				p.j.w.log.Error("the server refuses lines of a job; trying on", "job", p.j.id(), "error", err)
				if !client.Sleep(ctx, 5*time.Second) {
					return pipeLeft, false
				}
				continue
			}
			return p.again(ctx, number), false
		}
		p.sent, shown = time.Now(), n == len(lines)
		if p.stored = max(p.stored, next); p.stored <= p.next && logframe.Finals(lines[:n]) > 0 {
			client.Sleep(ctx, time.Second) // acknowledged and not stored: not what the contract says, but no reason to spin
		}
	}
}

// skip leaves out lines that the server has, and counts them.
func (p *pipe) skip(lines []logframe.Line) []logframe.Line {
	n := min(max(p.stored-p.next, 0), int64(logframe.Finals(lines)))
	p.next += n
	return lines[n:]
}

// append sends one batch until it is answered.
func (p *pipe) append(ctx context.Context, lines []logframe.Line) (next int64, err error) {
	in := p.batch(p.next, lines)
	err = p.j.w.persist(ctx, p.j, "send the log", func(ctx context.Context) error {
		out, err := client.AppendLog(ctx, p.j.w.api, in)
		if err == nil {
			next = out.AppendLog.NextLine
		}
		return err
	})
	if err == nil {
		p.progress = nil
	}
	return next, err
}

func (p *pipe) batch(first int64, lines []logframe.Line) client.AppendLogInput {
	p.readProgress(lines)
	p.frame = logframe.Encode(p.frame[:0], lines)
	return client.AppendLogInput{
		JobId: p.j.id(), Lease: p.j.rec.Job.Lease, FirstLine: first, Encoding: client.LogEncodingZstdBase64,
		Data: base64.StdEncoding.EncodeToString(p.frame), Progress: p.progress,
	}
}

// refused makes a batch that the server will not take smaller, and in the end replaces the one line that it is about: the lines
// after it must not wait for ever.
func (p *pipe) refused(lines []logframe.Line, err error) {
	p.j.w.log.Error("the server refuses a batch of lines", "job", p.j.id(), "first", p.next, "lines", len(lines), "error", err)
	if len(lines) > 1 {
		p.most = max(len(lines)/2, 1)
		return
	}
	lines[0].Text = fmt.Appendf(nil, "[nightshift: the server refused this line of %d bytes]", len(lines[0].Text))
	lines[0].Cut, lines[0].NoNewline = false, false
}

// mark notes a place where a later reader may begin, when no line is open and all before it is stored.
func (p *pipe) mark() {
	if p.spool == nil || !p.asm.Idle() || !p.masker.Idle() || p.stored > p.next {
		return
	}
	p.safe = cursor{p.spool.Offset(), p.next}
	if time.Since(p.kept) > keepEvery {
		p.keep()
	}
}

// keep writes the place down. Losing it costs only work: the server has what is sent twice already.
func (p *pipe) keep() {
	if p.safe.Offset == p.j.rec.Cursor.Offset {
		return
	}
	p.kept = time.Now()
	p.j.rec.Cursor = p.safe
	if err := p.j.rec.write(p.j.dir); err != nil {
		p.j.w.log.Warn("cannot keep a job's place in its log", "job", p.j.id(), "error", err)
	}
}

const progressEvery = 250 * time.Millisecond

// readProgress looks for a progress bar in the newest line.
func (p *pipe) readProgress(lines []logframe.Line) {
	if len(lines) == 0 || time.Since(p.progressAt) < progressEvery {
		return
	}
	p.progressAt = time.Now()
	if in := progressOf(lines); in != nil {
		p.progress = in
	}
}
