import { ContextMenu as BaseContextMenu } from '@base-ui/react/context-menu';
import { Menu as BaseMenu } from '@base-ui/react/menu';
import clsx from 'clsx';
import { Check, ChevronRight } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';

/** An entry without a label is a line. */
export interface MenuEntry {
  id: string;
  label?: string;
  /** A second, quieter word at the right. */
  hint?: string;
  icon?: ReactNode;
  kbd?: string;
  danger?: boolean;
  disabled?: boolean;
  checked?: boolean;
  run?: () => void;
  sub?: MenuEntry[];
}

export const popupClass =
  'pop min-w-52 rounded-lg bg-raised p-1 shadow-pop outline-none max-h-[var(--available-height)] overflow-auto';
const itemClass =
  'flex h-7 items-center gap-2 rounded-[5px] px-2 text-sm text-fg outline-none select-none data-[highlighted]:bg-active data-[popup-open]:bg-active data-[disabled]:text-fg-3 data-[disabled]:opacity-60 [&>svg]:size-3.5 [&>svg]:shrink-0 [&>svg]:text-fg-3';

function Entries({ entries }: { entries: MenuEntry[] }) {
  return entries.map((entry) => {
    if (entry.label === undefined) return <BaseMenu.Separator key={entry.id} className="mx-1 my-1 h-px bg-line" />;
    const face = (
      <>
        {entry.icon ?? <span className="size-3.5 shrink-0" />}
        <span className="flex-1 truncate">{entry.label}</span>
      </>
    );
    if (entry.sub) {
      return (
        <BaseMenu.SubmenuRoot key={entry.id}>
          <BaseMenu.SubmenuTrigger className={itemClass} disabled={entry.disabled ?? false}>
            {face}
            <ChevronRight aria-hidden />
          </BaseMenu.SubmenuTrigger>
          <BaseMenu.Portal>
            <BaseMenu.Positioner sideOffset={2} alignOffset={-5} className="z-[60] outline-none">
              <BaseMenu.Popup className={popupClass}>
                <Entries entries={entry.sub} />
              </BaseMenu.Popup>
            </BaseMenu.Positioner>
          </BaseMenu.Portal>
        </BaseMenu.SubmenuRoot>
      );
    }
    return (
      <BaseMenu.Item
        key={entry.id}
        disabled={entry.disabled ?? false}
        onClick={entry.run}
        className={clsx(
          itemClass,
          entry.danger && 'text-danger! data-[highlighted]:bg-danger-soft! [&>svg]:text-danger!',
        )}
      >
        {face}
        {entry.hint && <span className="ml-4 text-xs text-fg-3 tnum">{entry.hint}</span>}
        {entry.checked && <Check aria-hidden />}
        {entry.kbd && (
          <span aria-hidden className="ml-4 text-2xs text-fg-3">
            {entry.kbd}
          </span>
        )}
      </BaseMenu.Item>
    );
  });
}

interface MenuProps {
  trigger: ReactElement;
  entries: MenuEntry[];
  header?: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
}

export function Menu({ trigger, entries, header, align = 'end', side = 'bottom' }: MenuProps) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger as ReactElement<Record<string, unknown>>} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner side={side} sideOffset={4} align={align} className="z-[60] outline-none">
          <BaseMenu.Popup className={popupClass}>
            {header}
            <Entries entries={entries} />
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

interface ContextMenuProps {
  children: ReactNode;
  entries: MenuEntry[];
  header?: ReactNode;
  onOpenChange?: (open: boolean) => void;
  disabled?: boolean;
}

/** One around a whole list, never one per row. */
export function ContextMenu({ children, entries, header, onOpenChange, disabled }: ContextMenuProps) {
  return (
    <BaseContextMenu.Root disabled={disabled ?? false} {...(onOpenChange ? { onOpenChange } : {})}>
      <BaseContextMenu.Trigger className="contents">{children}</BaseContextMenu.Trigger>
      <BaseContextMenu.Portal>
        <BaseContextMenu.Positioner className="z-[60] outline-none">
          <BaseContextMenu.Popup className={popupClass}>
            {header}
            <Entries entries={entries} />
          </BaseContextMenu.Popup>
        </BaseContextMenu.Positioner>
      </BaseContextMenu.Portal>
    </BaseContextMenu.Root>
  );
}
