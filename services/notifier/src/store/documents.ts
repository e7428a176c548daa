import type { AlertChannel, AlertThreshold } from '@bomtrail/messages';

export interface AlertRuleDocument {
  _id: string;
  project_id: string;
  severity_threshold: AlertThreshold;
  notification_type: AlertChannel;
  /** JSON text: the client chooses the names in it, and some names mean something to MongoDB. Holds secrets. */
  config: string;
  enabled: boolean;
  created_at: Date;
  updated_at: Date | null;
}
