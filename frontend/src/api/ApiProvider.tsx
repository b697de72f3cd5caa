import { createContext, type ReactNode, use, useCallback, useState } from 'react';
import { Provider } from 'urql';
import { createCachedClient } from './client';
import { disconnectSocket } from './live';

const ForgetContext = createContext<() => void>(() => {});

/** Holds the client; a new one, with an empty cache, whenever another person is signed in. */
export function ApiProvider({ children }: { children: ReactNode }) {
  const [client, setClient] = useState(createCachedClient);
  const forget = useCallback(() => {
    disconnectSocket();
    setClient(createCachedClient());
  }, []);
  return (
    <ForgetContext value={forget}>
      <Provider value={client}>{children}</Provider>
    </ForgetContext>
  );
}

/** Forgets everything the server said: after signing in or out. */
export const useForget = () => use(ForgetContext);
