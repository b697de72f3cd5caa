import type { Lang } from '@/i18n';
import { useText } from '@/i18n/useText';

/** The active language, for the formatters. */
export const useLang = (): Lang => useText().lang;
