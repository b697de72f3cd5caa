import { useText } from '@/i18n/useText';
import { formatAgo, formatExact } from '@/lib/format';
import { useNow } from '@/lib/useNow';

/** "3 min ago"; the exact time and zone on hover. */
export function Time({ at, className }: { at: string; className?: string }) {
  const { t, lang } = useText();
  const now = useNow();
  return (
    <time dateTime={at} title={formatExact(at, lang)} className={className}>
      {formatAgo(at, now, lang, t('common.now'))}
    </time>
  );
}
