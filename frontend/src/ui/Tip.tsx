import { Tooltip } from '@base-ui/react/tooltip';
import type { ReactElement, ReactNode } from 'react';
import { Kbd } from './Kbd';

interface TipProps {
  label: ReactNode;
  kbd?: string | undefined;
  children: ReactElement;
  side?: 'top' | 'bottom' | 'right' | 'left';
}

export function Tip({ label, kbd, children, side = 'bottom' }: TipProps) {
  return (
    <Tooltip.Root>
      <Tooltip.Trigger render={children as ReactElement<Record<string, unknown>>} />
      <Tooltip.Portal>
        <Tooltip.Positioner side={side} sideOffset={6} className="z-[70]">
          <Tooltip.Popup className="pop flex max-w-80 items-center gap-2 rounded-md bg-fg px-2 py-1 text-xs font-medium text-surface shadow-pop">
            {label}
            {kbd && <Kbd tone="inverted">{kbd}</Kbd>}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

export const TipProvider = Tooltip.Provider;
