import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/figures.css';
import './style/table.css';
import './style/fields.css';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Problem } from './api/problem.ts';
import { readTheme, showTheme } from './app/theme.ts';
import { NoticeProvider } from './parts/notice.tsx';
import { router } from './router.tsx';
import { WordsProvider } from './words/words.tsx';

showTheme(readTheme());

/** Looked at again when a screen is opened later than this. */
const FRESH_MS = 10_000;
const RETRIES = 1;

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      refetchOnWindowFocus: false,
      // A refusal stays one. What got no answer, or met a busy service, is asked once more.
      retry: (count, error) =>
        count < RETRIES && error instanceof Problem && (error.status === 0 || error.status === 503),
    },
  },
});

createRoot(document.getElementById('portal') as HTMLElement).render(
  <StrictMode>
    <WordsProvider>
      <QueryClientProvider client={client}>
        <NoticeProvider>
          <RouterProvider router={router} />
        </NoticeProvider>
      </QueryClientProvider>
    </WordsProvider>
  </StrictMode>,
);
