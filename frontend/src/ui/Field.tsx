import clsx from 'clsx';
import { type InputHTMLAttributes, type ReactNode, type Ref, type TextareaHTMLAttributes, useId } from 'react';

interface FieldProps {
  label: ReactNode;
  hint?: ReactNode;
  /** Replaces the hint. */
  error?: ReactNode;
  optional?: string;
  className?: string;
  /** Gets the ids that tie the control to its label and hint. */
  children: (control: { id: string; describedBy: string; invalid: boolean }) => ReactNode;
}

/** A label above a control, a hint or an error below it. */
export function Field({ label, hint, error, optional, className, children }: FieldProps) {
  const id = useId();
  const describedBy = `${id}-hint`;
  return (
    <div className={clsx('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-xs font-medium text-fg-2">
        {label}
        {optional && <span className="ml-1.5 font-normal text-fg-3">{optional}</span>}
      </label>
      {children({ id, describedBy, invalid: Boolean(error) })}
      <div
        id={describedBy}
        role={error ? 'alert' : undefined}
        className={clsx('text-xs', error ? 'text-danger' : 'text-fg-3', !error && !hint && 'hidden')}
      >
        {error || hint}
      </div>
    </div>
  );
}

const inputClass =
  'w-full rounded-md border border-line-strong bg-raised px-2.5 text-sm shadow-btn placeholder:text-fg-3 hover:border-fg-3/50 focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger disabled:bg-hover disabled:text-fg-3';

type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement>; mono?: boolean };

export function Input({ className, mono, ...props }: InputProps) {
  return <input type="text" {...props} className={clsx(inputClass, 'h-8', mono && 'font-mono text-xs', className)} />;
}

type TextAreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement>; mono?: boolean };

export function TextArea({ className, mono, ...props }: TextAreaProps) {
  return (
    <textarea
      {...props}
      className={clsx(inputClass, 'py-1.5', mono && 'font-mono text-xs leading-[18px]', className)}
    />
  );
}

type TextFieldProps = Omit<FieldProps, 'children' | 'className'> & Omit<InputProps, 'id'> & { fieldClassName?: string };

/** A Field around a plain input. */
export function TextField({ label, hint, error, optional, fieldClassName, ...input }: TextFieldProps) {
  return (
    <Field
      label={label}
      hint={hint}
      error={error}
      {...(optional ? { optional } : {})}
      {...(fieldClassName ? { className: fieldClassName } : {})}
    >
      {({ id, describedBy, invalid }) => (
        <Input {...input} id={id} aria-describedby={describedBy} aria-invalid={invalid || undefined} />
      )}
    </Field>
  );
}
