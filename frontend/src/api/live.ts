import { createClient, type Client as Socket } from 'graphql-ws';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { stringifyDocument, type TypedDocumentNode } from 'urql';
import { socketUrl } from './base';
import { connection } from './connection';
import { session } from './session';

const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 15_000;
/** How often to ask while the socket is down. */
const POLL_MS = 5_000;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
/** ±30 %: after a restart of the server not every page comes back in the same moment. */
const jitter = (ms: number) => ms * (0.7 + Math.random() * 0.6);

let socket: Socket | null = null;
/** Closes of a socket we put away ourselves say nothing about the connection. */
let generation = 0;

function open(): Socket {
  const mine = ++generation;
  return createClient({
    url: socketUrl,
    lazy: false,
    retryAttempts: Number.POSITIVE_INFINITY,
    shouldRetry: () => mine === generation,
    keepAlive: 10_000,
    retryWait: (attempt) => pause(jitter(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** attempt))),
    onNonLazyError: () => {},
    on: {
      connected: () => mine === generation && connection.setOpen(true),
      closed: (event) => {
        if (mine !== generation) return;
        connection.setOpen(false);
        const code = (event as CloseEvent).code;
        if (code === 4401 || code === 4403) session.check();
      },
    },
  });
}

/** Opens the one socket that carries every subscription; called when somebody is signed in. */
export function connectSocket() {
  socket ??= open();
}

export function disconnectSocket() {
  generation++;
  void socket?.dispose();
  socket = null;
  connection.setOpen(false);
}

export interface LiveSink<Data> {
  next: (data: Data) => void;
  /** The server refused or ended the subscription; a lost connection is not an error, it comes back by itself. */
  error?: (message: string) => void;
  complete?: () => void;
}

/**
 * Subscribes past the GraphQL cache. `variables` is asked again at every (re)connect, so that a cursor or a line number in it goes on
 * from where the last message left off. Stops while updates are paused.
 */
export function subscribeLive<Data, Variables extends object>(
  document: TypedDocumentNode<Data, Variables>,
  variables: () => Variables,
  sink: LiveSink<Data>,
): () => void {
  const query = stringifyDocument(document);
  let stop: (() => void) | null = null;
  let ended = false;
  let current = 0;

  const start = () => {
    connectSocket();
    const mine = ++current;
    // A getter: graphql-ws writes the same payload again after a reconnect, and must then see the newest variables.
    const payload = {
      query,
      get variables() {
        return variables() as Record<string, unknown>;
      },
    };
    stop =
      socket?.subscribe<Data>(payload, {
        next: (message) => {
          if (message.data) sink.next(message.data);
          else if (message.errors?.[0]) sink.error?.(message.errors[0].message);
        },
        error: (error) => {
          if (Array.isArray(error)) sink.error?.(String(error[0]?.message ?? ''));
        },
        complete: () => {
          // Our own unsubscribing completes it too, a moment later.
          if (mine !== current) return;
          ended = true;
          sink.complete?.();
        },
      }) ?? null;
  };
  const halt = () => {
    const old = stop;
    stop = null;
    current++;
    old?.();
  };
  const follow = () => {
    if (connection.isPaused()) halt();
    else if (!stop && !ended) start();
  };
  const unfollow = connection.subscribe(follow);
  follow();
  return () => {
    unfollow();
    halt();
  };
}

export const useConnection = () => useSyncExternalStore(connection.subscribe, connection.state);

/** Calls back every 5 s while the socket is down (and not paused), and once when it is back. */
export function usePolling(callback: () => void) {
  const state = useConnection();
  const latest = useRef(callback);
  latest.current = callback;
  const wasDown = useRef(false);
  useEffect(() => {
    if (state === 'reconnecting') {
      wasDown.current = true;
      const timer = setInterval(() => latest.current(), POLL_MS);
      return () => clearInterval(timer);
    }
    if (state === 'live' && wasDown.current) {
      wasDown.current = false;
      latest.current();
    }
    return undefined;
  }, [state]);
}
