// Runs before first paint: no flash of the wrong theme or language. A file, not inline, so that the CSP needs no hash.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const theme = read('nightshift.theme') ?? 'system';
  const dark = theme === 'dark' || (theme === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  const prefersJapanese = navigator.language.startsWith('ja');
  root.lang = read('nightshift.lang') ?? (prefersJapanese ? 'ja' : 'en');
})();
