import { runService } from '@bomtrail/service-runtime';
import { compose } from './compose';
import { settings } from './config';

runService({ name: 'ingest', settings, compose });
