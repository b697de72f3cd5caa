/** Tells the router that nobody is signed in any more, without the API knowing about routes. */
type Listener = () => void;
let onSignedOut: Listener = () => {};
let onCheck: Listener = () => {};

export const session = {
  /** Nobody is signed in (any more): to the sign-in page and back. */
  signedOut: () => onSignedOut(),
  /** Something refused us: ask the server who we are. */
  check: () => onCheck(),
  listen(handlers: { signedOut: Listener; check: Listener }) {
    onSignedOut = handlers.signedOut;
    onCheck = handlers.check;
  },
};
