package logframe

import "time"

// Chunk is a frame and what is kept beside it to find it again.
type Chunk struct {
	Frame       []byte
	Lines       int
	Size        int // bytes unpacked
	First, Last time.Time
	Levels      LevelMask
}

// Compactor merges the small batches of a live log into chunks worth storing. Give it batches in the order of their numbers; a
// Partial line is replaced by what follows it, as everywhere.
type Compactor struct {
	MaxLines int // per chunk
	MaxBytes int // per chunk, unpacked; a single batch or line may be larger
	Emit     func(Chunk) error

	b Builder
}

// Add takes the next batch, and emits a chunk when one is full. The batch's memory may be reused afterwards.
func (c *Compactor) Add(batch *Batch) error {
	if batch.count == 0 {
		return nil
	}
	c.b.dropPartial()
	if c.fits(batch.count, len(batch.payload)) {
		c.b.AddBatch(batch)
		return nil
	}
	for _, l := range batch.All() {
		if !c.fits(1, len(l.Text)+lineOverhead) {
			if err := c.Close(); err != nil {
				return err
			}
		}
		c.b.Add(&l)
	}
	return nil
}

func (c *Compactor) fits(lines, size int) bool {
	n := c.b.Len()
	return n+lines <= c.MaxLines && (n == 0 && lines == 1 || c.b.Size()+size <= c.MaxBytes)
}

// Close emits what is left.
func (c *Compactor) Close() error {
	if c.b.Len() == 0 {
		return nil
	}
	ch := Chunk{Frame: c.b.AppendFrame(nil), Lines: c.b.Len(), Size: c.b.Size(), First: c.b.First(), Last: c.b.Last(), Levels: c.b.Levels()}
	c.b.Reset()
	return c.Emit(ch)
}
