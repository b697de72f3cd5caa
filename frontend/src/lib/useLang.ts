import { useTranslation } from 'react-i18next';
import type { Lang } from '@/i18n';

/** The active language, for the formatters. */
export const useLang = (): Lang => (useTranslation().i18n.language === 'ja' ? 'ja' : 'en');
