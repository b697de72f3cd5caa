import clsx from 'clsx';
import type { InputHTMLAttributes, ReactNode } from 'react';

export const checkboxClass =
  'size-[15px] shrink-0 appearance-none rounded-[4px] border border-line-strong bg-raised checked:border-accent checked:bg-accent indeterminate:border-accent indeterminate:bg-accent disabled:opacity-50 grid place-content-center before:content-[""] before:size-[9px] before:scale-0 checked:before:scale-100 indeterminate:before:scale-100 before:bg-accent-fg before:[clip-path:polygon(14%_44%,0_60%,40%_100%,100%_18%,84%_4%,38%_68%)] indeterminate:before:[clip-path:inset(40%_5%)]';

type CheckboxProps = Omit<InputHTMLAttributes<HTMLInputElement>, 'type' | 'onChange' | 'checked'> & {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: ReactNode;
  hint?: ReactNode;
};

export function Checkbox({ checked, onChange, label, hint, className, ...props }: CheckboxProps) {
  return (
    <label className={clsx('flex items-start gap-2 py-0.5 text-sm', props.disabled && 'text-fg-3', className)}>
      <input
        {...props}
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className={clsx(checkboxClass, 'mt-[2.5px]')}
      />
      <span className="min-w-0">
        {label}
        {hint && <span className="block text-xs text-fg-3">{hint}</span>}
      </span>
    </label>
  );
}
