import { Menu as MenuIcon, Search } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton, Mark } from '@/ui';
import { ConnectionStatus } from './ConnectionStatus';
import { Drawer } from './lazyDialogs';

/** Under 900 px the sidebar is a drawer behind a button. */
export function TopBar({ sidebar, onSearch }: { sidebar: ReactElement; onSearch: () => void }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <header className="flex h-12 shrink-0 items-center gap-2 border-b border-line px-3">
      <IconButton label={t('common.nav.open')} aria-expanded={open} onClick={() => setOpen(true)}>
        <MenuIcon />
      </IconButton>
      <Mark size={20} />
      <span className="flex-1 text-base font-semibold tracking-[-0.01em]">{t('common.product')}</span>
      <ConnectionStatus narrow />
      <IconButton label={t('common.palette.label')} onClick={onSearch}>
        <Search />
      </IconButton>
      {open && <Drawer onClose={() => setOpen(false)}>{sidebar}</Drawer>}
    </header>
  );
}
