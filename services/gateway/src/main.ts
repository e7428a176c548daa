import { runService } from '@bomtrail/service-kit';
import { compose } from './compose';
import { settings } from './config';

runService({ name: 'gateway', settings, compose });
