import { cloneElement, type ReactElement, useEffect, useRef, useState } from 'react';
import { Kbd } from './Kbd';

type Side = 'top' | 'bottom' | 'right' | 'left';

interface TipProps {
  label: string;
  kbd?: string | undefined;
  children: ReactElement;
  side?: Side;
}

/** Names what is under the pointer or has the focus. The control itself must have the same words as its label. */
export function Tip({ label, kbd, children, side = 'bottom' }: TipProps) {
  return cloneElement(children as ReactElement<Record<string, unknown>>, {
    'data-tip': label,
    'data-tip-kbd': kbd,
    'data-tip-side': side,
  });
}

const SHOW_AFTER_MS = 400;
/** Long enough to move the pointer onto the tooltip. */
const HIDE_AFTER_MS = 100;
/** Another tooltip so soon after one comes at once. */
const WARM_MS = 300;
const GAP = 6;

interface Shown {
  label: string;
  kbd: string | undefined;
  side: Side;
  target: HTMLElement;
}

/**
 * The one tooltip of the page. It watches the whole document instead of every button: a list of a thousand rows has thousands of
 * buttons, and none of them pays for it.
 */
export function TipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const current = useRef<Shown | null>(null);
  current.current = shown;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let hiddenAt = 0;
    const later = (ms: number, action: () => void) => {
      clearTimeout(timer);
      timer = setTimeout(action, ms);
    };
    const hide = () => {
      clearTimeout(timer);
      if (current.current) hiddenAt = performance.now();
      setShown(null);
    };
    const show = (target: HTMLElement, ms: number) => {
      if (current.current?.target === target) {
        clearTimeout(timer);
        return;
      }
      const warm = performance.now() - hiddenAt < WARM_MS;
      later(warm ? 0 : ms, () => {
        const { tip, tipKbd, tipSide } = target.dataset;
        // A menu that belongs to the button says more than its name.
        if (!tip || !target.isConnected || target.hasAttribute('data-popup-open')) return;
        setShown({ label: tip, kbd: tipKbd, side: (tipSide as Side) ?? 'bottom', target });
      });
    };
    const tipOf = (event: Event) => (event.target as Element | null)?.closest?.<HTMLElement>('[data-tip]') ?? null;

    const onOver = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return;
      if (box.current?.contains(event.target as Node)) {
        clearTimeout(timer);
        return;
      }
      const target = tipOf(event);
      if (target) show(target, SHOW_AFTER_MS);
      else if (current.current) later(HIDE_AFTER_MS, hide);
      else clearTimeout(timer);
    };
    const onFocus = (event: FocusEvent) => {
      const target = tipOf(event);
      if (target?.matches(':focus-visible')) show(target, SHOW_AFTER_MS);
      else hide();
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide();
    };
    document.addEventListener('pointerover', onOver);
    document.addEventListener('focusin', onFocus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('keydown', onKeyDown, true);
    document.addEventListener('scroll', hide, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('pointerover', onOver);
      document.removeEventListener('focusin', onFocus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('keydown', onKeyDown, true);
      document.removeEventListener('scroll', hide, true);
    };
  }, []);

  useEffect(() => {
    if (shown && box.current) place(box.current, shown);
  }, [shown]);

  if (!shown) return null;
  return (
    <div
      ref={box}
      role="tooltip"
      className="fade invisible fixed top-0 left-0 z-[90] flex max-w-80 items-center gap-2 rounded-md bg-fg px-2 py-1 text-xs font-medium text-surface shadow-pop"
    >
      {shown.label}
      {shown.kbd && <Kbd tone="inverted">{shown.kbd}</Kbd>}
    </div>
  );
}

/** Beside its target; on the other side where there is no room, and always inside the window. */
function place(box: HTMLElement, { target, side }: Shown) {
  const at = target.getBoundingClientRect();
  const { width, height } = box.getBoundingClientRect();
  const fits: Record<Side, boolean> = {
    bottom: at.bottom + GAP + height <= innerHeight,
    top: at.top - GAP - height >= 0,
    right: at.right + GAP + width <= innerWidth,
    left: at.left - GAP - width >= 0,
  };
  const opposite: Record<Side, Side> = { bottom: 'top', top: 'bottom', left: 'right', right: 'left' };
  const chosen = fits[side] ? side : opposite[side];
  const centreX = at.left + at.width / 2 - width / 2;
  const centreY = at.top + at.height / 2 - height / 2;
  const [x, y] = {
    bottom: [centreX, at.bottom + GAP],
    top: [centreX, at.top - GAP - height],
    right: [at.right + GAP, centreY],
    left: [at.left - GAP - width, centreY],
  }[chosen] as [number, number];
  const inside = (value: number, size: number, room: number) => Math.max(4, Math.min(room - size - 4, value));
  box.style.transform = `translate(${Math.round(inside(x, width, innerWidth))}px, ${Math.round(inside(y, height, innerHeight))}px)`;
  box.style.visibility = 'visible';
}
