import clsx from 'clsx';
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react';
import { Tip } from './Tip';

export type ButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  variant?: 'primary' | 'secondary' | 'ghost' | 'danger' | 'danger-solid';
  size?: 'sm' | 'md';
  icon?: ReactNode;
  /** The action is on its way: no second press, and the label stays where it is. */
  busy?: boolean;
  ref?: Ref<HTMLButtonElement>;
};

export function Button({
  variant = 'secondary',
  size = 'md',
  icon,
  busy,
  disabled,
  className,
  children,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={clsx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-md font-medium whitespace-nowrap transition-colors duration-100 disabled:opacity-50 [&_svg]:size-3.5 [&_svg]:shrink-0',
        size === 'md' ? 'h-8 px-3 text-sm' : 'h-7 px-2.5 text-xs',
        variant === 'primary' && 'bg-accent text-accent-fg shadow-btn hover:bg-accent-hover',
        variant === 'secondary' && 'border border-line-strong bg-raised text-fg shadow-btn hover:bg-hover',
        variant === 'ghost' && 'text-fg-2 hover:bg-hover hover:text-fg',
        variant === 'danger' &&
          'border border-line-strong bg-raised text-danger shadow-btn hover:border-danger hover:bg-danger-soft',
        variant === 'danger-solid' && 'bg-danger-solid text-[#fff] shadow-btn hover:bg-danger-solid-hover',
        className,
      )}
    >
      {icon}
      {children}
    </button>
  );
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  label: string;
  /** The key that does the same, shown in the tooltip. */
  kbd?: string;
  size?: 'xs' | 'sm';
};

export function IconButton({ label, kbd, size = 'sm', className, children, ...props }: IconButtonProps) {
  return (
    <Tip label={label} kbd={kbd}>
      <button
        type="button"
        aria-label={label}
        {...props}
        className={clsx(
          'inline-flex shrink-0 items-center justify-center rounded-md text-fg-2 transition-colors duration-100 hover:bg-hover hover:text-fg disabled:opacity-50 data-[popup-open]:bg-active data-[popup-open]:text-fg',
          size === 'xs' ? 'size-6 [&_svg]:size-3' : 'size-7 [&_svg]:size-4',
          className,
        )}
      >
        {children}
      </button>
    </Tip>
  );
}
