package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"nightshift/client"
)

// ErrNoGPUs says that this host has none, or no driver for them.
var ErrNoGPUs = errors.New("this host has no NVIDIA GPU that nvidia-smi knows")

// A lost GPU makes nvidia-smi hang.
const smiTimeout = 10 * time.Second

// The exit codes of nvidia-smi that its manual page names.
const (
	smiNoDevices = 6
	smiNoDriver  = 9
	smiLost      = 15
)

// DiscoverGPUs asks nvidia-smi, where it is installed, for index, uuid, name and memory of each GPU.
func DiscoverGPUs(ctx context.Context) ([]client.GpuInput, error) {
	path, err := exec.LookPath("nvidia-smi")
	if err != nil {
		return nil, ErrNoGPUs
	}
	ctx, cancel := context.WithTimeout(ctx, smiTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits")
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("nvidia-smi did not answer within %s: a GPU may be lost", smiTimeout)
	case errors.As(err, &exit) && exit.ExitCode() == smiNoDevices:
		return nil, ErrNoGPUs
	case errors.As(err, &exit) && exit.ExitCode() == smiNoDriver:
		return nil, errors.New("nvidia-smi finds no running driver")
	case errors.As(err, &exit) && exit.ExitCode() == smiLost:
		return nil, errors.New("a GPU has fallen off the bus: the host must be restarted")
	case err != nil:
		return nil, fmt.Errorf("nvidia-smi: %w", err)
	}
	return parseGPUs(out)
}

// parseGPUs reads «index, uuid, name, MiB» lines; any value but the index may be [N/A].
func parseGPUs(out []byte) ([]client.GpuInput, error) {
	var gpus []client.GpuInput
	for line := range bytes.Lines(out) {
		f := strings.Split(strings.TrimSpace(string(line)), ",")
		if len(f) < 4 {
			continue
		}
		for i := range f {
			f[i] = strings.TrimSpace(f[i])
		}
		index, err := strconv.Atoi(f[0])
		if err != nil {
			return nil, fmt.Errorf("nvidia-smi gave a GPU with the index %q", f[0])
		}
		g := client.GpuInput{Index: index, Name: "GPU"}
		if known(f[1]) {
			g.Uuid = &f[1]
		}
		if name := strings.Join(f[2:len(f)-1], ", "); known(name) {
			g.Name = name
		}
		if mib, err := strconv.Atoi(f[len(f)-1]); err == nil {
			g.MemoryMib = &mib
		}
		gpus = append(gpus, g)
	}
	if len(gpus) == 0 {
		return nil, ErrNoGPUs
	}
	return gpus, nil
}

func known(s string) bool { return s != "" && !strings.HasPrefix(s, "[") }
