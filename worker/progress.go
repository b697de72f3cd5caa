package worker

import (
	"nightshift/client"
	"nightshift/logframe"
)

// lookBack is how many of the newest lines are looked at for a progress bar.
const lookBack = 8

// progressOf reads the newest progress bar among lines; nil for none.
func progressOf(lines []logframe.Line) *client.ProgressInput {
	for i := len(lines) - 1; i >= max(len(lines)-lookBack, 0); i-- {
		l := &lines[i]
		if l.Stream == logframe.System {
			continue
		}
		p, ok := logframe.ParseProgress(shown(l.Text))
		if !ok {
			continue
		}
		in := &client.ProgressInput{Percent: p.Percent, Current: p.Current, Total: p.Total, EtaSeconds: p.ETASeconds}
		if p.Label != "" {
			in.Label = &p.Label
		}
		return in
	}
	return nil
}

// shown is a line as a person sees it; of a long one, redrawn many times, only the end matters.
func shown(text []byte) string {
	const most = 4 << 10
	if len(text) > most {
		text = text[len(text)-most:]
	}
	return logframe.Plain(text)
}
