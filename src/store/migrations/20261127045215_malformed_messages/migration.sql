ALTER TABLE `last_seen` ADD `malformed_count` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `last_seen` ADD `malformed_since` integer;--> statement-breakpoint
ALTER TABLE `last_seen` ADD `malformed_at` integer;--> statement-breakpoint
ALTER TABLE `last_seen` ADD `malformed_seq` integer;--> statement-breakpoint
ALTER TABLE `last_seen` ADD `malformed_why` text;