import './tokens.css';
import './base.css';
import { MutationCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { mayBeDone } from '../api/errors';
import { isRepeated, repeatDelay } from '../api/repeat';
import { keepFocus } from './focus-keeper';
import { router } from './router';
import { followTheme } from './theme';

followTheme();
keepFocus();

const queries: QueryClient = new QueryClient({
  // Whoever looks whether it was done sees what is so now.
  mutationCache: new MutationCache({
    onError: (error) => {
      if (mayBeDone(error)) void queries.invalidateQueries();
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      gcTime: 60_000,
      retry: isRepeated,
      retryDelay: repeatDelay,
      refetchOnWindowFocus: true,
    },
  },
});

const place = document.getElementById('page');
if (!place) throw new Error('index.html has no element for the page.');
createRoot(place).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
