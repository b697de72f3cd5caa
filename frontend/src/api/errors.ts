import type { TFunction } from 'i18next';
import type { CombinedError } from 'urql';

/** What went wrong, as a code that every language has a sentence for. */
export interface Failure {
  code: string;
  /** The server's own sentence, in English: shown where no sentence of ours fits better. */
  message: string;
  /** The input field that was wrong, when the server named one. */
  field?: string;
  retryAfterSeconds?: number;
  extensions: Record<string, unknown>;
}

export function toFailure(error: CombinedError): Failure {
  const first = error.graphQLErrors[0];
  if (first) {
    const extensions = (first.extensions ?? {}) as Record<string, unknown>;
    return {
      code: typeof extensions.code === 'string' ? extensions.code : 'INTERNAL',
      message: first.message,
      ...(typeof extensions.field === 'string' ? { field: extensions.field } : {}),
      ...(typeof extensions.retryAfterSeconds === 'number' ? { retryAfterSeconds: extensions.retryAfterSeconds } : {}),
      extensions,
    };
  }
  return { code: 'UNREACHABLE', message: error.networkError?.message ?? error.message, extensions: {} };
}

export const isUnauthenticated = (error: CombinedError) =>
  error.graphQLErrors.some((e) => e.extensions?.code === 'UNAUTHENTICATED') ||
  (error.response as Response | undefined)?.status === 401;

/**
 * The sentence for a failure. These codes say something particular that only the server knows, so its own sentence is shown in
 * English and behind our general one in other languages.
 */
const SPECIFIC = new Set(['INVALID_INPUT', 'CONFLICT', 'COMPUTER_NOT_AVAILABLE', 'TOO_LARGE', 'PRECONDITION_FAILED']);

export function failureText(t: TFunction, error: CombinedError | Failure): string {
  const failure = 'graphQLErrors' in error ? toFailure(error) : error;
  const key = `common.error.${failure.code}`;
  const text = t as unknown as (key: string, options?: object) => string;
  const exists = text(key, { defaultValue: '' }) !== '';
  const general = text(exists ? key : 'common.error.INTERNAL', { seconds: failure.retryAfterSeconds ?? 60 });
  if (!SPECIFIC.has(failure.code) && exists) return general;
  const english = document.documentElement.lang === 'en';
  const detail = capitalise(failure.message);
  if (english) return detail || general;
  return detail ? text('common.error.withDetail', { general, detail }) : general;
}

const capitalise = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
