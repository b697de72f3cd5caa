import { Outlet, useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useClient } from 'urql';
import { useForget } from './api/ApiProvider';
import { session } from './api/session';
import { ViewerQuery } from './api/viewer';
import { TipLayer, Toasts } from './ui';

/** Around every page: tooltips, toasts, and the way to the sign-in page when a session has ended. */
export function Root() {
  const navigate = useNavigate();
  const router = useRouter();
  const client = useClient();
  const forget = useForget();

  useEffect(() => {
    const signedOut = () => {
      const { pathname, href } = router.latestLocation;
      if (pathname.endsWith('/sign-in')) return;
      forget();
      void navigate({ to: '/sign-in', search: { to: href }, replace: true });
    };
    const check = async () => {
      const { data } = await client.query(ViewerQuery, {}, { requestPolicy: 'network-only' }).toPromise();
      if (data && !data.viewer) signedOut();
    };
    session.listen({ signedOut, check: () => void check() });
  }, [navigate, router, client, forget]);

  return (
    <>
      <Outlet />
      <Toasts />
      <TipLayer />
    </>
  );
}
