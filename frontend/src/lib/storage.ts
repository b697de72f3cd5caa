/** What is personal to this browser. Storage may be forbidden; then it simply is not remembered. */
export const storage = {
  get(key: string): string | null {
    try {
      return localStorage.getItem(`nightshift.${key}`);
    } catch {
      return null;
    }
  },
  set(key: string, value: string) {
    try {
      localStorage.setItem(`nightshift.${key}`, value);
    } catch {
      // not remembered
    }
  },
  remove(key: string) {
    try {
      localStorage.removeItem(`nightshift.${key}`);
    } catch {
      // was not remembered
    }
  },
};
