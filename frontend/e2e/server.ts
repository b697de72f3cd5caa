import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from '@playwright/test';
import { baseURL, port } from '../playwright.config';

const binary = process.env.NIGHTSHIFT_BIN ?? fileURLToPath(new URL('../../bin/nightshift', import.meta.url));
const stateDir = fileURLToPath(new URL('./.state', import.meta.url));
const START_MS = 60_000;

/** What `nightshift up --json` prints when it is ready. */
export interface Started {
  url: string;
  signInUrl: string;
  token: string;
  project: string;
}

/** The real product on an empty folder, with one person signed in by the one-time link. */
export default async function start() {
  const data = mkdtempSync(join(tmpdir(), 'nightshift-e2e-'));
  const server = spawn(binary, ['up', '--listen', `127.0.0.1:${port}`, '--data', data, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.kill('SIGTERM')) await ended;
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const started = await firstLine(server);
    mkdirSync(stateDir, { recursive: true });
    writeFileSync(join(stateDir, 'server.json'), JSON.stringify(started));
    await signIn(new URL(started.signInUrl).searchParams.get('link') ?? '');
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

function firstLine(server: ChildProcess): Promise<Started> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the server did not start in time')), START_MS);
    let text = '';
    server.stdout?.on('data', (chunk) => {
      text += chunk;
      const end = text.indexOf('\n');
      if (end < 0) return;
      clearTimeout(timer);
      resolve(JSON.parse(text.slice(0, end)) as Started);
    });
    server.once('exit', (code) => reject(new Error(`the server ended with exit code ${code}`)));
    server.once('error', reject);
  });
}

async function signIn(link: string) {
  const context = await request.newContext({ baseURL });
  const query = 'mutation SignIn($input: SignInInput!) { signIn(input: $input) { viewer { kind } } }';
  const response = await context.post('/graphql', { data: { query, variables: { input: { link } } } });
  const { errors } = (await response.json()) as { errors?: { message: string }[] };
  if (errors) throw new Error(errors[0]?.message);
  await context.storageState({ path: join(stateDir, 'session.json') });
  await context.dispose();
}
