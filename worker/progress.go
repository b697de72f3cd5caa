package worker

import (
	"nightshift/client"
	"nightshift/logframe"
)

func progressOf(lines []logframe.Line) *client.ProgressInput { return nil }
