import { useTranslation } from 'react-i18next';
import { formatAgo, formatExact } from '@/lib/format';
import { useLang } from '@/lib/useLang';
import { useNow } from '@/lib/useNow';

/** "3 min ago"; the exact time and zone on hover. */
export function Time({ at, className }: { at: string; className?: string }) {
  const { t } = useTranslation();
  const lang = useLang();
  const now = useNow();
  return (
    <time dateTime={at} title={formatExact(at, lang)} className={className}>
      {formatAgo(at, now, lang, t('common.now'))}
    </time>
  );
}
