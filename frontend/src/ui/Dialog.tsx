import { Dialog as BaseDialog } from '@base-ui/react/dialog';
import clsx from 'clsx';
import { X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './Button';

interface DialogProps {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons, right-aligned below a hairline. */
  footer?: ReactNode;
  /** Overrides the width; every dialog fills the screen on a phone. */
  className?: string;
  /** What gets the focus first. */
  initialFocus?: RefObject<HTMLElement | null>;
  /** For questions: a press beside the dialog does not close it. */
  question?: boolean;
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  footer,
  className,
  initialFocus,
  question,
}: DialogProps) {
  const { t } = useTranslation();
  return (
    <BaseDialog.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      disablePointerDismissal={question ?? false}
    >
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fade fixed inset-0 z-40 bg-[#0b0b0d52]" />
        <BaseDialog.Popup
          {...(initialFocus ? { initialFocus } : {})}
          className={clsx(
            'dialog-in fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-32px)] w-[440px] max-w-[calc(100vw-32px)] -translate-x-1/2 -translate-y-1/2 flex-col overflow-hidden rounded-xl bg-raised shadow-pop outline-none max-[480px]:inset-0 max-[480px]:max-h-none max-[480px]:w-full max-[480px]:max-w-none max-[480px]:translate-none max-[480px]:rounded-none',
            className,
          )}
        >
          <div className="flex items-start gap-3 px-5 pt-4 pb-2">
            <div className="min-w-0 flex-1">
              <BaseDialog.Title className="text-lg font-semibold tracking-[-0.01em] break-words">
                {title}
              </BaseDialog.Title>
              {description && (
                <BaseDialog.Description className="mt-1 text-sm text-fg-2">{description}</BaseDialog.Description>
              )}
            </div>
            <BaseDialog.Close
              render={
                <IconButton label={t('common.close')} className="-mr-1.5">
                  <X />
                </IconButton>
              }
            />
          </div>
          <div className="min-h-0 flex-1 overflow-auto px-5 pt-1 pb-4">{children}</div>
          {footer && (
            <div className="flex shrink-0 flex-wrap items-center justify-end gap-2 border-t border-line bg-surface px-5 py-3">
              {footer}
            </div>
          )}
        </BaseDialog.Popup>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}
