package joblog

import (
	"encoding/base64"
	"errors"

	"nightshift/logframe"
	"nightshift/server/db"
	"nightshift/server/fault"
)

const maxTextLines = 200_000

// DecodeFrame reads a batch sent as a frame in base64, and checks its sizes before anything is unpacked.
func DecodeFrame(first int64, data string) (Batch, error) {
	if len(data) > MaxBody {
		return Batch{}, tooLarge()
	}
	if data == "" {
		return Batch{First: first}, nil
	}
	frame, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return Batch{}, fault.Invalid("data", "The data is not base64 (standard alphabet, padded).").Because(err)
	}
	lines, err := logframe.Decode(frame, maxBatch)
	switch {
	case errors.Is(err, logframe.ErrTooLarge):
		return Batch{}, tooLarge().Because(err)
	case err != nil:
		return Batch{}, fault.Invalid("data", "The data is no log batch: %s.", err).Because(err)
	}
	b := Batch{First: first, Lines: lines, Frame: frame}
	if len(frame) > lines.Size() && lines.Size() > 1<<10 { // sent without compression
		b.Frame = nil
	}
	return b, nil
}

func tooLarge() *fault.Error {
	return fault.Invalid("data", "A batch holds at most %d MiB of lines, each of at most %d KiB: send smaller batches.", maxBatch>>20, logframe.MaxLine>>10)
}

// DecodeText reads a batch of «time TAB level TAB message» lines.
func DecodeText(first int64, data string) (Batch, error) {
	if len(data) > maxBatch {
		return Batch{}, tooLarge()
	}
	lines, err := logframe.ParseText(data, db.Now(), maxTextLines)
	switch {
	case errors.Is(err, logframe.ErrTooLarge):
		return Batch{}, tooLarge().Because(err)
	case err != nil:
		return Batch{}, fault.Invalid("data", "The data cannot be read: %s.", err).Because(err)
	}
	frame := logframe.Encode(nil, lines)
	b, err := logframe.Decode(frame, maxChunk)
	if err != nil {
		return Batch{}, fault.Invalid("data", "The data is no log batch: %s.", err).Because(err)
	}
	return Batch{First: first, Lines: b, Frame: frame}, nil
}
