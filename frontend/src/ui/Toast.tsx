import clsx from 'clsx';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';

export interface ToastMessage {
  text: string;
  tone?: 'success' | 'danger';
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6_000;
let toasts: readonly (ToastMessage & { id: number })[] = [];
let nextId = 1;
const listeners = new Set<() => void>();

function set(next: typeof toasts) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Says in passing what was done. What must not be missed belongs where it happened. */
export function toast(message: ToastMessage) {
  set([...toasts.slice(-2), { ...message, id: nextId++ }]);
}
const dismiss = (id: number) => set(toasts.filter((each) => each.id !== id));

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      className="pointer-events-none fixed right-4 bottom-4 z-[80] flex max-w-[calc(100vw-32px)] flex-col items-end gap-2"
    >
      {shown.map((message) => (
        <Toast key={message.id} message={message} onClose={() => dismiss(message.id)} />
      ))}
    </div>
  );
}

function Toast({ message, onClose }: { message: ToastMessage; onClose: () => void }) {
  const { t } = useTranslation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time runs once, from when it appears
  useEffect(() => {
    const timer = setTimeout(onClose, SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  const Icon = message.tone === 'danger' ? CircleAlert : CircleCheck;
  return (
    <div className="toast-in pointer-events-auto flex min-h-10 items-center gap-2 rounded-lg bg-raised py-1 pr-1.5 pl-3 text-sm shadow-pop">
      <Icon
        aria-hidden
        className={clsx('size-4 shrink-0', message.tone === 'danger' ? 'text-danger' : 'text-success')}
      />
      <span className="min-w-0 py-1">{message.text}</span>
      {message.action && (
        <button
          type="button"
          className="rounded-sm px-1.5 py-1 text-sm font-medium whitespace-nowrap text-accent-text hover:bg-hover"
          onClick={() => {
            message.action?.run();
            onClose();
          }}
        >
          {message.action.label}
        </button>
      )}
      <IconButton size="xs" label={t('common.close')} onClick={onClose}>
        <X />
      </IconButton>
    </div>
  );
}
