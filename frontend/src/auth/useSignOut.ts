import { useNavigate } from '@tanstack/react-router';
import { useMutation } from 'urql';
import { useForget } from '@/api/ApiProvider';
import { SignOutMutation } from './queries';

export function useSignOut() {
  const [, signOut] = useMutation(SignOutMutation);
  const forget = useForget();
  const navigate = useNavigate();
  return async () => {
    await signOut({});
    forget();
    await navigate({ to: '/sign-in', search: {} });
  };
}
