/** The state of the live connection, for the corner dot and for whoever must poll instead. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'paused';

let socketIsOpen = false;
let wasOpen = false;
let paused = false;
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};

export const connection = {
  state(): ConnectionState {
    if (paused) return 'paused';
    if (socketIsOpen) return 'live';
    return wasOpen ? 'reconnecting' : 'connecting';
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  setOpen(open: boolean) {
    if (open === socketIsOpen) return;
    socketIsOpen = open;
    wasOpen = wasOpen || open;
    notify();
  },
  /** Paused: nothing on the page changes until it is resumed. */
  setPaused(value: boolean) {
    if (value === paused) return;
    paused = value;
    notify();
  },
  isPaused: () => paused,
};
