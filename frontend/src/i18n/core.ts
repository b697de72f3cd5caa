import common from './en/common.json';
import jobs from './en/jobs.json';

/** The English that the first screen needs; the rest comes with the parts that say it. */
const core = { common, jobs };
export default core;
