import { graphql } from '@/api/generated';

export const ServerQuery = graphql(`
  query Server { server { version needsSetup defaultLanguage } }
`);

export const SignInMutation = graphql(`
  mutation SignIn($input: SignInInput!) {
    signIn(input: $input) { viewer { language theme user { id name displayName } } }
  }
`);

export const SignOutMutation = graphql(`
  mutation SignOut { signOut(input: {}) { ok } }
`);
