import { cacheExchange } from '@urql/exchange-graphcache';
import { Client, type Exchange, fetchExchange, mapExchange, subscriptionExchange, type TypedDocumentNode } from 'urql';
import { serverUrl } from './base';
import { isUnauthenticated } from './errors';
import { EMBEDDED_TYPES } from './generated/embedded';
import { subscribeLive } from './live';
import { session } from './session';

/** Types without an id are part of whatever holds them; so is a GPU, whose id is only unique on its computer. */
const keys = Object.fromEntries([...EMBEDDED_TYPES, 'Gpu'].map((type) => [type, () => null]));

/** An expired session, anywhere: sign in and come back. A failed sign-in itself stays where it is. */
const sessionExchange = mapExchange({
  onResult(result) {
    const name = operationName(result.operation.query as TypedDocumentNode);
    if (result.error && name !== 'SignIn' && isUnauthenticated(result.error)) session.signedOut();
  },
});

const operationName = (document: TypedDocumentNode) =>
  document.definitions.find((d) => d.kind === 'OperationDefinition')?.name?.value;

const subscriptions = subscriptionExchange({
  forwardSubscription: (request, operation) => ({
    subscribe: (sink) => ({
      unsubscribe: subscribeLive(
        operation.query as TypedDocumentNode<Record<string, unknown>, object>,
        () => (request.variables ?? {}) as object,
        {
          next: (data) => sink.next({ data }),
          error: (message) => sink.next({ errors: [{ message }] }),
          complete: () => sink.complete(),
        },
      ),
    }),
  }),
});

function createClient(exchanges: Exchange[]) {
  return new Client({
    url: serverUrl('graphql'),
    preferGetMethod: false,
    // Plain answers only: a streamed one has sent its headers, and with them the session cookie, before the answer is known.
    fetchOptions: {
      credentials: 'same-origin',
      headers: { accept: 'application/graphql-response+json, application/json' },
    },
    exchanges: [sessionExchange, ...exchanges, fetchExchange, subscriptions],
  });
}

/** For pages: normalised by id, so that what changes in one place changes everywhere. */
export const createCachedClient = () => createClient([cacheExchange({ keys })]);

/** For long lists and logs, which keep their own windows and must not fill the cache. */
export const directClient = createClient([]);
