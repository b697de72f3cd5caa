/** Where the server lives: index.html carries a <base> with its base path. */
const baseUrl = new URL(document.baseURI);

/** The base path without a slash at its end; "" at the root. */
export const basePath = baseUrl.pathname.replace(/\/[^/]*$/, '');

/** The full address of a path of the server, for example `graphql` or `api/jobs/1/log`. */
export const serverUrl = (path: string) => new URL(`${basePath}/${path}`, baseUrl.origin).href;

export const socketUrl = () => serverUrl('graphql').replace(/^http/, 'ws');
