import common from './ja/common.json';
import jobs from './ja/jobs.json';

/** The Japanese that the first screen needs. */
const core = { common, jobs };
export default core;
