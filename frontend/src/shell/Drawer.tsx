import { Dialog } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

/** Slides in from the left over the page. */
export function Drawer({ children, onClose }: { children: ReactNode; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fade fixed inset-0 z-40 bg-[#0b0b0d52]" />
        <Dialog.Popup className="slide-in fixed inset-y-0 left-0 z-50 bg-canvas shadow-pop outline-none">
          <Dialog.Title className="sr-only">{t('common.nav.main')}</Dialog.Title>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
