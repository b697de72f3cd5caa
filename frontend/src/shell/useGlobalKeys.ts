import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { hasModifier, isTyping } from '@/lib/keys';

/** How long after G the second key may come. */
const SEQUENCE_MS = 1200;
const PAGES = { j: 'jobs', c: 'computers', m: 'members' } as const;

interface GlobalKeys {
  project: string | null;
  onSearch: () => void;
  onShortcuts: () => void;
}

/** Keys that work anywhere: Ctrl K, ?, L, and G followed by a page's letter. */
export function useGlobalKeys({ project, onSearch, onShortcuts }: GlobalKeys) {
  const navigate = useNavigate();
  const goneAt = useRef(0);
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase();
      if ((event.ctrlKey || event.metaKey) && key === 'k') {
        event.preventDefault();
        onSearch();
        return;
      }
      if (hasModifier(event) || isTyping(event)) return;
      const page = PAGES[key as keyof typeof PAGES];
      if (Date.now() - goneAt.current < SEQUENCE_MS && page && project) {
        event.preventDefault();
        event.stopPropagation();
        goneAt.current = 0;
        void navigate({ to: `/p/$project/${page}`, params: { project } });
      } else if (key === 'g') {
        goneAt.current = Date.now();
      } else if (key === '?') {
        event.preventDefault();
        onShortcuts();
      } else if (key === 'l' && project) {
        event.preventDefault();
        void navigate({
          to: '/p/$project/jobs',
          params: { project },
          search: (search) => ({ ...search, launch: true }),
        });
      }
    };
    // Before the grid, whose J also means "next".
    addEventListener('keydown', onKeyDown, true);
    return () => removeEventListener('keydown', onKeyDown, true);
  }, [project, navigate, onSearch, onShortcuts]);
}
