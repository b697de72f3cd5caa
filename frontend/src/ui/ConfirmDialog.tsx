import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './Button';
import { Dialog } from './Dialog';

interface ConfirmDialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  /** What it is about, as label and value. */
  facts?: { label: string; value: ReactNode }[];
  /** What will happen. */
  children?: ReactNode;
  confirmLabel: string;
  danger?: boolean;
  busy?: boolean;
  /** Something is still missing. */
  disabled?: boolean;
  error?: string | undefined;
  onConfirm: () => void;
}

/** Asks before something that cannot be undone. The focus starts on the button that does nothing. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  facts,
  children,
  confirmLabel,
  danger,
  busy,
  disabled,
  error,
  onConfirm,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      question
      open={open}
      onClose={onClose}
      title={title}
      initialFocus={cancel}
      footer={
        <>
          <Button ref={cancel} onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            variant={danger ? 'danger-solid' : 'primary'}
            busy={busy ?? false}
            disabled={disabled ?? false}
            onClick={onConfirm}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      {facts && facts.length > 0 && (
        <dl className="mb-3 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-lg bg-sunken px-3 py-2.5 text-sm">
          {facts.map((fact) => (
            <div key={fact.label} className="contents">
              <dt className="text-fg-3">{fact.label}</dt>
              <dd className="min-w-0 font-medium break-words">{fact.value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="text-sm text-fg-2">{children}</div>
      {error && (
        <p role="alert" className="mt-3 text-sm text-danger">
          {error}
        </p>
      )}
    </Dialog>
  );
}
