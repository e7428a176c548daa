import { runService } from '@bomtrail/service-kit';
import { compose } from './compose';
import { settings } from './config';

runService({ name: 'scanner', settings, compose });
