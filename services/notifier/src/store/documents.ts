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

/** A project that has or had rules, or that was deleted. */
export interface KnownProjectDocument {
  _id: string;
  /** Grows with each rule that is put into the project, so that this and a delete cannot pass each other unseen. */
  placements?: number;
  /** The project was deleted: no rule is put into it any more. */
  forgotten_at?: Date;
}
