import clsx from 'clsx';
import { Check, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCopy } from '@/lib/useCopy';

interface CopyButtonProps {
  text: string;
  /** What is copied, for screen readers: "Copy ID". */
  label: string;
  /** Shown before the icon, usually the text or its beginning. */
  children?: ReactNode;
  className?: string;
}

export function CopyButton({ text, label, children, className }: CopyButtonProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  return (
    <button
      type="button"
      onClick={() => copy(text)}
      title={label}
      aria-label={children ? `${label} ${text}` : label}
      className={clsx(
        'inline-flex min-h-6 min-w-6 shrink-0 items-center justify-center gap-1 rounded-sm px-1 text-xs text-fg-3 hover:bg-hover hover:text-fg',
        className,
      )}
    >
      {children}
      {copied ? <Check aria-hidden className="size-3 text-success" /> : <Copy aria-hidden className="size-3" />}
      <span role="status" className="sr-only">
        {copied ? t('common.copied') : ''}
      </span>
    </button>
  );
}

/** A command or a secret to copy, on one or more lines. */
export function CopyBlock({ text, label, className }: { text: string; label: string; className?: string }) {
  return (
    <div
      className={clsx('flex items-start gap-1 rounded-md border border-line bg-sunken py-1.5 pr-1.5 pl-3', className)}
    >
      <pre className="min-w-0 flex-1 overflow-x-auto py-0.5 font-mono text-xs leading-5 whitespace-pre-wrap break-all">
        {text}
      </pre>
      <CopyButton text={text} label={label} />
    </div>
  );
}
