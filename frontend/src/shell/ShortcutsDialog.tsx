import { useTranslation } from 'react-i18next';
import { Dialog } from '@/ui';

const GROUPS = [
  {
    title: 'anywhere',
    keys: [
      ['search', ['Ctrl K']],
      ['goJobs', ['G', 'J']],
      ['goCompute', ['G', 'C']],
      ['goMembers', ['G', 'M']],
      ['launch', ['L']],
      ['help', ['?']],
    ],
  },
  {
    title: 'log',
    keys: [
      ['logSearch', ['Ctrl F']],
      ['logNext', ['↵', 'Shift ↵']],
      ['logWrap', ['W']],
      ['logFollow', ['F']],
      ['logEnd', ['End']],
    ],
  },
  {
    title: 'list',
    keys: [
      ['filter', ['/']],
      ['move', ['↓', '↑', 'J', 'K']],
      ['open', ['↵']],
      ['select', ['X']],
      ['extend', ['Shift ↓']],
      ['selectAll', ['Ctrl A']],
      ['menu', ['Shift F10']],
      ['stop', ['S']],
      ['rerun', ['R']],
      ['escape', ['Esc']],
    ],
  },
] as const;

export function ShortcutsDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Dialog open={open} onClose={onClose} title={t('common.shortcuts.title')} className="w-[720px]">
      <div className="gap-x-8 min-[720px]:columns-2">
        {GROUPS.map((group) => (
          <section key={group.title} className="mb-5 min-w-0 break-inside-avoid">
            <h3 className="mb-1 text-xs font-medium text-fg-3">{t(`common.shortcuts.${group.title}`)}</h3>
            <dl>
              {group.keys.map(([name, keys]) => (
                <div key={name} className="flex h-8 items-center gap-3 border-b border-line text-sm last:border-0">
                  <dt className="min-w-0 flex-1 truncate">{t(`common.shortcuts.${name}`)}</dt>
                  <dd className="flex gap-1">
                    {keys.map((key) => (
                      <kbd key={key} className="rounded-sm border border-line px-1.5 font-sans text-2xs text-fg-2">
                        {key}
                      </kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
