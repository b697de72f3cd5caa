import account from './account.json';
import auth from './auth.json';
import common from './common.json';
import computers from './computers.json';
import events from './events.json';
import jobs from './jobs.json';
import launch from './launch.json';
import logs from './logs.json';
import members from './members.json';

/** The source catalogue: one file a noun, `t('jobs.title')` is `title` in jobs.json. */
const en = { account, auth, common, computers, events, jobs, launch, logs, members };
export default en;
