import type { Complete } from '../complete';
import type en from '../en';
import account from './account.json';
import auth from './auth.json';
import common from './common.json';
import computers from './computers.json';
import events from './events.json';
import jobs from './jobs.json';
import launch from './launch.json';
import logs from './logs.json';
import members from './members.json';

// A text that is missing here does not compile.
const ja = { account, auth, common, computers, events, jobs, launch, logs, members } satisfies Complete<typeof en>;
export default ja;
