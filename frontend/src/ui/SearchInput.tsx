import clsx from 'clsx';
import { Search, X } from 'lucide-react';
import type { KeyboardEvent, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';
import { Kbd } from './Kbd';

interface SearchInputProps {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  kbd?: string;
  size?: 'sm' | 'md';
  className?: string;
  ref?: Ref<HTMLInputElement>;
}

export function SearchInput(props: SearchInputProps) {
  const { t } = useTranslation();
  const { value, onChange, size = 'md' } = props;
  return (
    <div
      className={clsx(
        'flex min-w-0 items-center rounded-md border border-line-strong bg-raised shadow-btn focus-within:border-focus focus-within:ring-2 focus-within:ring-focus/25',
        size === 'md' ? 'h-8' : 'h-7',
        props.className,
      )}
    >
      <Search aria-hidden className="ml-2.5 size-3.5 shrink-0 text-fg-3" />
      <input
        ref={props.ref}
        type="text"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={props.onKeyDown}
        aria-label={props.label}
        placeholder={props.placeholder ?? props.label}
        className={clsx(
          'h-full min-w-0 flex-1 bg-transparent px-2 placeholder:text-fg-3 focus-visible:outline-none',
          size === 'md' ? 'text-sm' : 'text-xs',
        )}
      />
      {value ? (
        <IconButton size="xs" className="mr-1" label={t('common.clear')} onClick={() => onChange('')}>
          <X />
        </IconButton>
      ) : (
        props.kbd && <Kbd className="mr-2">{props.kbd}</Kbd>
      )}
    </div>
  );
}
