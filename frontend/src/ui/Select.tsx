import { Select as BaseSelect } from '@base-ui/react/select';
import clsx from 'clsx';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SelectItem {
  value: string;
  label: string;
  hint?: ReactNode;
  disabled?: boolean;
}

interface SelectProps {
  /** Its name for screen readers; leave it out where a Field around it gives one. */
  label?: string;
  id?: string;
  value: string | null;
  onChange: (value: string) => void;
  items: readonly SelectItem[];
  placeholder?: string;
  disabled?: boolean;
  size?: 'sm' | 'md';
  className?: string;
  invalid?: boolean;
  describedBy?: string;
}

export function Select(props: SelectProps) {
  const { value, items, placeholder, size = 'md' } = props;
  return (
    <BaseSelect.Root
      items={items}
      value={value}
      onValueChange={(next) => next !== null && props.onChange(next as string)}
      disabled={props.disabled ?? false}
    >
      <BaseSelect.Trigger
        id={props.id}
        aria-label={props.label}
        aria-invalid={props.invalid || undefined}
        aria-describedby={props.describedBy}
        className={clsx(
          'flex w-full items-center gap-2 rounded-md border border-line-strong bg-raised text-left shadow-btn hover:bg-hover aria-invalid:border-danger data-[disabled]:bg-hover data-[disabled]:text-fg-3 data-[disabled]:shadow-none data-[popup-open]:border-focus',
          size === 'md' ? 'h-8 px-2.5 text-sm' : 'h-7 px-2 text-xs',
          props.className,
        )}
      >
        <BaseSelect.Value className="min-w-0 flex-1 truncate">
          {(v: string | null) => {
            const item = items.find((each) => each.value === v);
            return item ? item.label : <span className="text-fg-3">{placeholder}</span>;
          }}
        </BaseSelect.Value>
        <BaseSelect.Icon>
          <ChevronsUpDown className="size-3.5 text-fg-3" />
        </BaseSelect.Icon>
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-[60] outline-none">
          <BaseSelect.Popup className="pop max-h-[min(320px,var(--available-height))] min-w-[var(--anchor-width)] overflow-auto rounded-lg bg-raised p-1 shadow-pop outline-none">
            {items.map((item) => (
              <BaseSelect.Item
                key={item.value}
                value={item.value}
                disabled={item.disabled ?? false}
                className="flex h-8 items-center gap-2 rounded-[5px] px-2 text-sm outline-none select-none data-[disabled]:text-fg-3 data-[highlighted]:bg-active"
              >
                <BaseSelect.ItemText className="flex-1">{item.label}</BaseSelect.ItemText>
                {item.hint && <span className="text-xs text-fg-3">{item.hint}</span>}
                <BaseSelect.ItemIndicator>
                  <Check className="size-3.5 text-accent-text" />
                </BaseSelect.ItemIndicator>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}
